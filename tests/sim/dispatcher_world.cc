#include "sim/dispatcher_world.h"

#include <fmt/format.h>

namespace workpool {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

}  // namespace

DispatcherWorld::DispatcherWorld(std::uint64_t seed) : random_(seed) {
  store_ = std::make_unique<DelayedStore>(MakeMemoryStore(rig_.clock), Chance(50));
  rig_.store = store_.get();
  DispatcherConfig config;
  for (const char* name : {"a", "b"}) {
    PoolConfig pool = MakePoolConfig(name, 1 + static_cast<std::uint32_t>(Random(3)), Random(5));
    pool.limits.max_waiting = 1 + Random(6);
    pool.max_wait = seconds(60);
    if (Chance(20)) pool.keep.finished.jobs = Random(3);
    config.pools.push_back(pool);
  }
  const auto count = [this](const Job& job) { ++runs_[job.id]; };
  config.handlers = {
      MakeHandlerConfig("quick", "",
                        MakeFunctionHandler([count](const Job& job, JobContext&) -> Outcome {
                          count(job);
                          return job.payload;
                        })),
      MakeHandlerConfig("throw", "",
                        MakeFunctionHandler([count](const Job& job, JobContext&) -> Outcome {
                          count(job);
                          throw 1;
                        })),
      MakeHandlerConfig("held", "", held_)};
  rig_.Start(std::move(config));
}

