#include "runtime/event_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <future>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

namespace workpool {
namespace {

using std::chrono::steady_clock;
using namespace std::chrono_literals;

// A bound on a hang, not a time to wait.
constexpr auto kHang = 30s;

template <typename T>
T Get(std::future<T> future) {
  if (future.wait_for(kHang) != std::future_status::ready) {
    ADD_FAILURE() << "nothing happened";
    std::abort();
  }
  return future.get();
}

TEST(EventLoopTest, RunsPostedTasksInOrderOnItsThread) {
  EventLoop loop;
  std::vector<int> seen;
  std::promise<std::thread::id> done;
  loop.Post([&] { seen.push_back(1); });
  loop.Start();
  loop.Post([&] { seen.push_back(2); });
  loop.Post([&] { done.set_value(std::this_thread::get_id()); });
  EXPECT_NE(Get(done.get_future()), std::this_thread::get_id());
  EXPECT_EQ(seen, (std::vector{1, 2}));
}

TEST(EventLoopTest, GoesOnAfterATaskThatThrows) {
  EventLoop loop;
  loop.Start();
  loop.Post([] { throw std::runtime_error("oops"); });
  loop.Post([] { throw 7; });
  std::promise<void> done;
  loop.Post([&] { done.set_value(); });
  Get(done.get_future());
}

TEST(EventLoopTest, AlarmRingsNotBeforeItsTime) {
  EventLoop loop;
  std::promise<steady_clock::time_point> rung;
  Alarm& alarm = loop.MakeAlarm([&] { rung.set_value(steady_clock::now()); });
  loop.Start();
  const auto when = steady_clock::now() + 20ms;
  alarm.RingAt(when);
  EXPECT_GE(Get(rung.get_future()), when);
}

TEST(EventLoopTest, EarlierInstantReplacesLaterOne) {
  EventLoop loop;
  std::promise<void> rung;
  Alarm& alarm = loop.MakeAlarm([&] { rung.set_value(); });
  loop.Start();
  alarm.RingAt(steady_clock::now() + 1h);
  alarm.RingAt(steady_clock::now());
  Get(rung.get_future());
}

TEST(EventLoopTest, LaterInstantDoesNotReplaceEarlierOne) {
  EventLoop loop;
  std::promise<void> rung;
  Alarm& alarm = loop.MakeAlarm([&] { rung.set_value(); });
  alarm.RingAt(steady_clock::now() + 1ms);
  alarm.RingAt(steady_clock::now() + 1h);
  loop.Start();
  Get(rung.get_future());
}

TEST(EventLoopTest, AlarmMayBeSetAnewWhileItRings) {
  EventLoop loop;
  std::promise<void> third;
  int rings = 0;
  Alarm* alarm = nullptr;
  alarm = &loop.MakeAlarm([&] {
    if (++rings == 3) return third.set_value();
    alarm->RingAt(steady_clock::now());
  });
  loop.Start();
  alarm->RingAt(steady_clock::now());
  Get(third.get_future());
}

TEST(EventLoopTest, AlarmRingsWhenSetFromManyThreads) {
  EventLoop loop;
  std::atomic<int> rings = 0;
  std::promise<void> first;
  Alarm& alarm = loop.MakeAlarm([&] {
    if (rings++ == 0) first.set_value();
  });
  loop.Start();
  {
    std::vector<std::jthread> setters;
    for (int i = 0; i < 4; ++i) {
      setters.emplace_back([&alarm] {
        for (int n = 0; n < 100; ++n) alarm.RingAt(steady_clock::now() + n * 1us);
      });
    }
  }
  Get(first.get_future());
}

TEST(EventLoopTest, DeliversSignalsOnTheLoop) {
  EventLoop loop;
  std::vector<int> signals;
  std::promise<void> all;
  loop.OnSignal([&](int signal) {
    signals.push_back(signal);
    if (signals.size() == 3) all.set_value();
  });
  // Sent before the start: kept.
  ::kill(::getpid(), SIGHUP);
  loop.Start();
  ::kill(::getpid(), SIGTERM);
  ::kill(::getpid(), SIGINT);
  Get(all.get_future());
  EXPECT_THAT(signals, testing::UnorderedElementsAre(SIGHUP, SIGTERM, SIGINT));
}

TEST(EventLoopTest, SurvivesSigpipe) {
  EventLoop loop;
  int fds[2];
  ASSERT_EQ(::pipe(fds), 0);
  ::close(fds[0]);
  EXPECT_EQ(::write(fds[1], "x", 1), -1);
  EXPECT_EQ(errno, EPIPE);
  ::close(fds[1]);
}

TEST(EventLoopTest, StopDropsWhatIsPendingAndMayBeRepeated) {
  EventLoop loop;
  bool rung = false;
  Alarm& alarm = loop.MakeAlarm([&] { rung = true; });
  loop.Start();
  alarm.RingAt(steady_clock::now() + 1h);
  loop.Stop();
  loop.Stop();
  loop.Post([&] { rung = true; });
  alarm.RingAt(steady_clock::now());
  EXPECT_FALSE(rung);
}

TEST(EventLoopTest, DestroysTasksThatNeverRan) {
  auto token = std::make_shared<int>();
  std::weak_ptr<int> watch = token;
  {
    EventLoop loop;
    loop.Post([token = std::move(token)] {});
  }
  EXPECT_TRUE(watch.expired());
}

}  // namespace
}  // namespace workpool
