#include "runtime/process_runner.h"

#include <utility>

#include "runtime/orphan_reaper.h"
#include "runtime/spawn.h"

namespace workpool {

class ProcessRunner::Handle final : public Child {
 public:
  Handle(ProcessRunner& runner, std::uint64_t id) : runner_(runner), id_(id) {}

  // The queue of the loop keeps this behind the child's beginning.
  void Stop(std::chrono::nanoseconds grace) override {
    runner_.reactor_.Post([&runner = runner_, id = id_, grace] { runner.Stop(id, grace); });
  }

 private:
  ProcessRunner& runner_;
  const std::uint64_t id_;
};

ProcessRunner::ProcessRunner(Reactor& reactor, ChildTable& table, bool reap_orphans)
    : reactor_(reactor), table_(table), reap_orphans_(reap_orphans) {}

Result<std::shared_ptr<Child>> ProcessRunner::Start(ChildSpec spec, Done done) {
  auto process = Spawn(spec, table_);
  if (!process) {
    reactor_.Post([this] { OnChildSignal(); });
    return std::unexpected(std::move(process.error()));
  }
  const std::uint64_t id = next_id_++;
  auto child =
      std::make_unique<RunningChild>(reactor_, table_, std::move(*process), std::move(spec));
  reactor_.Post([this, id, child = std::move(child), done = std::move(done)]() mutable {
    Adopt(id, std::move(child), std::move(done));
  });
  return std::make_shared<Handle>(*this, id);
}

void ProcessRunner::Adopt(std::uint64_t id, std::unique_ptr<RunningChild> child, Done done) {
  RunningChild& adopted = *(children_[id] = std::move(child));
  try {
    adopted.Begin([this, id, done = std::move(done)](ChildExit exit) mutable {
      // It is destroyed later, as it is still at work when it says that it has ended.
      reactor_.Post([child = std::move(children_.extract(id).mapped())] {});
      OnChildSignal();
      done(std::move(exit));
    });
  } catch (...) {
    // The system watches no more descriptors: without the child its attempt counts as abandoned.
    children_.erase(id);
    throw;
  }
  OnChildSignal();
}

void ProcessRunner::Stop(std::uint64_t id, std::chrono::nanoseconds grace) {
  if (const auto child = children_.find(id); child != children_.end()) child->second->Stop(grace);
}

void ProcessRunner::OnChildSignal() {
  if (reap_orphans_) ReapOrphans(table_);
}

void ProcessRunner::Abandon() { children_.clear(); }

}  // namespace workpool