void DispatcherWorld::Step() {
  switch (Random(15)) {
    case 0:
    case 1:
    case 2: Post(); break;
    case 3: PostBatch(); break;
    case 4: Abandon(); break;
    case 5: Wait(); break;
    case 6: TakeWaitBack(); break;
    case 7: Cancel(); break;
    case 8:
    case 9:
    case 10: Run(); break;
    case 11: FinishHeld(); break;
    case 12: ChangePool(); break;
    case 13: Commit(); break;
    default: Chance(50) ? Look() : Pass(milliseconds(Random(20'000))); break;
  }
}

// --- acts ----------------------------------------------------------------------------------------

JobId DispatcherWorld::SomeId() { return Random(store_->LastId() + 2); }

PostRequest DispatcherWorld::MakeRequest(const std::shared_ptr<PostRecord>& record) {
  static constexpr const char* kHandlers[] = {"quick", "held", "held", "throw"};
  record->pool = SomePool();
  PostRequest request;
  request.work = MakeWork(kHandlers[Random(4)], "payload", record->pool);
  request.work.priority = static_cast<int>(Random(kPriorities));
  if (Chance(4)) {
    request.work.priority = 10;
    record->invalid = true;
  }
  if (Chance(50)) request.work.when_full = WhenFull::kWait;
  if (Chance(30)) request.work.wait_timeout = milliseconds(1 + Random(5000));
  if (Chance(30)) request.work.timeout = milliseconds(1 + Random(30'000));
  if (Chance(20)) request.call_deadline = rig_.clock.Now() + milliseconds(Random(10'000));
  if (Chance(20)) request.run_deadline = rig_.clock.Now() + milliseconds(Random(30'000));
  request.finished = [record](Result<JobView> end) { record->ends.push_back(std::move(end)); };
  return request;
}

void DispatcherWorld::Post() {
  auto record = std::make_shared<PostRecord>();
  posts_.push_back(record);
  PostRequest request = MakeRequest(record);
  record->ticket = rig_.dispatcher->Post(std::move(request), [record](Result<Posted> answer) {
    record->answers.push_back(std::move(answer));
  });
}

void DispatcherWorld::PostBatch() {
  std::vector<std::shared_ptr<PostRecord>> records;
  std::vector<PostRequest> requests;
  for (std::uint64_t i = 0; i < 1 + Random(8); ++i) {
    records.push_back(std::make_shared<PostRecord>());
    requests.push_back(MakeRequest(records.back()));
  }
  posts_.insert(posts_.end(), records.begin(), records.end());
  const std::vector<Ticket> tickets = rig_.dispatcher->PostBatch(
      std::move(requests), [records](std::size_t index, Result<Posted> answer) {
        records[index]->answers.push_back(std::move(answer));
      });
  for (std::size_t i = 0; i < records.size(); ++i) records[i]->ticket = tickets[i];
}

void DispatcherWorld::Abandon() {
  if (!posts_.empty()) rig_.dispatcher->Abandon(posts_[Random(posts_.size())]->ticket);
}

void DispatcherWorld::Wait() {
  auto record = std::make_shared<WaitRecord>();
  waits_.push_back(record);
  record->ticket = rig_.dispatcher->Wait(
      SomeId(), [record](Result<JobView> answer) { record->answers.push_back(std::move(answer)); });
}

void DispatcherWorld::TakeWaitBack() {
  if (waits_.empty()) return;
  WaitRecord& record = *waits_[Random(waits_.size())];
  if (!record.answers.empty()) return;
  rig_.dispatcher->CancelWait(record.ticket);
  record.taken_back = true;
}

void DispatcherWorld::Cancel() {
  if (Chance(90)) {
    const std::vector<JobId> ids = {SomeId(), SomeId()};
    rig_.dispatcher->Cancel(ids);
  } else {
    JobFilter filter;
    filter.pool = SomePool();
    if (Chance(50)) filter.states = {JobState::kQueued};
    rig_.dispatcher->CancelMatching(filter);
  }
}

void DispatcherWorld::Run() {
  const std::size_t before = held_->size();
  rig_.RunOne(SomePool());
  if (held_->size() > before) ++runs_[held_->Back()->job().id];
}

void DispatcherWorld::FinishHeld() {
  const std::shared_ptr<Attempt> attempt = held_->Take();
  if (attempt == nullptr) return;
  switch (Random(4)) {
    case 0: attempt->Finish(Outcome::Success("done")); break;
    case 1: attempt->Finish(Outcome::Failure("failed")); break;
    case 2: attempt->Finish(Outcome::Success().Stopped()); break;
    default: break;  // dropped
  }
}

void DispatcherWorld::ChangePool() {
  const std::string pool = SomePool();
  switch (Random(6)) {
    case 0: rig_.dispatcher->Pause(pool); break;
    case 1:
    case 2: rig_.dispatcher->Resume(pool); break;
    case 3: rig_.dispatcher->Drain(pool, [](Result<void>) {}); break;
    case 4: rig_.dispatcher->Purge(pool); break;
    default:
      rig_.dispatcher->Resize(pool, {.workers = 1 + static_cast<std::uint32_t>(Random(4)),
                                     .capacity = Random(6),
                                     .hold_for = seconds(1 + Random(30))});
  }
}

void DispatcherWorld::Commit() {
  if (Chance(20)) store_->Hold(Chance(50));
  for (std::uint64_t i = Random(4); i > 0; --i) store_->CommitNext(Chance(85));
}

void DispatcherWorld::Look() {
  rig_.dispatcher->Get(SomeId());
  rig_.dispatcher->List({}, SomeId(), 1 + Random(5));
}

void DispatcherWorld::Pass(std::chrono::nanoseconds time) { rig_.Advance(time); }

// --- ends ----------------------------------------------------------------------------------------

void DispatcherWorld::Settle() {
  store_->Hold(false);
  for (int round = 0; round < 20; ++round) {
    store_->CommitAll();
    for (const char* pool : {"a", "b"}) {
      if (!shut_down_) rig_.dispatcher->Resume(pool);
      while (rig_.RunOne(pool)) {
      }
    }
    while (held_->size() > 0) FinishHeld();
    Pass(seconds(10));
  }
}

void DispatcherWorld::ShutDown() {
  shut_down_ = true;
  bool idle = false;
  rig_.dispatcher->StopAccepting(Chance(50), [&idle] { idle = true; });
  for (int i = 0; i < 10; ++i) Chance(50) ? Run() : Commit();
  rig_.dispatcher->StopHandlers(milliseconds(500));
  for (int i = 0; i < 10; ++i) Chance(50) ? FinishHeld() : Commit();
  store_->Hold(false);
  store_->CommitAll();
  Pass(seconds(1));
  const LostJobs lost = rig_.dispatcher->GiveUp(1'000'000);
  for (const JobView& view : lost.first) ++lost_[std::string(view.job->pool)];
  Settle();
}

// --- books ---------------------------------------------------------------------------------------

std::uint64_t DispatcherWorld::AnsweredOk(const std::string& pool) const {
  std::uint64_t count = 0;
  for (const auto& post : posts_) {
    if (post->pool == pool && !post->answers.empty() && post->answers.front()) ++count;
  }
  return count;
}

std::string DispatcherWorld::CheckAlways() {
  for (const auto& post : posts_) {
    if (post->answers.size() > 1) return "a post was answered twice";
    if (post->ends.size() > 1) return "an outcome was told twice";
    if (!post->ends.empty() && (post->answers.empty() || !post->answers.front())) {
      return "an outcome was told of a post that was not accepted";
    }
  }
  for (const auto& wait : waits_) {
    if (wait->answers.size() > (wait->taken_back ? 0u : 1u)) return "a wait was answered twice";
  }
  for (const auto& [id, runs] : runs_) {
    if (runs > 1) return fmt::format("job {} ran {} times", id, runs);
  }
  for (const char* pool : {"a", "b"}) {
    const PoolStats stats = rig_.Pool(pool).stats;
    if (stats.accepted != stats.queued + stats.active + stats.finished + stats.withdrawn) {
      return fmt::format("pool {}: the pool's own sums do not hold", pool);
    }
  }
  return "";
}

std::string DispatcherWorld::CheckPool(const std::string& name) {
  const PoolView view = rig_.Pool(name);
  const PoolStats& stats = view.stats;
  if (stats.queued + stats.active + stats.waiting + view.workers_stuck != 0) {
    return fmt::format("pool {}: queued {} active {} waiting {} stuck {}", name, stats.queued,
                       stats.active, stats.waiting, view.workers_stuck);
  }
  if (AnsweredOk(name) != stats.accepted) {
    return fmt::format("pool {}: {} answered OK, {} accepted", name, AnsweredOk(name),
                       stats.accepted);
  }
  if (stats.accepted != view.finished + view.deleted + lost_[name]) {
    return fmt::format("pool {}: accepted {} finished {} deleted {} lost {}", name, stats.accepted,
                       view.finished, view.deleted, lost_[name]);
  }
  return "";
}

std::string DispatcherWorld::CheckAtRest() {
  if (std::string fault = CheckAlways(); !fault.empty()) return fault;
  std::uint64_t posted = 0;
  for (const char* pool : {"a", "b"}) {
    if (std::string fault = CheckPool(pool); !fault.empty()) return fault;
    posted += rig_.Pool(pool).stats.Posted() + rig_.Pool(pool).invalid_posts;
  }
  if (posted != posts_.size()) return fmt::format("{} posted, {} made", posted, posts_.size());
  for (const auto& post : posts_) {
    if (post->answers.size() != 1) return "a post has no answer";
    if (post->invalid && post->answers.front()) return "an invalid post was accepted";
    if (post->answers.front() && post->ends.size() != 1) return "a poster missed the outcome";
  }
  for (const auto& wait : waits_) {
    if (!wait->taken_back && wait->answers.size() != 1) return "a wait has no answer";
  }
  return "";
}

}  // namespace workpool
