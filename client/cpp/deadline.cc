#include "deadline.h"

#include <grpc/support/time.h>
#include <time.h>

#include <algorithm>

namespace workpool::client {

namespace {

constexpr auto kLongest = std::chrono::hours(24 * 3650);
// From here on a timeout may be rough.
constexpr auto kLong = std::chrono::seconds(1);

// As steady_clock had it at the system's latest tick.
SteadyTime LatestTick() {
  timespec at{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &at);
  return SteadyTime(std::chrono::seconds(at.tv_sec) + std::chrono::nanoseconds(at.tv_nsec));
}

}  // namespace

SteadyTime DeadlineIn(std::optional<std::chrono::nanoseconds> timeout) {
  if (!timeout || *timeout > kLongest) return kNever;
  return std::chrono::steady_clock::now() + std::max(*timeout, std::chrono::nanoseconds(0));
}

SteadyTime RoughDeadlineIn(std::chrono::nanoseconds timeout) {
  // The longest that ticks are apart where they come in time, so that the deadline is not early.
  constexpr auto kTick = std::chrono::milliseconds(10);
  if (timeout < kLong || timeout > kLongest) return DeadlineIn(timeout);
  return LatestTick() + kTick + timeout;
}

void SetDeadline(grpc::ClientContext& context, SteadyTime deadline) {
  if (deadline == kNever) return;
  const std::chrono::nanoseconds left = deadline - std::chrono::steady_clock::now();
  context.set_deadline(
      gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), gpr_time_from_nanos(left.count(), GPR_TIMESPAN)));
}

}  // namespace workpool::client
