// A dispatcher under random use, and the books that somebody outside would keep about it: what was
// posted, answered, waited for, run. Single-threaded; the same seed does the same things.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "fakes/delayed_store.h"
#include "fakes/dispatcher_rig.h"

namespace workpool {

class DispatcherWorld {
 public:
  explicit DispatcherWorld(std::uint64_t seed);

  // One random act.
  void Step();
  // Lets everything come to rest: commits, runs, finishes, ends waits.
  void Settle();
  // Stops as a daemon does, with handlers that may ignore it.
  void ShutDown();

  // What must hold at any time, and what must hold at rest. An empty text: it does.
  std::string CheckAlways();
  std::string CheckAtRest();

 private:
  struct PostRecord {
    std::string pool;
    bool invalid = false;
    Ticket ticket = 0;
    std::vector<Result<Posted>> answers;
    std::vector<Result<JobView>> ends;
  };
  struct WaitRecord {
    Ticket ticket = 0;
    bool taken_back = false;
    std::vector<Result<JobView>> answers;
  };

  std::uint64_t Random(std::uint64_t below) { return random_() % below; }
  bool Chance(int percent) { return Random(100) < static_cast<std::uint64_t>(percent); }
  std::string SomePool() { return Chance(50) ? "a" : "b"; }
  JobId SomeId();

  PostRequest MakeRequest(const std::shared_ptr<PostRecord>& record);
  void Post();
  void PostBatch();
  void Abandon();
  void Wait();
  void TakeWaitBack();
  void Cancel();
  void Run();
  void FinishHeld();
  void ChangePool();
  void Commit();
  void Look();
  void Pass(std::chrono::nanoseconds time);

  std::string CheckPool(const std::string& name);
  std::uint64_t AnsweredOk(const std::string& pool) const;

  std::mt19937_64 random_;
  DispatcherRig rig_;
  std::unique_ptr<DelayedStore> store_;
  std::shared_ptr<HeldHandler> held_ = std::make_shared<HeldHandler>();
  std::map<JobId, int> runs_;
  std::vector<std::shared_ptr<PostRecord>> posts_;
  std::vector<std::shared_ptr<WaitRecord>> waits_;
  std::map<std::string, std::uint64_t> lost_;
  bool shut_down_ = false;
};

}  // namespace workpool
