// The child process port: what command handlers need from the system. Adapter: runtime; the fake in
// tests/fakes records.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace workpool {

struct ChildSpec {
  std::vector<std::string> argv;                         // argv[0] is looked up in PATH of `env`
  std::string cwd;                                       // empty: the daemon's
  std::vector<std::pair<std::string, std::string>> env;  // the whole environment
  std::string input;                                     // written to stdin, then closed
  std::size_t max_output = 0;  // stdout beyond this is read and thrown away
  // Called with what the child writes to stderr, as it comes; on the runner's thread.
  std::function<void(std::string_view)> on_stderr;
};

struct ChildExit {
  std::optional<int> code;    // it exited
  std::optional<int> signal;  // or a signal ended it
  std::string output;
  bool output_truncated = false;
};

// A running child. Destroying the handle does not stop it. Thread safe.
class Child {
 public:
  virtual ~Child() = default;
  // TERM to the whole process group, and KILL after `grace`. Later calls can only shorten the
  // grace.
  virtual void Stop(std::chrono::nanoseconds grace) = 0;
};

// Thread safe. Each child leads a process group of its own and inherits no descriptor but its
// three.
class ChildRunner {
 public:
  // Called exactly once, on the runner's thread, when the child has been reaped, every process of
  // its group is gone or has been killed, and its output has been read.
  using Done = std::move_only_function<void(ChildExit)>;

  virtual ~ChildRunner() = default;
  // On failure (no such program, not executable, no such folder, out of descriptors) the error's
  // message carries the system's reason, and `done` is not called.
  virtual Result<std::shared_ptr<Child>> Start(ChildSpec spec, Done done) = 0;
};

}  // namespace workpool
