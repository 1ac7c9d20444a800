// Random operations on Admission and on the plain model, compared after each step. Every second run
// has neither weights nor limits, as most pools.
#include "unit/pool/admission_model.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <set>
#include <vector>

#include "fakes/idle_task.h"
#include "unit/pool/model_run.h"

namespace workpool {
namespace {

using Model = AdmissionModel;

class ModelRun {
 public:
  explicit ModelRun(std::uint64_t seed)
      : plain_(seed % 2 == 0), dice_(seed), limits_(RandomLimits()) {
    admission_ = std::make_unique<Admission>(limits_);
    model_ = std::make_unique<Model>(limits_);
    admission_->AddWindow(window_);
  }

  void Steps(int count) {
    for (int i = 0; i < count && !testing::Test::HasFailure(); ++i) {
      Step();
      Compare();
    }
  }

 private:
  // One task in the tests' hands, from Offer until it is known to be done with.
  IdleTask& NewTask() {
    tasks_.push_back(
        std::make_unique<IdleTask>(dice_.Pick({0, 4, 5, 5, 9}), dice_.Pick({0, 0, 1, 3, 10, 21})));
    if (!plain_) {
      tasks_.back()->weight = dice_.Pick<std::uint32_t>({1, 1, 1, 2, 3, 8});
      const auto group = static_cast<std::size_t>(dice_.Below(5));
      if (group < groups_.size()) tasks_.back()->group = &groups_[group];
    }
    return *tasks_.back();
  }
  PoolLimits RandomLimits() {
    return {.workers = dice_.Pick<std::uint32_t>({1, 1, 2, 3, 8}),
            .max_weight = dice_.Pick<std::uint32_t>({0, 0, 3, 9}),
            .capacity = dice_.Pick<std::uint64_t>({0, 0, 1, 2, 5, 12}),
            .capacity_bytes = dice_.Pick<std::uint64_t>({2, 10, 20, 60}),
            .max_waiting = dice_.Pick<std::uint64_t>({0, 1, 4, 20})};
  }
  Task* RandomTask() { return tasks_.empty() ? nullptr : dice_.Any(tasks_)->get(); }
  void Forget(const Task* task) {
    std::erase_if(tasks_, [task](const auto& kept) { return kept.get() == task; });
  }

  void Step() {
    const int what = dice_.Below(100);
    if (what < 40) {
      Offer();
    } else if (what < 65) {
      TakeReadyOrFinish();
    } else if (what < 80) {
      Tell();
    } else if (what < 90) {
      OnRandomTask();
    } else {
      Control();
    }
  }

  void Offer() {
    IdleTask& task = NewTask();
    const WhenFull when_full = dice_.OneIn(2) ? WhenFull::kReject : WhenFull::kWait;
    const bool publish = !dice_.OneIn(4);
    const OfferResult expected = model_->Offer(task, when_full, publish);
    const bool waits = expected.verdict == Verdict::kWaiting;
    std::optional<OfferResult> result;
    if (when_full == WhenFull::kWait && dice_.OneIn(2)) {
      result = admission_->OfferUnlessWait(task, publish);
      EXPECT_EQ(result.has_value(), !waits);
    }
    const OfferResult actual = result ? *result : admission_->Offer(task, when_full, publish);
    EXPECT_EQ(actual.verdict, expected.verdict);
    EXPECT_EQ(actual.refusal, expected.refusal);
    if (actual.verdict == Verdict::kRefused) Forget(&task);
  }

  void TakeReadyOrFinish() {
    if (dice_.OneIn(2)) {
      const Admission::Started started = admission_->TakeReady();
      EXPECT_EQ(started.task, model_->TakeReady(started.place.worker));
      if (started.task == nullptr) return;
      EXPECT_TRUE(numbers_in_hands_.insert(started.place.worker).second);
      in_hands_.push_back(started);
    } else if (!in_hands_.empty()) {
      const auto at = dice_.Any(in_hands_);
      const Admission::Started done = *at;
      in_hands_.erase(at);
      numbers_in_hands_.erase(done.place.worker);
      model_->Finish(*done.task);
      admission_->Finish(done.place);
      Forget(done.task);
    }
  }

  void Tell() {
    if (!dice_.OneIn(3)) {
      const Admission::Notice notice = admission_->TakeNotice();
      const auto expected = model_->TakeNotice(notice.ticket);
      ASSERT_EQ(notice.task, expected ? expected->task : nullptr);
      if (!expected) return;
      EXPECT_EQ(notice.accepted, expected->accepted);
      if (notice.accepted) {
        telling_.push_back(notice.ticket);
      } else {
        EXPECT_EQ(notice.refusal, expected->refusal);
        Forget(notice.task);
      }
    } else if (!telling_.empty()) {
      const auto at = dice_.Any(telling_);
      model_->SetTold(*at);
      admission_->Told(*at);
      telling_.erase(at);
    }
  }

