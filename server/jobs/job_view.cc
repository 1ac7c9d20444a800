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

}  // namespace workpool
