#include "pool/room_wait.h"

#include <gtest/gtest.h>

#include <thread>

#include "unit/pool/gate.h"

namespace workpool {
namespace {

TEST(RoomWaitTest, WhatItIsToldEndsTheWait) {
  RoomWait wait;
  std::jthread pool([&] { wait.Tell(Refusal::kDraining); });
  const RoomWait::Outcome outcome = wait.Await(InTime(), {});
  EXPECT_TRUE(outcome.told);
  EXPECT_EQ(outcome.refusal, Refusal::kDraining);
}

TEST(RoomWaitTest, ADeadlineAndARequestToStopEndTheWaitUntold) {
  RoomWait wait;
  const RoomWait::Outcome late = wait.Await(std::chrono::steady_clock::now(), {});
  EXPECT_FALSE(late.told);
  EXPECT_EQ(late.refusal, Refusal::kWaitTimeout);

  std::stop_source stop;
  stop.request_stop();
  const RoomWait::Outcome stopped = wait.Await(std::nullopt, stop.get_token());
  EXPECT_FALSE(stopped.told);
  EXPECT_EQ(stopped.refusal, Refusal::kCancelled);
}

TEST(RoomWaitTest, AfterARequestToStopItStillWaitsForWhatThePoolHadDecided) {
  RoomWait wait;
  std::stop_source stop;
  stop.request_stop();
  ASSERT_FALSE(wait.Await(std::nullopt, stop.get_token()).told);
  std::jthread pool([&] { wait.Tell(std::nullopt); });
  EXPECT_EQ(wait.AwaitTold(), std::nullopt);
}

}  // namespace
}  // namespace workpool
