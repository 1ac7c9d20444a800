// What a transport hands to the dispatcher with a post, and how it is answered.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/clock.h"
#include "base/error.h"
#include "jobs/job.h"
#include "jobs/job_view.h"

namespace workpool {

struct Posted {
  JobId id = 0;
  bool duplicate = false;
};
using PostDone = std::move_only_function<void(Result<Posted>)>;
using FinishedDone = std::move_only_function<void(Result<JobView>)>;

// Answers each item of a batch, with its index. Items that wait for room may be answered by several
// threads at once.
using BatchDone = std::move_only_function<void(std::size_t index, Result<Posted>)>;

// Names a post that may still wait for room, or a wait for a job's end. 0 is none. Naming one that
// is over is harmless.
using Ticket = std::uint64_t;

struct PostRequest {
  Work work;
  // The caller's own deadline: a wait for room ends before it by a tenth of what is left, at most
  // 100 ms, so that the caller sees the reason.
  std::optional<SteadyTime> call_deadline;
  // RunWork: no attempt starts after this, a running one is stopped shortly before it, and the job
  // ends DEAD with code TIMEOUT.
  std::optional<SteadyTime> run_deadline;
  // Called after `done`. Told the outcome, whatever retention does; only if the post is accepted.
  FinishedDone finished;
};

}  // namespace workpool
