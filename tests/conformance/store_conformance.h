// What every store must do, whatever it keeps its records in (server/jobs/store.h). A store joins
// by instantiating the suite with a way to make one:
//
//   INSTANTIATE_TEST_SUITE_P(Memory, StoreConformance, ::testing::Values(StoreMaker{...}));
//
// Commits may come later and on another thread; the suite waits for each.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <future>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "fakes/manual_clock.h"
#include "jobs/store.h"

namespace workpool {

struct StoreMaker {
  std::string name;
  std::function<std::unique_ptr<Store>(const Clock&)> make;
};

class StoreConformance : public ::testing::TestWithParam<StoreMaker> {
 protected:
  using ViewPtr = std::shared_ptr<const JobView>;

  StoreConformance() : store_(GetParam().make(clock_)) {}

  // A job of the pool that has been accepted.
  std::shared_ptr<const Job> Accept(const std::string& pool = "p",
                                    const std::string& payload = "") {
    Job job;
    job.id = store_->TakeIds(1);
    job.handler = "h";
    job.pool = pool;
    job.payload = payload;
    job.accepted_at = clock_.WallNow();
    if (store_->KeepsAccepted()) {
      EXPECT_TRUE(Committed(
          [&](Store::Committed done) { store_->Accept(std::span(&job, 1), std::move(done)); }));
    }
    return KeepJob(job);
  }

  JobId Finish(std::shared_ptr<const Job> job, JobState state = JobState::kSucceeded) {
    auto view = std::make_shared<JobView>();
    view->job = std::move(job);
    view->state = state;
    view->attempt = 1;
    view->result = "result of " + std::to_string(view->job->id);
    view->finished_at = clock_.WallNow();
    const JobId id = view->job->id;
    EXPECT_TRUE(Committed([&](Store::Committed done) { store_->Finish(view, std::move(done)); }));
    return id;
  }
  JobId AddFinished(const std::string& pool = "p", JobState state = JobState::kSucceeded) {
    return Finish(Accept(pool), state);
  }

  Result<void> Committed(const std::function<void(Store::Committed)>& call) {
    std::promise<Result<void>> promise;
    call([&promise](Result<void> result) { promise.set_value(std::move(result)); });
    return promise.get_future().get();
  }

  std::vector<JobId> Ids(const JobFilter& filter = {}, JobId before = 0, std::size_t limit = 1000) {
    std::vector<JobId> ids;
    for (const ViewPtr& view : store_->List(filter, before, limit)) ids.push_back(view->job->id);
    return ids;
  }

  static PoolRetention Keep(std::uint64_t jobs, std::uint64_t dead_jobs) {
    PoolRetention retention;
    retention.finished.jobs = jobs;
    retention.dead.jobs = dead_jobs;
    return retention;
  }

