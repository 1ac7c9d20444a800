#include "stores/record_log.h"

#include <gtest/gtest.h>

#include <string>

namespace workpool {
namespace {

using std::chrono::seconds;

JobView ViewOf(JobId id, std::size_t payload_bytes) {
  const std::string payload(payload_bytes, static_cast<char>('a' + id % 26));
  Job job;
  job.id = id;
  job.payload = payload;
  JobView view;
  view.job = KeepJob(job);
  return view;
}

TEST(RecordLog, GivesBackInTheOrderOfKeeping) {
  RecordLog log;
  EXPECT_TRUE(log.empty());
  JobId next = 1;
  JobId oldest = 1;
  std::uint64_t bytes = 0;
  // Small and large ones, so that chunks of all sizes come and go; many more than are kept.
  for (int round = 0; round < 2000; ++round) {
    const JobView view = ViewOf(next, next % 100 == 0 ? 200'000 : next % 50);
    const Record& record = log.Add(view, SteadyTime(seconds(next)));
    EXPECT_EQ(record.id(), next);
    bytes += record.size() + RecordLog::kIndexBytes;
    ++next;
    if (log.count() <= 150) continue;
    const Record& front = log.front();
    EXPECT_EQ(front.id(), oldest);
    EXPECT_EQ(front.kept_since(), SteadyTime(seconds(oldest)));
    EXPECT_EQ(front.View()->job->payload,
              ViewOf(oldest, front.View()->job->payload.size()).job->payload);
    bytes -= front.size() + RecordLog::kIndexBytes;
    log.PopFront();
    ++oldest;
    EXPECT_EQ(log.bytes(), bytes);
  }
  EXPECT_EQ(log.count(), 150u);
  while (!log.empty()) log.PopFront();
  EXPECT_EQ(log.bytes(), 0u);
  EXPECT_EQ(log.Add(ViewOf(9, 1), {}).id(), 9u);
}

}  // namespace
}  // namespace workpool
