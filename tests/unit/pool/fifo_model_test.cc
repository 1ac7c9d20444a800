// Random operations on the plain admission and on the same model that the full one is compared with
// (admission_model.h), compared after each step.
#include <gtest/gtest.h>

#include <deque>
#include <optional>
#include <set>
#include <vector>

#include "fakes/idle_task.h"
#include "pool/fifo_admission.h"
#include "pool/system_platform.h"
#include "unit/pool/admission_model.h"
#include "unit/pool/model_run.h"

namespace workpool {
namespace {

using Model = AdmissionModel;
using Fifo = FifoAdmission<Task*, SystemPlatform>;

class FifoModelRun {
 public:
  explicit FifoModelRun(std::uint64_t seed)
      : dice_(seed), limits_(RandomLimits()), fifo_(limits_), model_(limits_) {}

  void Steps(int count) {
    for (int i = 0; i < count && !testing::Test::HasFailure(); ++i) {
      Step();
      TellModel();
      // As in the pool, posts that wait are let in only by who next looks.
      if (dice_.OneIn(3)) Compare();
    }
    Compare();
  }

 private:
  struct Post {
    IdleTask task;
    Task* item = &task;
    Fifo::Waiter waiter{item};
  };

  PoolLimits RandomLimits() {
    return {.workers = dice_.Pick<std::uint32_t>({1, 1, 2, 3, 8}),
            .capacity = dice_.Pick<std::uint64_t>({0, 0, 1, 2, 5, 12, 100}),
            .max_waiting = dice_.Pick<std::uint64_t>({0, 1, 4, 20})};
  }

  void Step() {
    const int what = dice_.Below(100);
    if (what < 45) {
      Offer();
    } else if (what < 70) {
      Take();
    } else if (what < 85) {
      Finish();
    } else if (what < 91) {
      GiveUp();
    } else {
      Control();
    }
  }

  // Accepted waits are told at once: the pool has nothing in between.
  void TellModel() {
    while (const auto notice = model_.TakeNotice(++ticket_)) {
      if (notice->accepted) model_.SetTold(ticket_);
    }
  }

  void Serve() {
    fifo_.Settle();
    while (fifo_.ServeNext() != nullptr) {
    }
  }

  void Offer() {
    Post& post = posts_.emplace_back();
    const bool wait = dice_.OneIn(2);
    const OfferResult expected =
        model_.Offer(post.task, wait ? WhenFull::kWait : WhenFull::kReject, true);
    Fifo::Offered offered;
    const auto plain = fifo_.OfferPlain(post.item);
    if (plain == Fifo::Plain::kAccepted) {
      offered.accepted = true;
    } else if (plain == Fifo::Plain::kFull && !wait) {
      fifo_.CountRefused(Refusal::kQueueFull);
    } else {
      Serve();
      offered = fifo_.Offer(post.item, wait ? &post.waiter : nullptr);
    }
    EXPECT_EQ(offered.accepted,
              expected.verdict == Verdict::kStarted || expected.verdict == Verdict::kQueued);
    EXPECT_EQ(offered.waits, expected.verdict == Verdict::kWaiting);
    if (expected.verdict == Verdict::kRefused) {
      EXPECT_EQ(offered.refusal, expected.refusal);
    }
    if (offered.waits) waiting_.push_back(&post);
  }

  void Take(std::optional<std::uint32_t> number = std::nullopt) {
    if (!fifo_.CanTake()) Serve();
    if (!fifo_.CanTakeNow()) {
      if (number) fifo_.ReturnNumber(*number);
      EXPECT_EQ(model_.TakeReady(0), nullptr);
      return;
    }
    const Fifo::Taken taken = fifo_.Take(number);
    EXPECT_EQ(taken.item, model_.TakeReady(taken.place.worker));
    EXPECT_TRUE(numbers_.insert(taken.place.worker).second);
    in_hands_.push_back(taken);
  }

