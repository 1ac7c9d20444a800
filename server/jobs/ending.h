// Decides how an attempt has ended: from what its handler said, and from what it had been told.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "jobs/handler.h"
#include "jobs/job_view.h"
#include "jobs/observer.h"
#include "jobs/state.h"

namespace workpool {

// Why a handler has been told to stop; a later one in this list outranks an earlier one.
enum class StopReason : std::uint8_t { kNone, kShutdown, kTimeout, kCancel };

// What a handler said, within bounds and as valid text. Making it may take long for a huge text;
// deciding from it does not.
struct Report {
  bool success = false;  // and not the success of something that was stopped
  bool result_too_large = false;
  JobView view;  // of it the result, and the failure of all but a success
};
Report MakeReport(Outcome&& outcome, std::uint64_t max_result);

struct Ending {
  JobEvent event = JobEvent::kFail;
  AttemptOutcome outcome = AttemptOutcome::kFailed;
};
// docs/jobs.md, "How an attempt ends". Makes the view's failure the one that the job shows.
// `timeout`: the job's own, if it was that which ran out and not its caller's deadline.
Ending Decide(Report& report, StopReason told,
              std::optional<std::chrono::nanoseconds> timeout = std::nullopt);

// What a job shows that was ended while it was QUEUED.
JobFailure CancelledFailure();
JobFailure RunDeadlineFailure();

}  // namespace workpool
