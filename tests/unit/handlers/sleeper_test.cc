#include "handlers/sleeper.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "fakes/fake_attempt.h"
#include "fakes/manual_alarm.h"
#include "fakes/manual_clock.h"

namespace workpool {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

class SleeperTest : public ::testing::Test {
 protected:
  std::shared_ptr<FakeAttempt> Nap(nanoseconds duration) {
    auto attempt = std::make_shared<FakeAttempt>();
    sleeper_.Nap(attempt, duration);
    return attempt;
  }

  ManualClock clock_;
  ManualAlarm alarm_;
  Sleeper sleeper_{clock_, alarm_};
};

TEST_F(SleeperTest, SetsTheAlarmForTheFirstToEnd) {
  Nap(milliseconds(20));
  EXPECT_EQ(alarm_.next(), clock_.Now() + milliseconds(20));
  Nap(milliseconds(10));
  EXPECT_EQ(alarm_.next(), clock_.Now() + milliseconds(10));
}

TEST_F(SleeperTest, EndsManyInTurnsSoThatOthersHaveTheirs) {
  std::vector<std::shared_ptr<FakeAttempt>> naps;
  for (std::size_t i = 0; i < Sleeper::kTurn + 1; ++i) naps.push_back(Nap(milliseconds(10)));
  clock_.Advance(milliseconds(10));
  alarm_.Clear();
  sleeper_.Tick();
  EXPECT_TRUE(naps[Sleeper::kTurn - 1]->outcome());
  EXPECT_FALSE(naps.back()->outcome());
  EXPECT_EQ(alarm_.next(), clock_.Now());
  sleeper_.Tick();
  EXPECT_TRUE(naps.back()->outcome());
}

TEST_F(SleeperTest, LetsGoOfAnAttemptThatHasEnded) {
  std::weak_ptr<FakeAttempt> over = Nap(milliseconds(10));
  clock_.Advance(milliseconds(10));
  sleeper_.Tick();
  EXPECT_TRUE(over.expired());

  auto stopped = Nap(hours(1));
  stopped->RequestStop();
  const std::weak_ptr<FakeAttempt> watch = stopped;
  stopped.reset();
  EXPECT_TRUE(watch.expired());
}

TEST_F(SleeperTest, ToldToStopBeforeItBegins) {
  auto attempt = std::make_shared<FakeAttempt>();
  attempt->RequestStop();
  sleeper_.Nap(attempt, hours(1));
  EXPECT_EQ(attempt->outcome().value().code(), "STOPPED");
  clock_.Advance(hours(2));
  sleeper_.Tick();
  EXPECT_EQ(attempt->finishes(), 1);
}

TEST_F(SleeperTest, TheTimeAndAStopAtOnceEndItOnce) {
  for (int round = 0; round < 500; ++round) {
    const auto attempt = Nap(milliseconds(10));
    clock_.Advance(milliseconds(10));
    std::atomic<bool> go{false};
    std::thread stopper([&] {
      while (!go) std::this_thread::yield();
      attempt->RequestStop();
    });
    go = true;
    sleeper_.Tick();
    stopper.join();
    ASSERT_EQ(attempt->finishes(), 1);
  }
}

TEST_F(SleeperTest, ABeginAndItsEndsAtOnceEndItOnce) {
  for (int round = 0; round < 500; ++round) {
    const auto attempt = std::make_shared<FakeAttempt>();
    std::atomic<int> ready{0};
    const auto together = [&ready] {
      ++ready;
      while (ready < 3) std::this_thread::yield();
    };
    std::thread stopper([&] {
      together();
      attempt->RequestStop();
    });
    std::thread ticker([&] {
      together();
      sleeper_.Tick();
    });
    together();
    sleeper_.Nap(attempt, nanoseconds(0));
    stopper.join();
    ticker.join();
    ASSERT_EQ(attempt->finishes(), 1);
  }
}

}  // namespace
}  // namespace workpool
