// Our ends of a child's pipes. Of the loop's thread; destroying one closes it. Callbacks are not
// called by constructors and may destroy the pipe.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/reactor.h"

namespace workpool {

// Writes `data` as the child reads it, then closes. A child that reads no more of it is no error.
class InputPipe {
 public:
  InputPipe(Reactor& reactor, OwnedFd fd, std::string data);

  void Start();

 private:
  void Write();

  std::string data_;
  std::size_t written_ = 0;
  std::optional<FdWatch> watch_;
};

// Reads what the child writes, as it comes, and hands it to `sink`, until the last process that
// holds the other end has closed it; then calls `on_end`.
class OutputPipe {
 public:
  using Sink = std::function<void(std::string_view)>;

  OutputPipe(Reactor& reactor, OwnedFd fd, Sink sink, std::function<void()> on_end);

  void Start();
  bool ended() const { return !watch_; }
  // Hands on what is in the pipe now, at most a pipe's greatest size, and closes it. No `on_end`.
  void Drain();

 private:
  void Read();
  // True while there may be more, now or later.
  bool ReadUpTo(std::size_t bytes);

  Sink sink_;
  std::function<void()> on_end_;
  std::optional<FdWatch> watch_;  // empty once ended
};

}  // namespace workpool
