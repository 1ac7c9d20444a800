// A runner of children that starts nothing: it records what it is asked for, and the test says what
// the child writes and how it ends. Not thread safe.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "jobs/child_process.h"

namespace workpool {

class FakeChildRunner final : public ChildRunner {
 public:
  struct Process {
    ChildSpec spec;
    Done done;
    std::vector<std::chrono::nanoseconds> stops;  // the graces given
  };

  // The next start fails with this.
  std::optional<Error> next_error;
  // The next child has ended like this before Start returns.
  std::optional<ChildExit> next_exit;

  Process& process(std::size_t index = 0) { return *processes_.at(index); }
  std::size_t started() const { return processes_.size(); }

  void Exit(ChildExit exit, std::size_t index = 0) {
    // Taken out first: what it is destroyed with may be the last to hold the attempt.
    Done done = std::move(process(index).done);
    done(std::move(exit));
  }

  Result<std::shared_ptr<Child>> Start(ChildSpec spec, Done done) override {
    if (next_error) return std::unexpected(*std::exchange(next_error, std::nullopt));
    auto process = std::make_shared<Process>();
    process->spec = std::move(spec);
    process->done = std::move(done);
    processes_.push_back(process);
    if (next_exit) Exit(*std::exchange(next_exit, std::nullopt), processes_.size() - 1);
    return std::make_shared<FakeChild>(process);
  }

 private:
  class FakeChild final : public Child {
   public:
    explicit FakeChild(std::weak_ptr<Process> process) : process_(std::move(process)) {}
    void Stop(std::chrono::nanoseconds grace) override {
      if (const auto process = process_.lock()) process->stops.push_back(grace);
    }

   private:
    // Weak: the process holds callbacks, and they may hold this.
    std::weak_ptr<Process> process_;
  };

  std::vector<std::shared_ptr<Process>> processes_;
};

}  // namespace workpool
