#include "jobs/ending.h"

#include <fmt/format.h>

#include <utility>

#include "base/names.h"
#include "base/units.h"

namespace workpool {
namespace {

constexpr std::size_t kCodeBytes = 64;

JobFailure TooLarge(std::size_t size, std::uint64_t max_result) {
  return {"RESULT_TOO_LARGE", fmt::format("the result has {} bytes, at most {}", size, max_result),
          true};
}

// The handler's own words follow: they may say how far it had come.
JobFailure Stopped(std::string code, std::string why, const JobFailure& said) {
  if (!said.message.empty()) why += ": " + said.message;
  return {std::move(code), ToValidUtf8(why, kErrorMessageBytes), false};
}

std::string WhyLate(std::optional<std::chrono::nanoseconds> timeout) {
  if (!timeout) return "stopped at its caller's deadline";
  return "stopped after its timeout of " + FormatDuration(*timeout);
}

}  // namespace

Report MakeReport(Outcome&& outcome, std::uint64_t max_result) {
  Report report;
  JobView& view = report.view;
  report.success = outcome.success() && !outcome.stopped();
  view.result_truncated = outcome.truncated();
  if (!report.success) {
    JobFailure& failure = view.failure.emplace(
        JobFailure{ToValidUtf8(outcome.code(), kCodeBytes),
                   ToValidUtf8(outcome.message(), kErrorMessageBytes), outcome.no_retry()});
    if (failure.code.empty()) failure.code = "FAILED";
  }
  view.result = outcome.TakeResult();
  if (view.result.size() <= max_result) return report;
  if (report.success) {
    view.failure = TooLarge(view.result.size(), max_result);
    report.success = false;
    report.result_too_large = true;
    view.result = {};
    return report;
  }
  view.result.resize(max_result);
  view.result.shrink_to_fit();
  view.result_truncated = true;
  return report;
}

Ending Decide(Report& report, StopReason told, std::optional<std::chrono::nanoseconds> timeout) {
  if (report.success) return {JobEvent::kSucceed, AttemptOutcome::kSucceeded};
  if (report.result_too_large || told == StopReason::kNone) return {};
  if (told == StopReason::kCancel) {
    report.view.failure = Stopped("CANCELLED", "cancelled while it ran", *report.view.failure);
    return {JobEvent::kEndCancelled, AttemptOutcome::kCancelled};
  }
  if (told == StopReason::kTimeout) {
    report.view.failure = Stopped("TIMEOUT", WhyLate(timeout), *report.view.failure);
    return {JobEvent::kFail, AttemptOutcome::kTimeout};
  }
  return {JobEvent::kInterrupt, AttemptOutcome::kInterrupted};
}

JobFailure CancelledFailure() { return {"CANCELLED", "cancelled before it ran", false}; }

JobFailure RunDeadlineFailure() {
  return {"TIMEOUT", "the caller's deadline came before it ran", false};
}

}  // namespace workpool
