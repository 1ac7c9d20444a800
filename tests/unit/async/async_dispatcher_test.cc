// Handlers that hold no thread, on the real dispatcher and pools: everything that can end a job at
// once. Runs under ThreadSanitizer.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "fakes/dispatcher_rig.h"
#include "fakes/eventually.h"
#include "handlers/builtin.h"
#include "pool/thread_pool.h"
#include "unit/async/coroutines.h"

namespace workpool {
namespace {

using namespace std::chrono_literals;

class AsyncDispatcherTest : public ::testing::Test {
 protected:
  ~AsyncDispatcherTest() override { Stop(); }

  // `nap`: a coroutine that waits for as many microseconds as its payload says; `deaf`: one that
  // ends when the test says, whatever it is told; and the built-in handlers.
  void Start(std::uint32_t workers) {
    DispatcherConfig config;
    config.pools = {MakePoolConfig("default", workers, 0)};
    config.handlers = BuiltinHandlers(sleeper_);
    config.handlers.push_back(MakeHandlerConfig("nap", "", async_.Make(Nap)));
    config.handlers.push_back(MakeHandlerConfig(
        "deaf", "", async_.Make([this](const Job&, JobContext&) -> asio::awaitable<Outcome> {
          co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
          runs_ = true;
          while (!release_) co_await Pause(1ms);
          co_return "released";
        })));
    dispatcher_ = std::make_unique<Dispatcher>(
        DispatcherPorts{clock_, *store_, observer_, alarm_,
                        [this](const std::string& name, const PoolLimits& limits) {
                          auto pool = std::make_unique<ThreadPool>(name, limits);
                          pool_ = pool.get();
                          return pool;
                        }},
        config);
    ticker_ = std::thread([this] {
      while (!stop_ticking_) {
        dispatcher_->Tick();
        sleeper_.Tick();
        std::this_thread::yield();
      }
    });
  }
  static asio::awaitable<Outcome> Nap(const Job& job, JobContext&) {
    co_await Pause(std::chrono::microseconds(std::stoll(std::string(job.payload))));
    co_return "woke";
  }
  // As the daemon does it.
  void Stop() {
    if (dispatcher_ == nullptr) return;
    dispatcher_->StopAccepting(false, [] {});
    dispatcher_->StopHandlers(1ms);
    EXPECT_TRUE(Eventually([&] { return Active() == 0; }));
    dispatcher_->GiveUp(0);
    EXPECT_TRUE(dispatcher_->JoinPools(std::chrono::steady_clock::now() + kHang));
    stop_ticking_ = true;
    ticker_.join();
    dispatcher_.reset();
  }

  JobId Post(Work work) {
    PostRequest request;
    request.work = std::move(work);
    request.finished = [this](Result<JobView> end) { ++(end ? finished_ : lost_); };
    JobId id = 0;
    dispatcher_->Post(std::move(request), [&](Result<Posted> posted) {
      EXPECT_TRUE(posted) << posted.error().message;
      id = posted ? posted->id : 0;
    });
    return id;
  }
  PoolView View() const { return *dispatcher_->Pool("default"); }
  std::uint64_t Active() const { return View().stats.active; }

  SystemClock clock_;
  ManualAlarm alarm_;  // the ticker never sleeps
  ManualAlarm sleeper_alarm_;
  Sleeper sleeper_{clock_, sleeper_alarm_};
  RecordingObserver observer_;
  std::unique_ptr<Store> store_ = MakeMemoryStore(clock_);
  AsyncHandlers async_{{.threads = 2}};
  std::atomic<bool> runs_{false};
  std::atomic<bool> release_{false};
  ThreadPool* pool_ = nullptr;
  std::unique_ptr<Dispatcher> dispatcher_;
  std::atomic<bool> stop_ticking_{false};
  std::thread ticker_;
  std::atomic<std::uint64_t> finished_{0};
  std::atomic<std::uint64_t> lost_{0};
};

TEST_F(AsyncDispatcherTest, ManyWorkersNeedFewThreads) {
  constexpr std::uint32_t kWorkers = 5000;
  Start(kWorkers);
  for (std::uint32_t i = 0; i < kWorkers; ++i) {
    Post(i % 2 == 0 ? MakeWork("sleep", "1h") : MakeWork("nap", "3600000000"));
  }
  EXPECT_EQ(Active(), kWorkers);
  EXPECT_LE(pool_->threads_started(), std::thread::hardware_concurrency() + 2);
  JobFilter odd;
  odd.handler = "nap";
  EXPECT_EQ(dispatcher_->CancelMatching(odd).cancelled, kWorkers / 2);
  EXPECT_TRUE(Eventually([&] { return finished_ == kWorkers / 2; }));
  EXPECT_EQ(Active(), kWorkers / 2);
}

TEST_F(AsyncDispatcherTest, EndsCancelsAndTimeoutsAtOnceEndEachJobOnce) {
  constexpr std::uint64_t kJobs = 3000;
  Start(kJobs);
  std::atomic<bool> stop{false};
  std::thread canceller([&] {
    for (JobId id = 1; !stop; id = id % (store_->LastId() + 1) + 1) {
      dispatcher_->Cancel(std::array{id});
    }
  });
  std::vector<std::thread> posters;
  for (std::uint64_t poster = 0; poster < 3; ++poster) {
    posters.emplace_back([&, poster] {
      for (std::uint64_t i = 0; i < kJobs / 3; ++i) {
        const std::string us = std::to_string(i % 200);
        Work work = (i + poster) % 2 == 0 ? MakeWork("sleep", us + "us") : MakeWork("nap", us);
        work.timeout = std::chrono::microseconds(1 + i % 200);
        Post(std::move(work));
      }
    });
  }
  for (std::thread& poster : posters) poster.join();
  EXPECT_TRUE(Eventually([&] { return finished_ == kJobs; }));
  stop = true;
  canceller.join();
  EXPECT_TRUE(Eventually([&] { return Active() == 0; }));
  EXPECT_EQ(View().finished, kJobs);
  EXPECT_EQ(View().workers_stuck, 0U);
}

TEST_F(AsyncDispatcherTest, AShutdownWhileTheyEndLosesCountOfNone) {
  constexpr std::uint64_t kJobs = 2000;
  Start(kJobs);
  for (std::uint64_t i = 0; i < kJobs; ++i) {
    const std::string us = std::to_string(i);
    Post(i % 2 == 0 ? MakeWork("sleep", us + "us") : MakeWork("nap", us));
  }
  Stop();
  EXPECT_EQ(finished_ + lost_, kJobs);
}

TEST_F(AsyncDispatcherTest, OneThatNeverEndsIsAStuckWorkerAndHoldsAShutdownUp) {
  Start(2);
  Post(MakeWork("deaf"));
  ASSERT_TRUE(Eventually([&] { return runs_.load(); }));
  dispatcher_->StopAccepting(false, [] {});
  dispatcher_->StopHandlers(1ms);
  EXPECT_TRUE(Eventually([&] { return View().workers_stuck == 1; }));
  EXPECT_EQ(dispatcher_->GiveUp(0).count, 1U);
  EXPECT_FALSE(dispatcher_->JoinPools(std::chrono::steady_clock::now() + 1ms));
  release_ = true;
}

}  // namespace
}  // namespace workpool
