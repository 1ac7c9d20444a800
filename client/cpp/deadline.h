// The end of a call on the monotonic clock.
#pragma once

#include <grpcpp/client_context.h>

#include <chrono>
#include <optional>

namespace workpool::client {

using SteadyTime = std::chrono::steady_clock::time_point;

// No deadline.
inline constexpr SteadyTime kNever = SteadyTime::max();

// `timeout` from now; kNever without one and for one too long to be told from it.
SteadyTime DeadlineIn(std::optional<std::chrono::nanoseconds> timeout);

// The same to within some milliseconds, which is closer than a long timeout needs and costs far
// less than the exact time.
SteadyTime RoughDeadlineIn(std::chrono::nanoseconds timeout);

// Must be called before the call starts.
void SetDeadline(grpc::ClientContext& context, SteadyTime deadline);

}  // namespace workpool::client
