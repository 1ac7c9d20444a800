#include "pool/work_pool.h"

#include <stdexcept>
#include <utility>

#include "pool/closure_pool.h"

namespace workpool {
namespace {

std::unique_ptr<ClosurePool> MakePool(WorkPoolOptions options) {
  if (options.workers == 0) {
    throw std::invalid_argument("workpool: pool \"" + options.name + "\" needs at least 1 worker");
  }
  const bool full = options.priorities || options.weights || options.capacity_bytes.has_value();
  return full ? MakeFullClosurePool(std::move(options)) : MakeFifoClosurePool(std::move(options));
}

}  // namespace

WorkPool::WorkPool(WorkPoolOptions options)
    : priorities_(options.priorities),
      weights_(options.weights),
      bytes_(options.capacity_bytes.has_value()),
      pool_(MakePool(std::move(options))) {}

WorkPool::~WorkPool() = default;

void WorkPool::Check(const Work& work, const PostOptions& options) const {
  if (!work) throw std::invalid_argument("workpool: the posted closure is empty");
  if (options.priority >= kPriorities) {
    throw std::invalid_argument("workpool: priority " + std::to_string(options.priority) +
                                " is not within 0..9");
  }
  if (options.priority != kDefaultPriority && !priorities_) {
    throw std::invalid_argument(
        "workpool: a post with a priority needs a pool with the option "
        "`priorities`");
  }
  if (options.weight == 0) throw std::invalid_argument("workpool: weight 0 is not at least 1");
  if (options.weight > 1 && !weights_) {
    throw std::invalid_argument(
        "workpool: a post with a weight needs a pool with the option "
        "`weights`");
  }
  if (options.bytes > 0 && !bytes_) {
    throw std::invalid_argument(
        "workpool: a post with bytes needs a pool with the option "
        "`capacity_bytes`");
  }
}

// --- posting --------------------------------------------------------------------------------

WorkPool::Posted WorkPool::TryPost(Work work, PostOptions options) {
  Check(work, options);
  return pool_->TryPost(work, options);
}

WorkPool::Posted WorkPool::Post(Work work, PostOptions options, std::optional<SteadyTime> deadline,
                                std::stop_token stop) {
  Check(work, options);
  if (!deadline && pool_->OnOwnThread()) {
    throw std::logic_error("workpool: a worker that posts to its own pool must give a deadline");
  }
  return pool_->Post(work, options, deadline, stop);
}

// --- control --------------------------------------------------------------------------------

void WorkPool::Resize(std::uint32_t workers, std::uint64_t capacity) {
  if (workers == 0) throw std::invalid_argument("workpool: a pool needs at least 1 worker");
  pool_->Resize(workers, capacity);
}

void WorkPool::Pause() { pool_->Pause(); }

void WorkPool::Resume() { pool_->Resume(); }

bool WorkPool::Drain(SteadyTime deadline) {
  if (pool_->OnOwnThread()) {
    throw std::logic_error("workpool: a worker cannot wait until its own pool is drained");
  }
  return pool_->Drain(deadline);
}

WorkPool::StopReport WorkPool::Stop(std::chrono::nanoseconds grace) { return pool_->Stop(grace); }

// --- reading --------------------------------------------------------------------------------

PoolStats WorkPool::Read() const { return pool_->Read(); }

std::uint64_t WorkPool::exceptions() const { return pool_->exceptions(); }

std::uint64_t WorkPool::threads_started() const { return pool_->threads_started(); }

std::uint64_t WorkPool::threads() const { return pool_->threads(); }

}  // namespace workpool
