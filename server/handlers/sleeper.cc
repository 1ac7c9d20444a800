#include "handlers/sleeper.h"

#include <atomic>
#include <optional>
#include <stop_token>
#include <utility>

namespace workpool {
namespace {

// One nap. Held by its entry in the queue; goes with that.
class OneNap : public std::enable_shared_from_this<OneNap> {
 public:
  OneNap(DeadlineQueue& queue, std::shared_ptr<Attempt> attempt)
      : queue_(queue), attempt_(std::move(attempt)) {}

  // Either end may come before it returns, so the caller must hold this nap until then.
  void Begin(SteadyTime until) {
    key_ = queue_.Add(until, [self = shared_from_this()] { self->TimeIsOver(); });
    watcher_.emplace(attempt_->stop_token(), Stopper{this});
  }

 private:
  struct Stopper {
    OneNap* nap;
    void operator()() const { nap->ToldToStop(); }
  };

  void TimeIsOver() {
    if (!ended_.exchange(true)) attempt_->Finish(Outcome::Success());
  }

  void ToldToStop() {
    if (ended_.exchange(true)) return;
    const std::shared_ptr<Attempt> attempt = attempt_;
    queue_.Remove(key_);  // perhaps destroys this
    attempt->Finish(Outcome::Failure("", "STOPPED"));
  }

  DeadlineQueue& queue_;
  const std::shared_ptr<Attempt> attempt_;
  DeadlineKey key_;  // constant once there is a watcher
  std::atomic<bool> ended_{false};
  // The last member: its destructor waits for a Stopper at work on another thread.
  std::optional<std::stop_callback<Stopper>> watcher_;
};

}  // namespace

void Sleeper::Nap(std::shared_ptr<Attempt> attempt, std::chrono::nanoseconds duration) {
  const auto nap = std::make_shared<OneNap>(queue_, std::move(attempt));
  nap->Begin(clock_.Now() + duration);
}

void Sleeper::Tick() {
  for (DeadlineQueue::Action& over : queue_.TakeDue(clock_.Now(), kTurn)) {
    over();
    over = nullptr;  // its attempt goes now, not with the last one's
  }
}

}  // namespace workpool
