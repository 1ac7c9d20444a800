// The states of a job and the one table of its transitions (docs/jobs.md). Every change of state
// goes through Next; a pair that is not in the table is impossible and aborts.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace workpool {

enum class JobState : std::uint8_t {
  kScheduled,
  kRetrying,
  kQueued,
  kActive,
  kSucceeded,
  kDead,
  kCancelled,
  kExpired,
};
inline constexpr int kJobStates = 8;

enum class JobEvent : std::uint8_t {
  kTaken,          // a worker takes it
  kSucceed,        // its handler returned a result
  kFail,           // its handler failed, no attempt is left
  kCancelWaiting,  // cancelled before it ran
  kEndCancelled,   // its handler has ended after a cancel
  kRunDeadline,    // RunWork's deadline came before it ran
  kInterrupt,      // a shutdown took its worker away: it goes back, the attempt does not count
};
inline constexpr int kJobEvents = 7;

// The state after `event`, or nothing if the pair is not in the table.
std::optional<JobState> Transition(JobState from, JobEvent event);

// As Transition; aborts where there is none.
JobState Next(JobState from, JobEvent event);

bool IsFinished(JobState state);

// "QUEUED" and so on.
std::string_view NameOf(JobState state);
std::optional<JobState> StateFromName(std::string_view name);

}  // namespace workpool
