#include "deadline.h"

#include <grpc/support/time.h>

#include <algorithm>

namespace workpool::client {

SteadyTime DeadlineIn(std::optional<std::chrono::nanoseconds> timeout) {
  constexpr auto kLongest = std::chrono::hours(24 * 3650);
  if (!timeout || *timeout > kLongest) return kNever;
  return std::chrono::steady_clock::now() + std::max(*timeout, std::chrono::nanoseconds(0));
}

void SetDeadline(grpc::ClientContext& context, SteadyTime deadline) {
  if (deadline == kNever) return;
  const std::chrono::nanoseconds left = deadline - std::chrono::steady_clock::now();
  context.set_deadline(
      gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), gpr_time_from_nanos(left.count(), GPR_TIMESPAN)));
}

}  // namespace workpool::client