  // Also tasks that are in hands or whose refusal is on its way: nothing must happen to them.
  void OnRandomTask() {
    Task* task = RandomTask();
    if (task == nullptr) return;
    const int what = dice_.Below(6);
    if (what < 3) {
      model_->Publish(*task);
      admission_->Publish(*task);
      return;
    }
    bool expected = false;
    bool actual = false;
    if (what == 3) {
      expected = model_->Withdraw(*task, Refusal::kCancelled);
      actual = admission_->Withdraw(*task, Refusal::kCancelled);
    } else if (what == 4) {
      expected = model_->GiveUp(*task, Refusal::kWaitTimeout);
      actual = admission_->GiveUp(*task, Refusal::kWaitTimeout);
    } else {
      expected = model_->Revoke(*task, Refusal::kStore);
      actual = admission_->Revoke(*task, Refusal::kStore);
    }
    EXPECT_EQ(actual, expected);
    if (actual) Forget(task);
  }

  void Control() {
    switch (dice_.Below(11)) {
      case 0:
      case 1:
      case 2:
        limits_ = RandomLimits();
        model_->Resize(limits_);
        admission_->Resize(limits_);
        break;
      case 3:
        model_->Pause();
        admission_->Pause();
        break;
      case 4:
      case 5:
        model_->Resume();
        admission_->Resume();
        break;
      case 6:
        if (!dice_.OneIn(3)) break;
        model_->Drain();
        admission_->Drain();
        break;
      case 7:
        if (!dice_.OneIn(4)) break;
        TakeQueued();
        break;
      case 8:
      case 9: Limit(); break;
      default:
        model_->window = {model_->Count(Model::State::kQueued),
                          model_->Count(Model::State::kActive)};
        admission_->ResetWindow(window_);
    }
    if (dice_.OneIn(model_->closed ? 10 : 150)) Close();
  }

  void TakeQueued() {
    const std::vector<Task*> expected = model_->TakeQueued();
    EXPECT_EQ(admission_->TakeQueued(), expected);
    for (const Task* task : expected) Forget(task);
  }

  void Limit() {
    if (plain_) return;
    LimitGroup& group = *dice_.Any(groups_);
    const auto max_active = dice_.Pick<std::uint64_t>({0, 1, 1, 2, 3});
    model_->Limit(group, max_active);
    admission_->Limit(group, max_active);
  }

  void Close() {
    const bool run_queued = dice_.OneIn(2);
    model_->Close(run_queued);
    admission_->Close(run_queued);
  }

  void Compare() {
    const PoolStats stats = admission_->Read();
    EXPECT_EQ(stats.queued, model_->Count(Model::State::kQueued));
    EXPECT_EQ(stats.queued_bytes, model_->Bytes(Model::State::kQueued));
    EXPECT_EQ(stats.active, model_->Count(Model::State::kActive));
    EXPECT_EQ(stats.places_taken, model_->PlacesTaken());
    EXPECT_EQ(stats.waiting, model_->Count(Model::State::kWaiting));
    EXPECT_EQ(stats.waiting_bytes, model_->Bytes(Model::State::kWaiting));
    EXPECT_EQ(stats.accepted, model_->accepted);
    EXPECT_EQ(stats.refused, model_->refused);
    EXPECT_EQ(stats.finished, model_->finished);
    EXPECT_EQ(stats.withdrawn, model_->withdrawn);
    EXPECT_EQ(stats.accepted, stats.queued + stats.active + stats.finished + stats.withdrawn);
    EXPECT_EQ(stats.queued_peak, model_->peaks.queued_peak);
    EXPECT_EQ(stats.active_peak, model_->peaks.active_peak);
    EXPECT_EQ(window_.queued_peak, model_->window.queued_peak);
    EXPECT_EQ(window_.active_peak, model_->window.active_peak);
    EXPECT_EQ(stats.paused, model_->paused);
    EXPECT_EQ(stats.draining, model_->draining);
    EXPECT_EQ(stats.closed, model_->closed);
    EXPECT_EQ(admission_->Idle(), model_->Idle());
    EXPECT_EQ(admission_->HasNotice(), !model_->notices.empty());
  }

  const bool plain_;
  Dice dice_;
  PoolLimits limits_;
  std::array<LimitGroup, 3> groups_;
  std::unique_ptr<Admission> admission_;
  std::unique_ptr<Model> model_;
  PeakWindow window_;
  std::vector<std::unique_ptr<IdleTask>> tasks_;
  std::vector<Admission::Started> in_hands_;
  std::set<std::uint32_t> numbers_in_hands_;
  std::vector<std::uint64_t> telling_;
};

TEST(AdmissionModelTest, RandomOperationsAgreeWithThePlainModel) { RunSeeds<ModelRun>(400, 1000); }

}  // namespace
}  // namespace workpool
