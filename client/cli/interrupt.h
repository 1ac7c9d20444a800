// Lets a command put things in order before Ctrl-C, TERM or the end of its terminal ends it.
#pragma once

#include <atomic>
#include <csignal>
#include <stop_token>
#include <thread>

namespace workpool::cli {

// Construct it before any other thread starts. A first INT, TERM or HUP triggers the stop token;
// a second one ends the program at once. A HUP that is ignored (nohup) stays so.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  std::stop_token token() const { return source_.get_token(); }
  bool came() const { return source_.stop_requested(); }
  // Ends the program by the signal that came, as it would have ended without this.
  [[noreturn]] void Leave();

 private:
  void Wait(const std::stop_token& over);

  sigset_t signals_{};
  std::stop_source source_;
  std::atomic<int> signal_{0};
  std::jthread waiter_;
};

}  // namespace workpool::cli
