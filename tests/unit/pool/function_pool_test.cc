// A pool whose function is given once. What it shares with WorkPool is tested there.
#include "pool/function_pool.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <stdexcept>
#include <thread>

#include "unit/pool/gate.h"

namespace workpool {
namespace {

TEST(FunctionPoolTest, CallsItsFunctionWithEachValueItAccepts) {
  std::atomic<int> sum = 0;
  {
    FunctionPool<std::unique_ptr<int>> pool(
        {.workers = 3, .capacity = 1000},
        [&](std::unique_ptr<int> value, Worker&) { sum += *value; });
    for (int i = 1; i <= 100; ++i) EXPECT_TRUE(pool.TryInvoke(std::make_unique<int>(i)));
  }
  EXPECT_EQ(sum, 5050);
}

TEST(FunctionPoolTest, SaysWhenItIsFullAndWaitsForRoomWhenAsked) {
  Gate gate;
  FunctionPool<int> pool({.workers = 1, .capacity = 1},
                         [&](int value, Worker&) { EXPECT_TRUE(value != 1 || gate.Pass()); });
  EXPECT_TRUE(pool.TryInvoke(1));
  EXPECT_TRUE(pool.TryInvoke(2));
  EXPECT_EQ(pool.TryInvoke(3).error(), Refusal::kQueueFull);
  EXPECT_EQ(pool.Invoke(3, std::chrono::steady_clock::now()).error(), Refusal::kWaitTimeout);
  std::jthread poster([&] { EXPECT_TRUE(pool.Invoke(3)); });
  EXPECT_TRUE(Eventually([&] { return pool.Read().waiting == 1; }));
  gate.Open();
  poster.join();
  pool.Stop(kForEver);
  EXPECT_EQ(pool.Read().finished, 3u);
  EXPECT_EQ(pool.TryInvoke(4).error(), Refusal::kDraining);
}

TEST(FunctionPoolTest, ExceptionsAreCountedAndTheWorkerLives) {
  std::atomic<int> reported = 0;
  FunctionPool<int> pool(
      {.workers = 1,
       .capacity = 5,
       .on_exception = [&](std::exception_ptr, const std::string&) { ++reported; }},
      [](int value, Worker&) {
        if (value % 2 == 1) throw std::runtime_error("odd");
      });
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(pool.TryInvoke(i));
  pool.Stop(kForEver);
  EXPECT_EQ(pool.exceptions(), 2u);
  EXPECT_EQ(reported, 2);
  EXPECT_EQ(pool.Read().finished, 5u);
}

// System E's shape: many workers, few threads.
TEST(FunctionPoolTest, ManyWorkersThatDeferNeedFewThreads) {
  constexpr int kWorkers = 50'000;
  std::mutex mutex;
  std::vector<Completion> held;
  std::set<std::uint32_t> numbers;
  FunctionPool<int> pool({.workers = kWorkers, .capacity = 0, .threads = {.max = 2}},
                         [&](int, Worker& worker) {
                           const std::lock_guard<std::mutex> lock(mutex);
                           numbers.insert(worker.number());
                           held.push_back(worker.Defer());
                         });
  for (int i = 0; i < kWorkers; ++i) ASSERT_TRUE(pool.TryInvoke(i));
  EXPECT_FALSE(pool.TryInvoke(0));
  EXPECT_TRUE(Eventually([&] {
    const std::lock_guard<std::mutex> lock(mutex);
    return held.size() == kWorkers;
  }));
  EXPECT_EQ(numbers.size(), static_cast<std::size_t>(kWorkers));
  EXPECT_EQ(*numbers.rbegin(), kWorkers - 1u);
  EXPECT_EQ(pool.Read().active, static_cast<std::uint64_t>(kWorkers));
  EXPECT_LE(pool.threads_started(), 2u);
  held.clear();
  EXPECT_TRUE(pool.TryInvoke(0));
  EXPECT_TRUE(Eventually([&] {
    const std::lock_guard<std::mutex> lock(mutex);
    return held.size() == 1;
  }));
  held.clear();
}

TEST(FunctionPoolTest, MisuseIsToldByExceptions) {
  const auto nothing = [](int, Worker&) {};
  EXPECT_THROW(FunctionPool<int>({.workers = 0}, nothing), std::invalid_argument);
  EXPECT_THROW(FunctionPool<int>({.priorities = true}, nothing), std::invalid_argument);
  EXPECT_THROW(FunctionPool<int>({.capacity_bytes = 1}, nothing), std::invalid_argument);
  EXPECT_THROW(FunctionPool<int>({}, nullptr), std::invalid_argument);
  FunctionPool<int> pool({}, nothing);
  EXPECT_THROW(pool.Resize(0, 1), std::invalid_argument);
}

}  // namespace
}  // namespace workpool
