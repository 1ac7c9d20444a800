// The rules of admission, one by one, by example; docs/admission.md states them. This file: what is
// accepted and in which order it starts.
#include "pool/admission.h"

#include <gtest/gtest.h>

#include <vector>

#include "fakes/idle_task.h"
#include "unit/pool/admission_steps.h"

namespace workpool {
namespace {

TEST(AdmissionTest, StartsWhileAPlaceIsFreeThenQueuesThenRefuses) {
  Admission admission({.workers = 2, .capacity = 1});
  IdleTask a, b, c, d;
  EXPECT_EQ(Try(admission, a), Verdict::kStarted);
  EXPECT_EQ(Try(admission, b), Verdict::kStarted);
  EXPECT_EQ(Try(admission, c), Verdict::kQueued);
  const OfferResult refused = admission.Offer(d, WhenFull::kReject);
  EXPECT_EQ(refused.verdict, Verdict::kRefused);
  EXPECT_EQ(refused.refusal, Refusal::kQueueFull);
  const PoolStats stats = admission.Read();
  EXPECT_EQ(stats.active, 2u);
  EXPECT_EQ(stats.queued, 1u);
  EXPECT_EQ(stats.accepted, 3u);
  EXPECT_EQ(stats.refused[static_cast<std::size_t>(Refusal::kQueueFull)], 1u);
  EXPECT_EQ(stats.Posted(), 4u);
}

TEST(AdmissionTest, CapacityZeroAcceptsExactlyWhatCanStartNow) {
  Admission admission({.workers = 1, .capacity = 0});
  IdleTask a, b;
  EXPECT_EQ(Try(admission, a), Verdict::kStarted);
  EXPECT_EQ(Try(admission, b), Verdict::kRefused);
  admission.Finish(admission.TakeReady().place);
  EXPECT_EQ(Try(admission, b), Verdict::kStarted);
  EXPECT_EQ(admission.Read().queued_peak, 0u);
}

TEST(AdmissionTest, AHigherPriorityGoesFirstAndEqualsInTheOrderOfAcceptance) {
  Admission admission({.workers = 1, .capacity = 10});
  admission.Pause();
  IdleTask low(0), mid1(5), mid2(5), high1(9), high2(9);
  for (IdleTask* task : {&low, &mid1, &high1, &mid2, &high2}) Try(admission, *task);
  admission.Resume();
  EXPECT_EQ(RunAll(admission), (std::vector<Task*>{&high1, &high2, &mid1, &mid2, &low}));
}

TEST(AdmissionTest, TheQueueIsBoundedInBytes) {
  Admission admission({.workers = 1, .capacity = 10, .capacity_bytes = 10});
  IdleTask active(5, 10), a(5, 6), b(5, 5), c(5, 4);
  EXPECT_EQ(Try(admission, active), Verdict::kStarted);  // counts nothing while it runs
  EXPECT_EQ(Try(admission, a), Verdict::kQueued);
  EXPECT_EQ(Try(admission, b), Verdict::kRefused);
  EXPECT_EQ(Try(admission, c), Verdict::kQueued);
  EXPECT_EQ(admission.Read().queued_bytes, 10u);
}

TEST(AdmissionTest, ATaskThatAloneExceedsTheBytesIsTooLargeEvenForAFreePlace) {
  Admission admission({.workers = 1, .capacity = 10, .capacity_bytes = 10});
  IdleTask task(5, 11);
  const OfferResult result = admission.Offer(task, WhenFull::kWait);
  EXPECT_EQ(result.verdict, Verdict::kRefused);
  EXPECT_EQ(result.refusal, Refusal::kTooLarge);
}

TEST(AdmissionTest, PeaksAreExactAndWindowsBeginAtThePresent) {
  Admission admission({.workers = 2, .capacity = 5});
  std::vector<IdleTask> tasks(4);
  PeakWindow window;
  admission.AddWindow(window);
  for (IdleTask& task : tasks) Try(admission, task);
  EXPECT_EQ(window.active_peak, 2u);
  EXPECT_EQ(window.queued_peak, 2u);
  admission.Finish(admission.TakeReady().place);
  admission.ResetWindow(window);
  EXPECT_EQ(window.active_peak, 2u);
  EXPECT_EQ(window.queued_peak, 1u);
  RunAll(admission);
  EXPECT_EQ(window.queued_peak, 1u);
  EXPECT_EQ(admission.Read().queued_peak, 2u);
  admission.RemoveWindow(window);
  IdleTask more;
  window = {};
  Try(admission, more);
  EXPECT_EQ(window.active_peak, 0u);
}

TEST(AdmissionTest, AFinishedTaskMayBeOfferedAgain) {
  Admission admission({.workers = 1, .capacity = 0});
  IdleTask task;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(Try(admission, task), Verdict::kStarted);
    admission.Finish(admission.TakeReady().place);
  }
  EXPECT_EQ(admission.Read().finished, 3u);
}

TEST(AdmissionDeathTest, WhatOnlyABugCanDoAborts) {
  EXPECT_DEATH(Admission({.workers = 0}), "impossible");
  Admission admission({.workers = 1, .capacity = 1});
  IdleTask urgent(kPriorities);
  EXPECT_DEATH(admission.Offer(urgent, WhenFull::kReject), "impossible");
  IdleTask twice;
  Try(admission, twice);
  EXPECT_DEATH(admission.Offer(twice, WhenFull::kReject), "impossible");
  EXPECT_DEATH(Admission({.workers = 1}).Finish({0}), "impossible");
}

}  // namespace
}  // namespace workpool