  ManualClock clock_;
  std::unique_ptr<Store> store_;
};

TEST_P(StoreConformance, IdsIncreaseAndComeInRuns) {
  EXPECT_EQ(store_->LastId(), 0u);
  const JobId first = store_->TakeIds(3);
  EXPECT_GE(first, 1u);
  EXPECT_EQ(store_->LastId(), first + 2);
  EXPECT_GT(store_->TakeIds(1), first + 2);
}

TEST_P(StoreConformance, IdsAreUniqueAcrossThreads) {
  constexpr int kThreads = 4;
  constexpr int kEach = 2000;
  std::vector<std::vector<JobId>> taken(kThreads);
  std::vector<std::thread> threads;
  for (auto& ids : taken) {
    threads.emplace_back([this, &ids] {
      for (int i = 0; i < kEach; ++i) ids.push_back(store_->TakeIds(1));
    });
  }
  for (auto& thread : threads) thread.join();
  std::set<JobId> all;
  for (const auto& ids : taken) {
    EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
    all.insert(ids.begin(), ids.end());
  }
  EXPECT_EQ(all.size(), static_cast<std::size_t>(kThreads * kEach));
}

TEST_P(StoreConformance, RecordsAtOnceWhatItMayOrNothing) {
  const auto accepted = Accept();
  bool recorded = false;
  {
    const std::string payload = "good for the call only";
    Job job = *accepted;
    job.payload = payload;
    JobView view;
    view.job = {std::shared_ptr<const Job>(), &job};
    view.state = JobState::kSucceeded;
    view.result = "r";
    recorded = store_->FinishAtOnce(view, clock_.Now());
  }
  const ViewPtr found = store_->Find(accepted->id);
  ASSERT_EQ(found != nullptr, recorded);
  if (!recorded) return;
  EXPECT_EQ(found->job->payload, "good for the call only");
  EXPECT_EQ(found->result, "r");
}

TEST_P(StoreConformance, FindsFinishedJobsOnly) {
  const auto job = Accept("p", std::string("bytes\0\xff", 7));
  EXPECT_EQ(store_->Find(job->id), nullptr);
  EXPECT_TRUE(Ids().empty());
  Finish(job);
  const ViewPtr found = store_->Find(job->id);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->state, JobState::kSucceeded);
  EXPECT_EQ(found->result, "result of " + std::to_string(job->id));
  EXPECT_EQ(found->job->payload, job->payload);
  EXPECT_EQ(store_->Find(job->id + 1), nullptr);
  EXPECT_EQ(store_->Find(0), nullptr);
}

TEST_P(StoreConformance, ForgetTakesJobsThatHaveNotFinished) {
  const auto job = Accept();
  const std::vector<JobId> ids = {job->id};
  EXPECT_TRUE(Committed([&](Store::Committed done) { store_->Forget(ids, std::move(done)); }));
  EXPECT_EQ(store_->Find(job->id), nullptr);
}

