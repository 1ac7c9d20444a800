// A task that does what the test says and records what its pool told it. Thread safe to read.
#pragma once

#include <atomic>
#include <functional>
#include <utility>

#include "pool/task.h"

namespace workpool {

class ScriptedTask final : public Task {
 public:
  using Script = std::function<RunStatus(Place)>;

  ScriptedTask() = default;
  explicit ScriptedTask(Script script) : script_(std::move(script)) {}

  RunStatus Run(Place place) noexcept override {
    accepted_before_run = accepted.load();
    const RunStatus status = script_ ? script_(place) : RunStatus::kFinished;
    ++runs;
    return status;
  }
  void WaitAccepted() noexcept override {
    if (on_accepted) on_accepted();
    accepted = true;
  }
  void WaitRefused(Refusal why) noexcept override {
    refusal = why;
    refused = true;
  }

  std::function<void()> on_accepted;
  std::atomic<int> runs = 0;
  std::atomic<bool> accepted = false;
  std::atomic<bool> refused = false;
  std::atomic<bool> accepted_before_run = false;
  std::atomic<Refusal> refusal = Refusal::kQueueFull;

 private:
  Script script_;
};

}  // namespace workpool
