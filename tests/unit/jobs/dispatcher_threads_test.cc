// Many threads at once on real pools: what the simulation cannot show. Runs under ThreadSanitizer.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "fakes/dispatcher_rig.h"
#include "fakes/eventually.h"
#include "fakes/manual_alarm.h"
#include "fakes/recording_observer.h"
#include "pool/thread_pool.h"
#include "stores/memory_store.h"

namespace workpool {
namespace {

using std::chrono::milliseconds;

class DispatcherThreadsTest : public ::testing::Test {
 protected:
  ~DispatcherThreadsTest() override {
    if (dispatcher_ == nullptr) return;
    StopTicking();
    dispatcher_->StopAccepting(false, [] {});
    dispatcher_->StopHandlers(milliseconds(100));
    dispatcher_->GiveUp(0);
    EXPECT_TRUE(dispatcher_->JoinPools(std::chrono::steady_clock::now() + kHang));
  }

  void Start(std::uint32_t workers, std::uint64_t capacity) {
    Start(MakePoolConfig("default", workers, capacity));
  }
  void Start(const PoolConfig& pool) {
    config_.pools = {pool};
    config_.pools.front().limits.max_waiting = 100'000;
    config_.handlers = {
        EchoConfig(), MakeHandlerConfig("held", "", held_),
        MakeHandlerConfig("call", "", MakeFunctionHandler([this](const Job& j, JobContext& c) {
                            return call_(j, c);
                          }))};
    dispatcher_ = std::make_unique<Dispatcher>(
        DispatcherPorts{clock_, *store_, observer_, alarm_,
                        [this](const std::string& name, const PoolLimits& limits) {
                          auto made = std::make_unique<ThreadPool>(name, limits);
                          pool_ = made.get();
                          return made;
                        }},
        config_);
    ticker_ = std::thread([this] {
      while (!stop_ticking_) {
        dispatcher_->Tick();
        std::this_thread::yield();
      }
    });
  }
  void StopTicking() {
    stop_ticking_ = true;
    if (ticker_.joinable()) ticker_.join();
  }

  // What many posts came to.
  struct Tally {
    std::atomic<std::uint64_t> accepted{0};
    std::atomic<std::uint64_t> full{0};
    std::atomic<std::uint64_t> refused{0};  // otherwise
    std::atomic<std::uint64_t> finished{0};
    std::atomic<std::uint64_t> ended{0};  // the wait ended without an outcome
    std::uint64_t answers() const { return accepted + full + refused; }
  };
  void Post(Tally& tally, Work work) {
    PostRequest request;
    request.work = std::move(work);
    request.finished = [&tally](Result<JobView> end) { ++(end ? tally.finished : tally.ended); };
    dispatcher_->Post(std::move(request), [&tally](Result<Posted> answer) {
      if (answer) {
        ++tally.accepted;
      } else {
        ++(answer.error().code == ErrorCode::kQueueFull ? tally.full : tally.refused);
      }
    });
  }
  static void InThreads(int threads, const std::function<void(int)>& body) {
    std::vector<std::thread> running;
    for (int i = 0; i < threads; ++i) running.emplace_back(body, i);
    for (auto& thread : running) thread.join();
  }
  PoolView View() const { return *dispatcher_->Pool("default"); }
  bool AtRest() const {
    const PoolView view = View();
    return view.stats.queued == 0 && view.stats.active == 0 &&
           view.stats.accepted == view.finished + view.deleted;
  }

