// A store whose commits happen, or fail, when it is told: in order, as the port demands. Everything
// else goes to the store behind it. For single-threaded tests.
#pragma once

#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "jobs/store.h"

namespace workpool {

class DelayedStore final : public Store {
 public:
  // `keeps_accepted` false: acceptances are not asked to be committed.
  explicit DelayedStore(std::unique_ptr<Store> inner, bool keeps_accepted = true)
      : inner_(std::move(inner)), keeps_accepted_(keeps_accepted) {}

  // While not holding, commits happen at once.
  void Hold(bool hold) { hold_ = hold; }
  std::size_t held() const { return held_.size(); }
  // The oldest commit happens or fails; false if there is none.
  bool CommitNext(bool ok = true) {
    if (held_.empty()) return false;
    Operation operation = std::move(held_.front());
    held_.pop_front();
    if (ok) {
      operation.apply(std::move(operation.committed));
    } else {
      operation.committed(Fail(ErrorCode::kStoreUnavailable, "the test says so"));
    }
    return true;
  }
  void CommitAll() {
    while (CommitNext()) {
    }
  }

  std::string_view kind() const override { return inner_->kind(); }
  JobId TakeIds(std::uint64_t count) override { return inner_->TakeIds(count); }
  JobId LastId() const override { return inner_->LastId(); }

  bool KeepsAccepted() const override { return keeps_accepted_; }
  void Accept(std::span<const Job> jobs, Committed committed) override {
    Do([this, kept = std::vector(jobs.begin(), jobs.end())](
           Committed done) { inner_->Accept(kept, std::move(done)); },
       std::move(committed));
  }
  void Finish(std::shared_ptr<const JobView> view, Committed committed) override {
    Do([this, view = std::move(view)](Committed done) { inner_->Finish(view, std::move(done)); },
       std::move(committed));
  }
  bool FinishAtOnce(const JobView& view, SteadyTime now) override {
    return !hold_ && held_.empty() && inner_->FinishAtOnce(view, now);
  }
  void Forget(std::span<const JobId> ids, Committed committed) override {
    Do([this, kept = std::vector(ids.begin(), ids.end())](
           Committed done) { inner_->Forget(kept, std::move(done)); },
       std::move(committed));
  }

  std::shared_ptr<const JobView> Find(JobId id) const override { return inner_->Find(id); }
  std::vector<std::shared_ptr<const JobView>> List(const JobFilter& filter, JobId before,
                                                   std::size_t limit) const override {
    return inner_->List(filter, before, limit);
  }
  void SetRetention(const std::string& pool, const PoolRetention& retention) override {
    inner_->SetRetention(pool, retention);
  }
  std::optional<SteadyTime> Tick(SteadyTime now) override { return inner_->Tick(now); }
  DeadCounts Dead(const std::string& pool) const override { return inner_->Dead(pool); }

 private:
  struct Operation {
    std::move_only_function<void(Committed)> apply;
    Committed committed;
  };

  void Do(std::move_only_function<void(Committed)> apply, Committed committed) {
    if (hold_ || !held_.empty()) {
      held_.push_back({std::move(apply), std::move(committed)});
    } else {
      apply(std::move(committed));
    }
  }

  const std::unique_ptr<Store> inner_;
  const bool keeps_accepted_;
  bool hold_ = false;
  std::deque<Operation> held_;
};

}  // namespace workpool
