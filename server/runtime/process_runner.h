// The child process port on the event loop.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>

#include "jobs/child_process.h"
#include "runtime/child_table.h"
#include "runtime/reactor.h"
#include "runtime/running_child.h"

namespace workpool {

// Start from any thread; all else on the loop's. Children's handles must not be used once it has
// been destroyed.
class ProcessRunner final : public ChildRunner {
 public:
  // With `reap_orphans` it also reaps children that it has not started.
  ProcessRunner(Reactor& reactor, ChildTable& table, bool reap_orphans);

  Result<std::shared_ptr<Child>> Start(ChildSpec spec, Done done) override;

  // On SIGCHLD.
  void OnChildSignal();
  // Kills and forgets the children that are left; their Done is destroyed, not called.
  void Abandon();

 private:
  class Handle;

  void Adopt(std::uint64_t id, std::unique_ptr<RunningChild> child, Done done);
  void Stop(std::uint64_t id, std::chrono::nanoseconds grace);

  Reactor& reactor_;
  ChildTable& table_;
  const bool reap_orphans_;
  std::atomic<std::uint64_t> next_id_ = 0;
  std::map<std::uint64_t, std::unique_ptr<RunningChild>> children_;  // of the loop's thread
};

}  // namespace workpool
