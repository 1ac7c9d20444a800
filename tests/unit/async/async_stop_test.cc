// Telling a coroutine to stop: the stop token, Asio's cancellation, and the races around them.
#include <gtest/gtest.h>

#include <asio/experimental/awaitable_operators.hpp>
#include <atomic>
#include <future>
#include <thread>
#include <vector>

#include "unit/async/coroutines.h"

namespace workpool {
namespace {

using namespace std::chrono_literals;

constexpr auto kHang = 60s;  // a bound on a hang

// Tells `attempt` to stop when `function`'s coroutine has begun, and waits for its end.
Outcome StopWhenItRuns(std::function<asio::awaitable<Outcome>(JobContext&)> function) {
  AsyncHandlers async;
  std::promise<void> runs;
  const auto attempt =
      Begin(async, [&](const Job&, JobContext& context) -> asio::awaitable<Outcome> {
        runs.set_value();
        co_return co_await function(context);
      });
  EXPECT_EQ(runs.get_future().wait_for(kHang), std::future_status::ready);
  attempt->RequestStop();
  return attempt->WaitForOutcome().value();
}

TEST(AsyncStopTest, CancelsWhatTheCoroutineWaitsFor) {
  const Outcome outcome = StopWhenItRuns([](JobContext&) -> asio::awaitable<Outcome> {
    co_await Pause(1h);
    co_return "never";
  });
  EXPECT_FALSE(outcome.success());
  EXPECT_EQ(outcome.code(), "STOPPED");
  EXPECT_EQ(outcome.message(), "");  // why it was stopped is said by who told it to
}

TEST(AsyncStopTest, CancelsAllThatItWaitsForAtOnce) {
  using asio::experimental::awaitable_operators::operator&&;
  const Outcome outcome = StopWhenItRuns([](JobContext&) -> asio::awaitable<Outcome> {
    co_await (Pause(1h) && Pause(2h));
    co_return "never";
  });
  EXPECT_FALSE(outcome.success());
}

TEST(AsyncStopTest, ItMayCleanUpAndStillHaveAResult) {
  const Outcome outcome = StopWhenItRuns([](JobContext& context) -> asio::awaitable<Outcome> {
    try {
      co_await Pause(1h);
    } catch (const std::system_error&) {
    }
    co_await asio::this_coro::reset_cancellation_state();
    co_await Pause(1ms);
    co_return context.stop_token().stop_requested() ? "cleaned up" : "not told";
  });
  EXPECT_EQ(outcome.result(), "cleaned up");
}

TEST(AsyncStopTest, ItMayLookAtTheStopTokenInstead) {
  const Outcome outcome = StopWhenItRuns([](JobContext& context) -> asio::awaitable<Outcome> {
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    while (!context.stop_token().stop_requested()) co_await Pause(1ms);
    co_return "looked";
  });
  EXPECT_EQ(outcome.result(), "looked");
}

TEST(AsyncStopTest, AnAbortedOperationThatNobodyAskedForIsAFailureWithItsText) {
  AsyncHandlers async;
  const auto attempt = Begin(async, [](const Job&, JobContext&) -> asio::awaitable<Outcome> {
    throw std::system_error(asio::error::make_error_code(asio::error::operation_aborted), "mine");
    co_return "";
  });
  const Outcome outcome = attempt->WaitForOutcome().value();
  EXPECT_EQ(outcome.code(), "FAILED");
  EXPECT_NE(outcome.message().find("mine"), std::string::npos);
}

TEST(AsyncStopTest, ToldBeforeItBegins) {
  AsyncHandlers async;
  const auto attempt = std::make_shared<FakeAttempt>();
  attempt->RequestStop();
  async
      .Make([](const Job&, JobContext&) -> asio::awaitable<Outcome> {
        co_await Pause(1h);
        co_return "never";
      })
      ->Run(attempt);
  EXPECT_EQ(attempt->WaitForOutcome()->code(), "STOPPED");
}

TEST(AsyncStopTest, StopsAndEndsAtOnceFinishOnce) {
  AsyncHandlers async({.threads = 2});
  const auto handler = async.Make([](const Job&, JobContext&) -> asio::awaitable<Outcome> {
    co_await Pause(20us);
    co_return "in time";
  });
  for (int round = 0; round < 300; ++round) {
    std::vector<std::shared_ptr<FakeAttempt>> attempts;
    for (int i = 0; i < 10; ++i) attempts.push_back(Begin(*handler));
    std::thread stopper([&] {
      for (const auto& attempt : attempts) attempt->RequestStop();
    });
    for (const auto& attempt : attempts) {
      const Outcome outcome = attempt->WaitForOutcome().value();
      ASSERT_TRUE(outcome.success() || outcome.code() == "STOPPED") << outcome.message();
      ASSERT_EQ(attempt->finishes(), 1);
    }
    stopper.join();
  }
}

}  // namespace
}  // namespace workpool