  void Finish() {
    if (in_hands_.empty()) return;
    const auto at = dice_.Any(in_hands_);
    const Fifo::Taken done = *at;
    in_hands_.erase(at);
    numbers_.erase(done.place.worker);
    model_.Finish(*done.item);
    TellModel();
    const auto number = fifo_.Finish(done.place);
    if (dice_.OneIn(2)) {
      Take(number);
    } else if (number) {
      fifo_.ReturnNumber(*number);
    }
  }

  void GiveUp() {
    Serve();
    std::erase_if(waiting_, [](const Post* post) {
      return post->waiter.state != Fifo::Waiter::State::kWaits;
    });
    if (waiting_.empty()) return;
    const auto at = dice_.Any(waiting_);
    EXPECT_TRUE(model_.GiveUp((*at)->task, Refusal::kWaitTimeout));
    fifo_.GiveUp((*at)->waiter, Refusal::kWaitTimeout);
    waiting_.erase(at);
  }

  void Control() {
    Serve();
    switch (dice_.Below(8)) {
      case 0:
      case 1:
      case 2:
        limits_ = RandomLimits();
        model_.Resize(limits_);
        fifo_.Resize(limits_);
        break;
      case 3:
        model_.Pause();
        fifo_.Pause();
        break;
      case 4:
      case 5:
        model_.Resume();
        fifo_.Resume();
        break;
      case 6:
        if (!dice_.OneIn(3)) break;
        model_.Drain();
        fifo_.Drain();
        break;
      default:
        if (dice_.OneIn(4)) TakeQueued();
    }
    RefuseAndServe();
    if (dice_.OneIn(model_.closed ? 10 : 150)) {
      const bool run_queued = dice_.OneIn(2);
      model_.Close(run_queued);
      fifo_.Close(run_queued);
    }
    RefuseAndServe();
  }

  void RefuseAndServe() {
    while (fifo_.RefuseNext() != nullptr) {
    }
    Serve();
  }

  void TakeQueued() {
    const std::vector<Task*> expected = model_.TakeQueued();
    EXPECT_EQ(fifo_.TakeQueued(), expected);
  }

  void Compare() {
    Serve();
    const PoolStats stats = fifo_.Read();
    EXPECT_EQ(stats.queued, model_.Count(Model::State::kQueued));
    EXPECT_EQ(stats.active, model_.Count(Model::State::kActive));
    EXPECT_EQ(stats.places_taken, stats.active);
    EXPECT_EQ(stats.waiting, model_.Count(Model::State::kWaiting));
    EXPECT_EQ(stats.accepted, model_.accepted);
    EXPECT_EQ(stats.refused, model_.refused);
    EXPECT_EQ(stats.finished, model_.finished);
    EXPECT_EQ(stats.withdrawn, model_.withdrawn);
    EXPECT_EQ(stats.accepted, stats.queued + stats.active + stats.finished + stats.withdrawn);
    EXPECT_EQ(stats.queued_peak, model_.peaks.queued_peak);
    EXPECT_EQ(stats.active_peak, model_.peaks.active_peak);
    EXPECT_EQ(stats.oldest_queued.has_value(), stats.queued > 0);
    EXPECT_EQ(stats.paused, model_.paused);
    EXPECT_EQ(stats.draining, model_.draining);
    EXPECT_EQ(stats.closed, model_.closed);
    EXPECT_EQ(fifo_.Idle(), model_.Idle());
  }

  Dice dice_;
  PoolLimits limits_;
  Fifo fifo_;
  Model model_;
  std::deque<Post> posts_;
  std::vector<Post*> waiting_;
  std::vector<Fifo::Taken> in_hands_;
  std::set<std::uint32_t> numbers_;
  std::uint64_t ticket_ = 0;
};

TEST(FifoModelTest, RandomOperationsAgreeWithThePlainModel) { RunSeeds<FifoModelRun>(600, 1000); }

}  // namespace
}  // namespace workpool