  SystemClock clock_;
  ManualAlarm alarm_;
  RecordingObserver observer_;
  std::unique_ptr<Store> store_ = MakeMemoryStore(clock_);
  std::shared_ptr<HeldHandler> held_ = std::make_shared<HeldHandler>();
  HandlerFunction call_;
  DispatcherConfig config_;
  ThreadPool* pool_ = nullptr;  // the dispatcher's
  std::unique_ptr<Dispatcher> dispatcher_;
  std::atomic<bool> stop_ticking_{false};
  std::thread ticker_;
};

TEST_F(DispatcherThreadsTest, AnElasticPoolsThreadsEndWhenIdleAndAResizeKeepsThem) {
  PoolConfig elastic = MakePoolConfig("default", 8, 100);
  elastic.sizing = Sizing::kElastic;
  elastic.min_workers = 2;
  elastic.idle = milliseconds(1);
  std::atomic<int> inside{0};
  std::atomic<int> together{8};
  call_ = [&](const Job&, JobContext&) -> Outcome {
    ++inside;
    EXPECT_TRUE(Eventually([&] { return inside >= together; }));
    return Outcome::Success();
  };
  Start(elastic);
  Tally tally;
  for (int i = 0; i < 8; ++i) Post(tally, MakeWork("call"));
  EXPECT_TRUE(Eventually([&] { return tally.finished == 8 && pool_->threads() == 2; }));
  ASSERT_TRUE(dispatcher_->Resize("default", {.workers = 5, .capacity = {}, .hold_for = {}}));
  inside = 0;
  together = 5;
  for (int i = 0; i < 5; ++i) Post(tally, MakeWork("call"));
  EXPECT_TRUE(Eventually([&] { return tally.finished == 13; }));
  EXPECT_EQ(pool_->threads(), 5u);
  ASSERT_TRUE(dispatcher_->Resize("default",
                                  {.workers = {}, .capacity = {}, .hold_for = {}, .reset = true}));
  EXPECT_TRUE(Eventually([&] { return pool_->threads() == 2; }));
}

TEST_F(DispatcherThreadsTest, APoolThatGoesUndoesNoConfigAndNoConfigKeepsIt) {
  Start(1, 10);
  DispatcherConfig with = config_;
  with.pools.push_back(MakePoolConfig("other", 1, 10));
  DispatcherConfig without = config_;
  without.handlers.push_back(MakeHandlerConfig("new", "", held_));
  for (int round = 0; round < 300; ++round) {
    dispatcher_->Reconfigure(with);
    dispatcher_->Reconfigure(without);
    EXPECT_TRUE(Eventually([&] { return !dispatcher_->Pool("other").has_value(); }));
    Tally tally;
    Post(tally, MakeWork("new"));
    ASSERT_EQ(tally.accepted, 1u) << "round " << round;
    EXPECT_TRUE(Eventually([&] { return held_->size() > 0; }));
    held_->Take()->Finish(Outcome::Success());
    EXPECT_TRUE(Eventually([&] { return tally.finished == 1; }));
  }
}

TEST_F(DispatcherThreadsTest, NothingIsLostWhileTheDaemonSizesThePool) {
  PoolConfig sized = MakePoolConfig("default", 16, 50);
  sized.sizing = Sizing::kAuto;
  sized.first_workers = 2;
  Start(sized);
  const auto grown = [this] { return View().tuning->last.workers > 2; };
  std::atomic<bool> enough{false};
  Tally tally;
  std::thread watcher([&] {
    EXPECT_TRUE(Eventually(grown));
    enough = true;
  });
  call_ = [](const Job&, JobContext&) -> Outcome {
    std::this_thread::yield();
    return Outcome::Success();
  };
  InThreads(4, [&](int) {
    while (!enough) Post(tally, MakeWork("call"));
  });
  watcher.join();
  EXPECT_TRUE(Eventually([&] { return AtRest(); }));
  EXPECT_EQ(tally.refused, 0u);
  EXPECT_TRUE(Eventually([&] { return tally.finished == tally.accepted; }));
}

TEST_F(DispatcherThreadsTest, AcceptsExactlyWhatFits) {  // case 33 and the issue's own
  Start(2, 5);
  Tally busy;
  for (int i = 0; i < 2; ++i) Post(busy, MakeWork("held"));
  ASSERT_TRUE(Eventually([&] { return held_->size() == 2; }));
  Tally tally;
  InThreads(16, [&](int) {
    for (int i = 0; i < 100; ++i) Post(tally, MakeWork("echo"));
  });
  EXPECT_EQ(tally.accepted, 5u);
  EXPECT_EQ(tally.full, 1595u);
  EXPECT_EQ(View().stats.Posted(), 1602u);
  while (const auto attempt = held_->Take()) attempt->Finish(Outcome::Success());
  EXPECT_TRUE(Eventually([&] { return AtRest(); }));
  EXPECT_EQ(tally.finished, 5u);
}

TEST_F(DispatcherThreadsTest, WaitersAllFinish) {  // case 29
  Start(1, 1);
  Tally tally;
  InThreads(10, [&](int) {
    for (int i = 0; i < 50; ++i) {
      Work work = MakeWork("echo");
      work.when_full = WhenFull::kWait;
      Post(tally, std::move(work));
    }
  });
  EXPECT_TRUE(Eventually([&] { return tally.finished == 500; }));
  EXPECT_TRUE(Eventually([&] { return AtRest(); }));
  EXPECT_EQ(tally.accepted, 500u);
  EXPECT_EQ(View().stats.waiting, 0u);
}

TEST_F(DispatcherThreadsTest, CancelsExactlyWhatWasThereWhilePostingGoesOn) {  // case 57
  Start(1, 1'000'000);
  ASSERT_TRUE(dispatcher_->Pause("default"));
  constexpr int kBefore = 2000;
  Tally before;
  for (int i = 0; i < kBefore; ++i) Post(before, MakeWork("echo"));
  Tally during;
  std::atomic<bool> stop{false};
  std::thread poster([&] {
    while (!stop) Post(during, MakeWork("held"));
  });
  JobFilter filter;
  filter.handler = "echo";
  EXPECT_EQ(dispatcher_->CancelMatching(filter).cancelled, static_cast<std::uint64_t>(kBefore));
  stop = true;
  poster.join();
  EXPECT_EQ(before.finished, static_cast<std::uint64_t>(kBefore));
  EXPECT_EQ(View().stats.queued, during.accepted);
  EXPECT_EQ(*dispatcher_->Purge("default"), during.accepted);
  EXPECT_EQ(during.ended, during.accepted);
  EXPECT_TRUE(AtRest());
}

// Everything at once: posts of all kinds, waits, cancels, timeouts, attempts that end elsewhere,
// resizes and pauses; afterwards the books must balance.
TEST_F(DispatcherThreadsTest, TheBooksBalanceAfterEverythingAtOnce) {  // case 24
  Start(3, 4);
  constexpr int kPosters = 4;
  constexpr int kEach = 300;
  Tally tally;
  std::atomic<bool> stop{false};
  std::vector<std::thread> others;
  others.emplace_back([&] {  // finishes what is held
    while (!stop) {
      if (const auto attempt = held_->Take()) attempt->Finish(Outcome::Success());
    }
  });
  others.emplace_back([&] {  // cancels
    for (JobId id = 1; !stop; id = id % (store_->LastId() + 1) + 1) {
      dispatcher_->Cancel(std::array{id});
      dispatcher_->Get(id);
    }
  });
  others.emplace_back([&] {  // turns knobs
    for (std::uint32_t i = 0; !stop; ++i) {
      dispatcher_->Resize("default", {.workers = 1 + i % 4, .capacity = i % 5, .hold_for = {}});
      if (i % 7 == 0) dispatcher_->Pause("default");
      dispatcher_->List({}, 0, 5);
      dispatcher_->Resume("default");
    }
  });
  InThreads(kPosters, [&](int poster) {
    for (int i = 0; i < kEach; ++i) {
      Work work = MakeWork(i % 3 == 0 ? "held" : "echo", "payload");
      work.priority = i % kPriorities;
      work.timeout = std::chrono::microseconds(1 + 50 * (i % 20));
      if ((i + poster) % 2 == 0) work.when_full = WhenFull::kWait;
      Post(tally, std::move(work));
    }
  });
  const bool answered = Eventually([&] { return tally.answers() == kPosters * kEach; });
  const bool rested = Eventually([&] { return AtRest(); });
  stop = true;
  for (auto& thread : others) thread.join();
  EXPECT_TRUE(answered);
  EXPECT_TRUE(rested);
  EXPECT_EQ(tally.finished, tally.accepted);
  EXPECT_EQ(tally.ended, 0u);
  EXPECT_EQ(View().stats.accepted, tally.accepted);
  EXPECT_EQ(View().stats.Posted(), static_cast<std::uint64_t>(kPosters * kEach));
}

TEST_F(DispatcherThreadsTest, PostsThatRaceAShutdownRunOrAreRefused) {  // case 32
  for (int round = 0; round < 20; ++round) {
    stop_ticking_ = false;
    Start(2, 100);
    Tally tally;
    std::atomic<bool> idle{false};
    std::thread stopper([&] { dispatcher_->StopAccepting(true, [&] { idle = true; }); });
    InThreads(3, [&](int) {
      for (int i = 0; i < 20; ++i) Post(tally, MakeWork("echo"));
    });
    stopper.join();
    ASSERT_TRUE(Eventually([&] { return idle.load(); }));
    EXPECT_EQ(tally.answers(), 60u);
    EXPECT_EQ(tally.finished, tally.accepted);
    StopTicking();
    EXPECT_EQ(dispatcher_->GiveUp(0).count, 0u);
    ASSERT_TRUE(dispatcher_->JoinPools(std::chrono::steady_clock::now() + kHang));
    dispatcher_.reset();
  }
}

TEST_F(DispatcherThreadsTest, AHandlerMayShutTheDaemonDown) {  // case 32
  Start(1, 10);
  std::atomic<bool> idle{false};
  call_ = [&](const Job&, JobContext&) -> Outcome {
    dispatcher_->StopAccepting(true, [&] { idle = true; });
    return "bye";
  };
  Tally tally;
  Post(tally, MakeWork("call"));
  Post(tally, MakeWork("echo"));
  EXPECT_TRUE(Eventually([&] { return idle.load(); }));
  EXPECT_EQ(tally.finished, tally.accepted);
}

TEST_F(DispatcherThreadsTest, AJobThatWaitsOnAPausedPoolStartsWhenItResumes) {  // case 35
  Start(1, 0);
  ASSERT_TRUE(dispatcher_->Pause("default"));
  Tally tally;
  Work work = MakeWork("echo");
  work.when_full = WhenFull::kWait;
  Post(tally, std::move(work));
  EXPECT_EQ(tally.answers(), 0u);
  ASSERT_TRUE(dispatcher_->Resume("default"));
  EXPECT_TRUE(Eventually([&] { return tally.finished == 1; }));
}

}  // namespace
}  // namespace workpool
