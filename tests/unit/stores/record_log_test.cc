#include "stores/record_log.h"

#include <gtest/gtest.h>

#include <string>

namespace workpool {
namespace {

using std::chrono::seconds;

// Small and large ones, so that chunks of all sizes come and go.
std::string PayloadOf(JobId id) {
  return std::string(id % 100 == 0 ? 200'000 : id % 50, static_cast<char>('a' + id % 26));
}

JobView ViewOf(JobId id) {
  const std::string payload = PayloadOf(id);
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
  for (int round = 0; round < 2000; ++round) {  // many more than are kept
    const Record& record = log.Add(ViewOf(next), SteadyTime(seconds(next)));
    EXPECT_EQ(record.id(), next);
    bytes += record.size() + RecordLog::kIndexBytes;
    ++next;
    if (log.count() <= 150) continue;
    const Record& front = log.front();
    EXPECT_EQ(front.id(), oldest);
    EXPECT_EQ(front.kept_since(), SteadyTime(seconds(oldest)));
    EXPECT_EQ(front.View()->job->payload, PayloadOf(oldest));
    bytes -= front.size() + RecordLog::kIndexBytes;
    log.PopFront();
    ++oldest;
    EXPECT_EQ(log.bytes(), bytes);
  }
  EXPECT_EQ(log.count(), 150u);
  while (!log.empty()) log.PopFront();
  EXPECT_EQ(log.bytes(), 0u);
  EXPECT_EQ(log.Add(ViewOf(9), {}).id(), 9u);
}

}  // namespace
}  // namespace workpool
