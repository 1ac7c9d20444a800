#include "jobs/job_view.h"

namespace workpool {

std::uint64_t BytesOf(const Job& job) {
  std::uint64_t bytes = job.payload.size() + job.handler.size() + job.pool.size() +
                        job.content_type.size() + job.caller.size();
  if (job.metadata != nullptr) {
    for (const auto& [key, value] : *job.metadata) bytes += key.size() + value.size();
  }
  return bytes;
}

std::uint64_t BytesOf(const JobView& view) {
  std::uint64_t bytes = sizeof(JobView) + sizeof(Job) + BytesOf(*view.job) + view.result.size() +
                        view.log.size() + view.progress_note.size();
  if (view.failure.has_value()) bytes += view.failure->code.size() + view.failure->message.size();
  return bytes;
}

}  // namespace workpool
