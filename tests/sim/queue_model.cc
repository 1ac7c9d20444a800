#include "sim/queue_model.h"

#include <cmath>
#include <limits>

namespace workpool {
namespace {

constexpr std::uint64_t kQueueLimit = 5000;
constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

QueueModel::QueueModel(std::uint64_t seed, double scatter) : random_(seed) {
  // So that the mean is 1.
  const double variance = std::log(1 + scatter * scatter);
  work_ = std::lognormal_distribution<double>(-variance / 2, std::sqrt(variance));
}

void QueueModel::SetLoad(const Load& load) {
  load_ = load;
  next_arrival_ = NextArrival();
  for (; clients_here_ < load_.clients; ++clients_here_) Arrive();
  Start();
}

void QueueModel::SetWorkers(std::uint32_t workers) {
  workers_ = workers;
  Start();
}

SteadyTime QueueModel::now() const {
  return SteadyTime(std::chrono::nanoseconds(std::llround(time_ * 1e9)));
}

TuneSample QueueModel::Pass(std::chrono::nanoseconds time) {
  completions_ = 0;
  run_seconds_ = 0;
  const double end = time_ + std::chrono::duration<double>(time).count();
  while (true) {
    const double finish =
        active_.empty() ? kNever : time_ + (active_.begin()->first - done_) / Speed();
    const double next = std::min({end, finish, next_arrival_});
    done_ += (next - time_) * Speed();
    time_ = next;
    if (next == end) break;
    if (next == finish) {
      Finish();
    } else {
      Arrive();
      next_arrival_ = NextArrival();
    }
    Start();
  }
  TuneSample sample;
  sample.now = now();
  sample.completions = completions_;
  if (completions_ > 0) {
    sample.mean_run = std::chrono::nanoseconds(
        std::llround(run_seconds_ * 1e9 / static_cast<double>(completions_)));
  }
  sample.active = active_.size();
  sample.queued = queued_ + (load_.endless ? 100 : 0);
  return sample;
}

void QueueModel::Arrive() {
  if (queued_ < kQueueLimit) ++queued_;
}

void QueueModel::Start() {
  while (active_.size() < workers_ && (queued_ > 0 || load_.endless)) {
    if (queued_ > 0) --queued_;
    active_.emplace(done_ + Work(), time_);
  }
}

void QueueModel::Finish() {
  ++completions_;
  run_seconds_ += time_ - active_.begin()->second;
  done_ = active_.begin()->first;
  active_.erase(active_.begin());
  if (clients_here_ == 0) return;
  // A client's, or one that came by itself: which makes no difference to the pool.
  if (clients_here_ > load_.clients) {
    --clients_here_;
  } else {
    Arrive();
  }
}

double QueueModel::Speed() const {
  if (active_.empty()) return 1;
  const auto active = static_cast<std::uint32_t>(active_.size());
  return downstream_(active) / active;
}

double QueueModel::Work() { return work_(random_); }

double QueueModel::NextArrival() {
  if (load_.arrivals_per_second <= 0) return kNever;
  return time_ + std::exponential_distribution<double>(load_.arrivals_per_second)(random_);
}

}  // namespace workpool
