// What a coroutine gets, what becomes of what it returns or throws, and on which threads it runs.
#include "runtime/async_handlers.h"

#include <gtest/gtest.h>

#include <asio/post.hpp>
#include <filesystem>
#include <future>
#include <iterator>
#include <latch>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "unit/async/coroutines.h"

namespace workpool {
namespace {

using namespace std::chrono_literals;

constexpr auto kHang = 60s;  // a bound on a hang

std::ptrdiff_t ThreadsOfProcess() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

Outcome RunToEnd(AsyncFunction function) {
  AsyncHandlers async;
  return Begin(async, std::move(function))->WaitForOutcome().value();
}

TEST(AsyncHandlersTest, GivesTheJobAndItsContextAndReturnsTheResult) {
  AsyncHandlers async;
  const auto handler =
      async.Make([](const Job& job, JobContext& context) -> asio::awaitable<Outcome> {
        co_await Pause(1ms);
        co_return std::string(job.payload) + " " + std::to_string(context.worker());
      });
  EXPECT_TRUE(handler->brief());
  const auto attempt = Begin(*handler, "on worker");
  EXPECT_EQ(attempt->WaitForOutcome()->result(), "on worker 0");
}

TEST(AsyncHandlersTest, AFailureIsTheCoroutinesOwn) {
  const Outcome outcome = RunToEnd([](const Job&, JobContext&) -> asio::awaitable<Outcome> {
    co_return Outcome::NoRetry("no", "MINE");
  });
  EXPECT_TRUE(outcome.no_retry());
  EXPECT_EQ(outcome.code(), "MINE");
}

struct NoException {};

template <typename T>
AsyncFunction Throws(T what, bool after_a_wait) {
  return [what, after_a_wait](const Job&, JobContext&) -> asio::awaitable<Outcome> {
    if (after_a_wait) co_await Pause(0ms);
    throw what;
  };
}

TEST(AsyncHandlersTest, WhateverItThrowsFailsTheAttempt) {
  for (const bool after_a_wait : {false, true}) {
    EXPECT_EQ(RunToEnd(Throws(std::runtime_error("oops"), after_a_wait)).message(), "oops");
    EXPECT_EQ(RunToEnd(Throws(std::string("text"), after_a_wait)).message(), "text");
    EXPECT_EQ(RunToEnd(Throws("literal", after_a_wait)).message(), "literal");
    EXPECT_EQ(RunToEnd(Throws(NoException(), after_a_wait)).code(), "FAILED");
  }
}

TEST(AsyncHandlersTest, AFunctionMayThrowInsteadOfMakingACoroutine) {
  const Outcome outcome = RunToEnd([](const Job&, JobContext&) -> asio::awaitable<Outcome> {
    throw std::runtime_error("no coroutine");
  });
  EXPECT_EQ(outcome.message(), "no coroutine");
}

// Tells where and when it is destroyed.
struct Probe {
  std::promise<std::thread::id>* gone;
  const FakeAttempt* attempt;
  std::promise<bool>* finished_before;
  ~Probe() {
    finished_before->set_value(attempt->outcome().has_value());
    gone->set_value(std::this_thread::get_id());
  }
};

// A coroutine's parameters go with its frame, later than its variables.
asio::awaitable<Outcome> Hold(std::unique_ptr<Probe>) {
  co_await Pause(1ms);
  co_return "done";
}

TEST(AsyncHandlersTest, TheCoroutineIsDestroyedOnTheLoopBeforeTheAttemptIsFinished) {
  AsyncHandlers async({.threads = 1});
  std::promise<std::thread::id> ran;
  std::promise<std::thread::id> gone;
  std::promise<bool> finished_before;
  const auto attempt = std::make_shared<FakeAttempt>();
  async
      .Make([&](const Job&, JobContext&) {
        ran.set_value(std::this_thread::get_id());
        return Hold(std::unique_ptr<Probe>(new Probe{&gone, attempt.get(), &finished_before}));
      })
      ->Run(attempt);
  ASSERT_EQ(attempt->WaitForOutcome()->result(), "done");
  EXPECT_FALSE(finished_before.get_future().get());
  const std::thread::id loop = ran.get_future().get();
  EXPECT_NE(loop, std::this_thread::get_id());
  EXPECT_EQ(gone.get_future().get(), loop);
}

TEST(AsyncHandlersTest, ACoroutineThatNeverEndsIsDestroyedOnTheLoopWithIt) {
  std::promise<std::thread::id> ran;
  std::promise<std::thread::id> gone;
  std::promise<bool> finished_before;
  const auto attempt = std::make_shared<FakeAttempt>();
  {
    AsyncHandlers async({.threads = 1});
    std::promise<void> suspended;
    async
        .Make([&](const Job&, JobContext&) -> asio::awaitable<Outcome> {
          const Probe probe{&gone, attempt.get(), &finished_before};
          ran.set_value(std::this_thread::get_id());
          suspended.set_value();
          co_await Pause(1h);
          co_return "never";
        })
        ->Run(attempt);
    ASSERT_EQ(suspended.get_future().wait_for(kHang), std::future_status::ready);
  }
  EXPECT_EQ(gone.get_future().get(), ran.get_future().get());
  EXPECT_EQ(attempt.use_count(), 1);
  EXPECT_FALSE(attempt->outcome());
}

TEST(AsyncHandlersTest, AStepThatBlocksHoldsNobodyElseUp) {
  AsyncHandlers async({.threads = 2});
  std::latch release(1);
  std::latch blocked(1);
  const auto slow = Begin(async, [&](const Job&, JobContext&) -> asio::awaitable<Outcome> {
    blocked.count_down();
    release.wait();
    co_return "slow";
  });
  blocked.wait();
  for (int i = 0; i < 100; ++i) {
    const auto quick = Begin(async, [](const Job&, JobContext&) -> asio::awaitable<Outcome> {
      co_await Pause(0ms);
      co_return "quick";
    });
    EXPECT_EQ(quick->WaitForOutcome()->result(), "quick");
  }
  EXPECT_FALSE(slow->outcome());
  release.count_down();
  EXPECT_EQ(slow->WaitForOutcome()->result(), "slow");
}

TEST(AsyncHandlersTest, StartsItsThreadsWithTheFirstJobAndNoMore) {
  std::thread([] {}).join();  // a sanitizer starts one of its own with the first
  const std::ptrdiff_t before = ThreadsOfProcess();
  AsyncHandlers async({.threads = 3});
  EXPECT_EQ(ThreadsOfProcess(), before);
  const auto handler = async.Make([](const Job& job, JobContext&) -> asio::awaitable<Outcome> {
    co_await Pause(20ms);
    co_return job.payload;
  });
  std::vector<std::shared_ptr<FakeAttempt>> attempts;
  for (int i = 0; i < 10'000; ++i) attempts.push_back(Begin(*handler, std::to_string(i)));
  EXPECT_EQ(ThreadsOfProcess(), before + 3);
  for (int i = 0; i < 10'000; ++i) {
    ASSERT_EQ(attempts[static_cast<std::size_t>(i)]->WaitForOutcome()->result(), std::to_string(i));
  }
}

TEST(AsyncHandlersTest, GoesOnAfterATaskOnItsExecutorThrew) {
  AsyncHandlers async({.threads = 1});
  asio::post(async.executor(), [] { throw std::runtime_error("oops"); });
  asio::post(async.executor(), [] { throw 7; });
  const auto attempt = Begin(async, [](const Job&, JobContext&) -> asio::awaitable<Outcome> {
    co_await Pause(0ms);
    co_return "on";
  });
  EXPECT_EQ(attempt->WaitForOutcome()->result(), "on");
}

TEST(AsyncHandlersTest, RefusesMisuse) {
  EXPECT_THROW(AsyncHandlers({.threads = -1}), std::invalid_argument);
  AsyncHandlers async;
  EXPECT_THROW(async.Make(AsyncFunction()), std::invalid_argument);
}

}  // namespace
}  // namespace workpool
