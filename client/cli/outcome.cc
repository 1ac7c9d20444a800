#include "outcome.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/names.h"
#include "show.h"

namespace workpool::cli {

namespace {

constexpr std::size_t kMaxLogShown = 16 * 1024;

void ExplainFailure(const client::Job& job) {
  if (!job.log.empty()) {
    const std::string log = ToValidUtf8(job.log, kMaxLogShown);
    Tell(log + (log.ends_with('\n') ? "" : "\n"));
  }
  const std::string why =
      job.error ? fmt::format(": {}: {}", Clean(job.error->code), Clean(job.error->message)) : "";
  Complain(fmt::format("job {} is {}{}", job.id, client::NameOf(job.state), why));
}

}  // namespace

Exit ShowOutcome(const Session& session, const client::Job& job, bool raw) {
  const bool succeeded = job.state == client::JobState::kSucceeded;
  if (session.json) {
    PrintJson(JsonOf(job));
  } else {
    Print(job.result);
    if (!raw && (succeeded || !job.result.empty()) && !job.result.ends_with('\n')) Print("\n");
  }
  if (!succeeded) ExplainFailure(job);
  return succeeded ? Exit::kDone : Exit::kJobFailed;
}

}  // namespace workpool::cli