TEST_P(StoreConformance, CommitsComeInTheOrderOfTheCalls) {
  std::vector<int> order;
  std::promise<void> last;
  for (int i = 0; i < 10; ++i) {
    Job job;
    job.id = store_->TakeIds(1);
    job.pool = "p";
    store_->Accept(std::span(&job, 1), [&, i](Result<void>) {
      order.push_back(i);
      if (i == 9) last.set_value();
    });
  }
  last.get_future().get();
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST_P(StoreConformance, ListsNewestFirstBelowABound) {
  const JobId first = AddFinished();
  const JobId second = AddFinished();
  const JobId third = AddFinished();
  EXPECT_EQ(Ids(), (std::vector<JobId>{third, second, first}));
  EXPECT_EQ(Ids({}, third), (std::vector<JobId>{second, first}));
  EXPECT_EQ(Ids({}, 0, 2), (std::vector<JobId>{third, second}));
  EXPECT_TRUE(Ids({}, first).empty());
  EXPECT_TRUE(Ids({}, 0, 0).empty());
}

TEST_P(StoreConformance, ListsWhatMatches) {
  const JobId dead = AddFinished("p", JobState::kDead);
  const JobId good = AddFinished("p");
  const JobId other = AddFinished("q");
  JobFilter in_p;
  in_p.pool = "p";
  EXPECT_EQ(Ids(in_p), (std::vector<JobId>{good, dead}));
  JobFilter are_dead;
  are_dead.states = {JobState::kDead};
  EXPECT_EQ(Ids(are_dead), std::vector<JobId>{dead});
  JobFilter by_handler;
  by_handler.handler = "nobody's";
  EXPECT_TRUE(Ids(by_handler).empty());
  clock_.Advance(std::chrono::seconds(1));
  JobFilter later;
  later.accepted_after = clock_.WallNow() - std::chrono::milliseconds(1);
  const JobId late = AddFinished("q");
  EXPECT_EQ(Ids(later), std::vector<JobId>{late});
  EXPECT_EQ(Ids({}, late), (std::vector<JobId>{other, good, dead}));
}

TEST_P(StoreConformance, ListsThroughManyRecords) {
  for (int i = 0; i < 5000; ++i) AddFinished(i % 1000 == 0 ? "rare" : "p");
  JobFilter rare;
  rare.pool = "rare";
  EXPECT_EQ(Ids(rare).size(), 5u);
  EXPECT_EQ(Ids({}, 0, 5000).size(), 5000u);
}

// --- retention -----------------------------------------------------------------------------------

TEST_P(StoreConformance, KeepsAtMostSoManyOfAPool) {
  store_->SetRetention("p", Keep(2, 10));
  const JobId other = AddFinished("q");
  const JobId first = AddFinished();
  const JobId second = AddFinished();
  const JobId third = AddFinished();
  EXPECT_EQ(store_->Find(first), nullptr);
  EXPECT_EQ(Ids(), (std::vector<JobId>{third, second, other}));
}

TEST_P(StoreConformance, KeepsAtMostSoManyBytesOfAPool) {
  PoolRetention retention;
  const auto big = [this] { return Finish(Accept("p", std::string(100'000, 'x'))); };
  retention.finished.bytes = 250'000;
  store_->SetRetention("p", retention);
  const JobId first = big();
  const JobId second = big();
  const JobId third = big();
  EXPECT_EQ(Ids(), (std::vector<JobId>{third, second}));
  EXPECT_EQ(store_->Find(first), nullptr);
}

TEST_P(StoreConformance, DeadJobsHaveBoundsOfTheirOwnAndAreCounted) {
  store_->SetRetention("p", Keep(1, 2));
  const JobId dead = AddFinished("p", JobState::kDead);
  for (int i = 0; i < 3; ++i) AddFinished();
  EXPECT_NE(store_->Find(dead), nullptr);
  EXPECT_EQ(store_->Dead("p").kept, 1u);
  for (int i = 0; i < 3; ++i) AddFinished("p", JobState::kDead);
  EXPECT_EQ(store_->Find(dead), nullptr);
  EXPECT_EQ(store_->Dead("p").kept, 2u);
  EXPECT_EQ(store_->Dead("p").dropped, 2u);
  EXPECT_EQ(store_->Dead("q").kept, 0u);
}

TEST_P(StoreConformance, DropsWhatIsTooOldWhenItTicks) {
  const JobId job = AddFinished();
  const JobId dead = AddFinished("p", JobState::kDead);
  const auto next = store_->Tick(clock_.Now());
  ASSERT_TRUE(next);
  EXPECT_EQ(*next, clock_.Now() + std::chrono::minutes(15));
  clock_.Advance(std::chrono::minutes(15) - std::chrono::nanoseconds(1));
  store_->Tick(clock_.Now());
  EXPECT_NE(store_->Find(job), nullptr);
  clock_.Advance(std::chrono::nanoseconds(1));
  store_->Tick(clock_.Now());
  EXPECT_EQ(store_->Find(job), nullptr);
  EXPECT_NE(store_->Find(dead), nullptr);
  clock_.Advance(std::chrono::hours(24 * 30));
  EXPECT_FALSE(store_->Tick(clock_.Now()));
  EXPECT_EQ(store_->Find(dead), nullptr);
  EXPECT_EQ(store_->Dead("p").dropped, 0u);
}

TEST_P(StoreConformance, StepsOfTheWallClockDropNothing) {
  const JobId job = AddFinished();
  clock_.StepWall(std::chrono::hours(48));
  store_->Tick(clock_.Now());
  EXPECT_NE(store_->Find(job), nullptr);
}

TEST_P(StoreConformance, ATighterRetentionDropsAtOnce) {
  for (int i = 0; i < 10; ++i) AddFinished();
  store_->SetRetention("p", Keep(3, 3));
  EXPECT_EQ(Ids().size(), 3u);
}

TEST_P(StoreConformance, StaysBoundedForHoweverLongItRuns) {
  store_->SetRetention("p", Keep(100, 100));
  for (int i = 0; i < 20'000; ++i)
    AddFinished("p", i % 2 == 0 ? JobState::kDead : JobState::kSucceeded);
  EXPECT_EQ(Ids().size(), 200u);
}

}  // namespace workpool
