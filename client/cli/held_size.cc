#include "held_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <utility>

namespace workpool::cli {

namespace {

client::CallOptions Bounded() { return {.timeout = HeldSize::kAnswer}; }

// The daemon's own figures say whose size is in force: ours is one for a while.
bool Holds(const client::Pool& pool, std::uint32_t workers) {
  return pool.workers == workers && pool.workers_resized && pool.resized_until.has_value();
}

client::Error Lost(const client::Pool& pool, std::uint32_t workers) {
  client::Error error;
  error.code = client::StatusCode::kFailedPrecondition;
  error.message = fmt::format(
      "pool {} was set to {} workers and has {} by now: somebody else has resized it, or the "
      "daemon was out of reach for {} s; its size is left as it is",
      pool.name, workers, pool.workers, HeldSize::kHold.count());
  return error;
}

// So that nobody takes it for the deadline of a job.
client::Error InTime(client::Error error) {
  if (error.code == client::StatusCode::kDeadlineExceeded) {
    error.code = client::StatusCode::kUnavailable;
    error.message = fmt::format("the daemon did not answer within {} s", HeldSize::kAnswer.count());
  }
  return error;
}

}  // namespace

HeldSize::HeldSize(client::Admin& admin, client::Pool before)
    : admin_(admin),
      before_(std::move(before)),
      renewer_([this](const std::stop_token& over) { Renew(over); }) {}

HeldSize::~HeldSize() {
  renewer_ = {};
  static_cast<void>(Restore());
}

client::Result<void> HeldSize::Set(std::uint32_t workers) {
  const std::lock_guard lock(mutex_);
  if (const auto held = CheckLocked(); !held) return held;
  // Before the call: one whose answer is lost may have been heeded.
  workers_ = workers;
  return Resize({.workers = workers, .hold_for = kHold});
}

client::Result<void> HeldSize::Check() {
  const std::lock_guard lock(mutex_);
  return CheckLocked();
}

client::Result<void> HeldSize::CheckLocked() {
  if (lost_) return std::unexpected(*lost_);
  if (!workers_) return {};
  const auto pool = admin_.GetPool(before_.name, Bounded());
  if (!pool) return std::unexpected(InTime(pool.error()));
  if (Holds(*pool, *workers_)) return {};
  lost_ = Lost(*pool, *workers_);
  workers_.reset();
  return std::unexpected(*lost_);
}

client::Result<void> HeldSize::Restore() {
  const std::lock_guard lock(mutex_);
  if (const auto held = CheckLocked(); !held) return held;
  if (!std::exchange(workers_, std::nullopt)) return {};
  // What lies below comes back by itself; another hold, whose place ours has taken, does not.
  client::Resize back{.workers = before_.workers, .hold_for = std::chrono::milliseconds(1)};
  if (before_.workers_resized && before_.resized_until) {
    const auto left = *before_.resized_until - std::chrono::system_clock::now();
    back.hold_for = std::max<std::chrono::nanoseconds>(left, *back.hold_for);
  }
  return Resize(back);
}

client::Result<void> HeldSize::Resize(const client::Resize& resize) {
  const auto pool = admin_.ResizePool(before_.name, resize, Bounded());
  if (!pool) return std::unexpected(InTime(pool.error()));
  return {};
}

void HeldSize::Renew(const std::stop_token& over) {
  std::mutex sleep;
  std::condition_variable_any wake;
  std::unique_lock asleep(sleep);
  while (true) {
    wake.wait_for(asleep, over, kRenew, [] { return false; });
    if (over.stop_requested()) return;
    const std::lock_guard lock(mutex_);
    // A daemon that does not answer now may do so the next time.
    if (!CheckLocked() || !workers_) continue;
    static_cast<void>(Resize({.workers = *workers_, .hold_for = kHold}));
  }
}

}  // namespace workpool::cli
