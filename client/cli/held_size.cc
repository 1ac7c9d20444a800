#include "held_size.h"

#include <condition_variable>
#include <utility>

namespace workpool::cli {

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
  workers_ = workers;
  return Resize({.workers = workers, .hold_for = kHold});
}

client::Result<void> HeldSize::Restore() {
  const std::lock_guard lock(mutex_);
  if (!std::exchange(workers_, std::nullopt)) return {};
  client::Resize back{.workers = before_.workers};
  if (before_.workers_resized) {
    if (before_.resized_until) {
      back.hold_for = *before_.resized_until - std::chrono::system_clock::now();
      if (back.hold_for->count() <= 0) back.hold_for = std::chrono::milliseconds(1);
    }
  } else if (before_.capacity == before_.configured_capacity) {
    back = {.reset = true};
  } else {
    // A reset would take away the capacity that somebody has set: let only the workers' hold end.
    back.hold_for = std::chrono::milliseconds(1);
  }
  return Resize(back);
}

client::Result<void> HeldSize::Resize(const client::Resize& resize) {
  const auto pool = admin_.ResizePool(before_.name, resize);
  if (!pool) return std::unexpected(pool.error());
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
    if (workers_) static_cast<void>(Resize({.workers = *workers_, .hold_for = kHold}));
  }
}

}  // namespace workpool::cli
