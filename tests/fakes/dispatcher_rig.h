// A dispatcher with everything around it that can be stepped by hand: clock, alarm, pools without
// threads, a memory store, a recording observer. Single-threaded unless the pools are not.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fakes/manual_alarm.h"
#include "fakes/manual_clock.h"
#include "fakes/recording_observer.h"
#include "jobs/dispatcher.h"
#include "jobs/registry.h"
#include "pool/manual_pool.h"
#include "stores/memory_store.h"

namespace workpool {

inline PoolConfig MakePoolConfig(std::string name, std::uint32_t workers, std::uint64_t capacity) {
  PoolConfig pool;
  pool.name = std::move(name);
  pool.limits.workers = workers;
  pool.limits.capacity = capacity;
  return pool;
}

inline HandlerConfig MakeHandlerConfig(std::string name, std::string pool,
                                       std::shared_ptr<Handler> handler) {
  HandlerConfig config;
  config.name = std::move(name);
  config.pool = std::move(pool);
  config.handler = std::move(handler);
  return config;
}

inline HandlerConfig EchoConfig(std::string pool = "") {
  return MakeHandlerConfig(
      "echo", std::move(pool),
      MakeFunctionHandler([](const Job& job, JobContext&) -> Outcome { return job.payload; }));
}

// Keeps the attempts that it is given, so that a test finishes them when it likes. Thread safe.
class HeldHandler final : public Handler {
 public:
  void Run(std::shared_ptr<Attempt> attempt) override {
    MutexLock lock(mutex_);
    if (holds_) return held_.push_back(std::move(attempt));
    lock.Unlock();
    attempt->Finish(Outcome::Failure("stopped"));
  }
  // Ends what is held, and from now on what comes, also from a worker that is only about to run it.
  void StopHolding() {
    MutexLock lock(mutex_);
    holds_ = false;
    const auto held = std::exchange(held_, {});
    lock.Unlock();
    for (const auto& attempt : held) attempt->Finish(Outcome::Failure("stopped"));
  }
  std::size_t size() const {
    MutexLock lock(mutex_);
    return held_.size();
  }
  // The oldest; null if there is none.
  std::shared_ptr<Attempt> Take() {
    MutexLock lock(mutex_);
    if (held_.empty()) return nullptr;
    std::shared_ptr<Attempt> attempt = std::move(held_.front());
    held_.erase(held_.begin());
    return attempt;
  }
  std::shared_ptr<Attempt> Front() const {
    MutexLock lock(mutex_);
    return held_.empty() ? nullptr : held_.front();
  }
  std::shared_ptr<Attempt> Back() const {
    MutexLock lock(mutex_);
    return held_.empty() ? nullptr : held_.back();
  }

 private:
  mutable Mutex mutex_;
  std::vector<std::shared_ptr<Attempt>> held_ GUARDED_BY(mutex_);
  bool holds_ GUARDED_BY(mutex_) = true;
};

inline Work MakeWork(std::string handler, std::string payload = "", std::string pool = "") {
  Work work;
  work.handler = std::move(handler);
  work.payload = std::move(payload);
  work.pool = std::move(pool);
  return work;
}

// A post's answer, once there is one.
struct PostProbe {
  Ticket ticket = 0;
  std::shared_ptr<std::vector<Result<Posted>>> answers =
      std::make_shared<std::vector<Result<Posted>>>();
  bool answered() const { return !answers->empty(); }
  bool accepted() const { return answered() && answers->front().has_value(); }
  JobId id() const { return accepted() ? answers->front()->id : 0; }
  const Error& error() const { return answers->front().error(); }
};

// What a wait was told; more than one entry is a fault.
using WaitProbe = std::shared_ptr<std::vector<Result<JobView>>>;

struct DispatcherRig {
  DispatcherRig() = default;
  explicit DispatcherRig(DispatcherConfig config) { Start(std::move(config)); }

  void Start(DispatcherConfig config) {
    dispatcher = std::make_unique<Dispatcher>(Ports(), config);
  }
  DispatcherPorts Ports() {
    return {clock, store == nullptr ? *own_store : *store, observer, alarm,
            [this](const std::string& name, const PoolLimits& limits) {
              auto pool = std::make_unique<ManualPool>(limits);
              pools[name] = pool.get();
              return pool;
            }};
  }

  PostProbe Post(Work work) {
    PostRequest request;
    request.work = std::move(work);
    return Post(std::move(request));
  }
  PostProbe Post(PostRequest request) {
    PostProbe probe;
    probe.ticket = dispatcher->Post(std::move(request), [answers = probe.answers](auto result) {
      answers->push_back(std::move(result));
    });
    return probe;
  }
  static FinishedDone Into(const WaitProbe& probe) {
    return [probe](Result<JobView> view) { probe->push_back(std::move(view)); };
  }
  static WaitProbe NewProbe() { return std::make_shared<std::vector<Result<JobView>>>(); }
  WaitProbe Wait(JobId id) {
    WaitProbe probe = NewProbe();
    dispatcher->Wait(id, Into(probe));
    return probe;
  }

  bool RunOne(const std::string& pool = "default") { return pools.at(pool)->RunOne(); }
  int RunAll(const std::string& pool = "default") {
    int runs = 0;
    while (RunOne(pool)) ++runs;
    return runs;
  }
  void Advance(std::chrono::nanoseconds by) {
    clock.Advance(by);
    dispatcher->Tick();
  }
  JobState State(JobId id) const {
    const Result<JobView> view = dispatcher->Get(id);
    return view ? view->state : JobState::kScheduled;
  }
  PoolView Pool(const std::string& name = "default") const { return *dispatcher->Pool(name); }

  ManualClock clock;
  ManualAlarm alarm;
  RecordingObserver observer;
  std::unique_ptr<Store> own_store = MakeMemoryStore(clock);
  Store* store = nullptr;  // set before Start: another store
  std::map<std::string, ManualPool*> pools;
  std::unique_ptr<Dispatcher> dispatcher;
};

}  // namespace workpool
