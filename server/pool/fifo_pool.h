// A pool of threads that runs items first come, first served: FifoAdmission behind two locks, and
// threads that wake no more of each other than the work needs. Thread safe throughout.
//
// Two locks, so that a poster and a worker do not write the same memory for each job: `post_`
// first, then `take_`. Posting takes the first alone while the pool is plain (fifo_admission.h), a
// worker the second; every other call takes both. A post that waits for room is let in by whoever
// next holds both; so calls that look at the pool serve the waiting posts first, and nobody can see
// that they were late.
//
// Who looks for work (docs/pool.md, "Threads"): while there are tasks to take and threads asleep,
// some thread is obliged to look: a searcher, which looks under the lock before it runs anything or
// sleeps, or the watcher, which looks again after a while. While nobody is obliged, `need_` is set,
// and the next poster sees it. fifo_waking.h has the argument.
//
// A template over the item, what runs it, and its platform, so that a test can explore
// interleavings. Run: RunStatus operator()(Item&, Place) noexcept; the item is destroyed after it.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "pool/adaptive_lock.h"
#include "pool/crew.h"
#include "pool/fifo_admission.h"
#include "pool/places.h"
#include "pool/spin_budget.h"

namespace workpool {

template <typename Item, typename Run, typename Platform>
class FifoPool final : public Places {
 public:
  using Posted = std::expected<void, Refusal>;

  // Starts the first thread: throws std::system_error if the system refuses. One that it refuses
  // later is tried again at the next occasion, by a call that cannot do without until it gets it.
  FifoPool(std::string name, const PoolLimits& limits, const ThreadBounds& threads, Run run);
  // Calls Close(false) if Close has not been called, then waits for what runs, however long.
  ~FifoPool();
  FifoPool(const FifoPool&) = delete;
  FifoPool& operator=(const FifoPool&) = delete;

  // Moves from the item when it is accepted.
  Posted TryPost(Item& item);
  // Waits for room until `deadline` (none: for ever) or until `stop` is requested.
  Posted Post(Item& item, std::optional<SteadyTime> deadline, const std::stop_token& stop);

  void Finish(Place place) override;  // for items whose run returned kPending

  // As TaskPool's.
  void Resize(const PoolLimits& limits);
  void Pause();
  void Resume();
  void Drain();
  void Close(bool run_queued);
  std::vector<Item> TakeQueued();
  bool AwaitIdle(SteadyTime deadline);
  void AddBystander() override;
  void RemoveBystander() override;
  bool AwaitOthers(SteadyTime deadline);
  bool Join(SteadyTime deadline);
  PoolStats Read();

  void SetThreadBounds(const ThreadBounds& bounds);
  // True on a thread of this pool.
  bool OnOwnThread() const { return Platform::Owner() == this; }
  std::uint64_t threads_started();
  std::uint64_t threads();

 private:
  using Admission = FifoAdmission<Item, Platform>;
  using Waiter = typename Admission::Waiter;
  using Word = typename Platform::Word;

  struct Thread : CrewMember<Platform> {
    FifoPool* pool = nullptr;
    // Guarded by take_:
    bool searching = false;  // it holds `searching_`
    bool woken = false;      // by somebody who saw work, at `called_at`, and has not looked yet
    SteadyTime called_at = {};
    std::uint64_t taken_then = 0;  // by all, when it was called
    SpinBudget spin;
  };

  // What is to be done when the locks are free: wake and start threads, call posters. By address
  // alone, as what it stands for may be gone by then; but a thread that is being started counts as
  // alive, and the pool waits for those.
  struct Errands {
    bool any = false;
    bool quiet = false;
    std::array<const Word*, 2> wake{};
    std::array<Thread*, 2> start{};
    const Word* call = nullptr;      // a poster
    std::vector<const Word*> calls;  // and others, which is rare
  };

  static constexpr std::chrono::microseconds kWorkerSpin{20};
  static constexpr std::chrono::microseconds kPosterSpin{50};
  static constexpr std::chrono::microseconds kHandOffSpin{20};
  static constexpr std::chrono::microseconds kPosterLooks{10};
  static constexpr std::chrono::nanoseconds kShortJob{450};
  static constexpr std::chrono::nanoseconds kShortJobAlone{100};  // while the poster sleeps
  static constexpr std::chrono::microseconds kBlockingJob{5};
  static constexpr std::chrono::microseconds kWatch{150};
  static constexpr std::chrono::microseconds kAwaitHalf{200};

