#include "jobs/job.h"

#include <utility>

namespace workpool {
namespace {

struct KeptJob {
  std::string texts;  // one after the other
  Metadata metadata;
  Job job;
};

}  // namespace

std::shared_ptr<const Job> KeepJob(const Job& job) {
  const auto kept = std::make_shared<KeptJob>();
  kept->job = job;
  if (job.metadata != nullptr) {
    kept->metadata = *job.metadata;
    kept->job.metadata = &kept->metadata;
  }
  std::string_view* const texts[] = {&kept->job.handler, &kept->job.pool, &kept->job.payload,
                                     &kept->job.content_type, &kept->job.caller};
  for (const std::string_view* text : texts) kept->texts.append(*text);
  const char* at = kept->texts.data();
  for (std::string_view* text : texts) {
    *text = {at, text->size()};
    at += text->size();
  }
  return {kept, &kept->job};
}

}  // namespace workpool
