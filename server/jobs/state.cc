#include "jobs/state.h"

#include <array>

#include "base/check.h"

namespace workpool {
namespace {

struct Row {
  JobState from;
  JobEvent event;
  JobState to;
};

constexpr Row kTable[] = {
    {JobState::kQueued, JobEvent::kTaken, JobState::kActive},
    {JobState::kQueued, JobEvent::kCancelWaiting, JobState::kCancelled},
    {JobState::kQueued, JobEvent::kRunDeadline, JobState::kDead},
    {JobState::kActive, JobEvent::kSucceed, JobState::kSucceeded},
    {JobState::kActive, JobEvent::kFail, JobState::kDead},
    {JobState::kActive, JobEvent::kEndCancelled, JobState::kCancelled},
    {JobState::kActive, JobEvent::kInterrupt, JobState::kQueued},
};

constexpr std::array<std::string_view, kJobStates> kNames = {
    "SCHEDULED", "RETRYING", "QUEUED", "ACTIVE", "SUCCEEDED", "DEAD", "CANCELLED", "EXPIRED"};

}  // namespace

std::optional<JobState> Transition(JobState from, JobEvent event) {
  for (const Row& row : kTable) {
    if (row.from == from && row.event == event) return row.to;
  }
  return std::nullopt;
}

JobState Next(JobState from, JobEvent event) {
  const std::optional<JobState> to = Transition(from, event);
  WORKPOOL_CHECK(to.has_value());
  return *to;
}

bool IsFinished(JobState state) { return state >= JobState::kSucceeded; }

std::string_view NameOf(JobState state) { return kNames[static_cast<std::size_t>(state)]; }

std::optional<JobState> StateFromName(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<JobState>(i);
  }
  return std::nullopt;
}

}  // namespace workpool