  // From outside: fifo_posting.h.
  struct Patience {
    SteadyTime deadline;
    const std::stop_token& stop;
  };
  Posted OfferSlowly(Item& item);
  bool AwaitRoom(Waiter& waiter, const Patience& patience);
  bool SleepForRoom(Waiter& waiter, const Patience& patience, bool any_room);
  void SpinForRoom(const Waiter& waiter) EXCLUDES(post_);
  bool SeesRoom(const Waiter& waiter, std::uint64_t half, std::chrono::nanoseconds longest) const;
  void Enter() ACQUIRE(post_, take_);
  void Leave(Errands& errands) RELEASE(post_, take_);
  void LeaveUnchanged(Errands& errands) RELEASE(post_, take_);
  void ServeWaiters(Errands& errands, const Waiter* self = nullptr) REQUIRES(post_, take_);
  void CallWaiter(Waiter& waiter, Errands& errands) REQUIRES(take_);
  void CallThreads(Errands& errands) REQUIRES(take_);
  template <typename Change>
  void Control(Change change) EXCLUDES(post_, take_);
  template <typename Holds>
  bool Await(SteadyTime deadline, Holds holds) EXCLUDES(post_, take_);

  // Who looks for work: fifo_waking.h.
  bool Obliged() const REQUIRES(take_);
  std::uint64_t Busy() const REQUIRES(take_);
  std::uint64_t MostThreads() const REQUIRES(take_);
  void PublishNeed() REQUIRES(take_);
  void Search(Thread& thread, bool woken) REQUIRES(take_);
  void StopSearching(Thread& thread) REQUIRES(take_);
  void Summon(int count, Errands& errands) REQUIRES(take_);
  void SeeToWork(Errands& errands) REQUIRES(take_);
  void WakeForPost() EXCLUDES(take_);
  void AfterFinish(Errands& errands) REQUIRES(take_);
  void NotifyQuiet(Errands& errands) REQUIRES(take_);
  Thread& Hire() REQUIRES(take_);
  void Unlock(Errands& errands) RELEASE(take_);
  void Do(Errands& errands) EXCLUDES(post_, take_);
  void Start(Thread& thread) EXCLUDES(take_);
  bool StartFailed(Thread& thread, int error) EXCLUDES(take_);

  // A worker's thread: fifo_working.h.
  static void* Main(void* thread);
  void Work(Thread& me) EXCLUDES(take_);
  void RunTasks(Thread& me, Errands& errands) REQUIRES(take_);
  void HandOver(Thread& me, Errands& errands) REQUIRES(take_);
  bool TakenAtLeastEvery(std::chrono::nanoseconds time, const Thread& me) const REQUIRES(take_);
  bool OthersKeepUp(const Thread& me) const REQUIRES(take_);
  void Watch(Thread& me, Errands& errands) REQUIRES(take_);
  bool AwaitWork(Thread& me, Errands& errands) REQUIRES(take_);
  void LetWaitersIn(Thread& me, Errands& errands) REQUIRES(take_);
  bool MaySpin(Thread& me) REQUIRES(take_);
  void SpinForWork(Thread& me, Errands& errands) REQUIRES(take_);
  bool Sleep(Thread& me, Errands& errands) REQUIRES(take_);

  const std::string name_;
  Run run_;

  Admission admission_;  // guarded as its header says
  AdaptiveLock<Platform>& take_ = admission_.taking();

  alignas(64) AdaptiveLock<Platform> post_;
  SpinBudget post_spin_ GUARDED_BY(post_);

  // A post must see to it that somebody looks for work. Written under take_.
  alignas(64) typename Platform::template Atomic<bool> need_{false};

  alignas(64) Crew<Thread, Platform> crew_ GUARDED_BY(take_);
  bool searching_ GUARDED_BY(take_) = false;      // somebody is awake and will look
  std::uint32_t spinners_ GUARDED_BY(take_) = 0;  // spin, and will look
  Thread* watcher_ GUARDED_BY(take_) = nullptr;   // looks now and then, while jobs are short
  bool stopping_ GUARDED_BY(take_) = false;
  bool start_failed_ GUARDED_BY(take_) = false;
  // The first waiting poster, if it sleeps, and at how many unfinished it wants to be called.
  Waiter* sleeper_ GUARDED_BY(take_) = nullptr;
  std::uint64_t call_at_ GUARDED_BY(take_) = 0;
  // A waiting poster, which will fill a queue when it comes; until one sleeps again.
  bool poster_called_ GUARDED_BY(take_) = false;
  std::uint64_t bystanders_ GUARDED_BY(take_) = 0;
  std::uint64_t quiet_waiters_ GUARDED_BY(take_) = 0;
  Word quiet_{0};  // changes when few are active
};

}  // namespace workpool

#include "pool/fifo_posting.h"
#include "pool/fifo_waking.h"
#include "pool/fifo_working.h"
