#include "rpc/job_to_proto.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace workpool::rpc {
namespace {

using namespace std::chrono_literals;

std::shared_ptr<Job> SomeJob() {
  auto job = std::make_shared<Job>();
  job->id = (std::uint64_t{1} << 62) + 1;
  job->handler = "resize";
  job->pool = "images";
  job->payload = std::string_view("\0\xff", 2);
  job->content_type = "image/png";
  job->caller = "shop";
  job->priority = 7;
  job->weight = 3;
  job->timeout = 30s;
  static const Metadata metadata = {{"k", "v"}};
  job->metadata = &metadata;
  job->accepted_at = WallTime(1'700'000'000s);
  return job;
}

v1::Job Convert(JobView view, bool with_payload = false) {
  v1::Job out;
  ToProto(std::move(view), with_payload, out);
  return out;
}

TEST(JobToProto, AQueuedJobShowsWhatWasPosted) {
  JobView view;
  view.job = SomeJob();
  view.queue_wait = 1500ms;
  const v1::Job job = Convert(view);
  EXPECT_EQ(job.id(), (std::uint64_t{1} << 62) + 1);
  EXPECT_EQ(job.handler(), "resize");
  EXPECT_EQ(job.pool(), "images");
  EXPECT_EQ(job.state(), v1::JOB_STATE_QUEUED);
  EXPECT_EQ(job.attempt(), 0U);
  EXPECT_EQ(job.max_attempts(), 1U);
  EXPECT_EQ(job.priority(), 7U);
  EXPECT_EQ(job.weight(), 3U);
  EXPECT_EQ(job.caller(), "shop");
  EXPECT_EQ(job.content_type(), "image/png");
  EXPECT_EQ(job.metadata().at("k"), "v");
  EXPECT_EQ(job.timeout().seconds(), 30);
  EXPECT_EQ(job.accepted_at().seconds(), 1'700'000'000);
  EXPECT_EQ(job.queue_wait().nanos(), 500'000'000);
  EXPECT_FALSE(job.has_started_at());
  EXPECT_FALSE(job.has_run_time());
  EXPECT_FALSE(job.has_worker());
  EXPECT_FALSE(job.has_error());
}

TEST(JobToProto, AFinishedJobShowsItsOutcome) {
  JobView view;
  view.job = SomeJob();
  view.state = JobState::kDead;
  view.attempt = 1;
  view.started_at = WallTime(1'700'000'001s);
  view.finished_at = WallTime(1'700'000'003s);
  view.run_time = 2s;
  view.result = "partial";
  view.result_truncated = true;
  view.failure = JobFailure{"TIMEOUT", "took too long", true};
  view.log = "line\n";
  view.log_truncated = true;
  view.progress = 0.5;
  view.progress_note = "half";
  const v1::Job job = Convert(view);
  EXPECT_EQ(job.state(), v1::JOB_STATE_DEAD);
  EXPECT_EQ(job.attempt(), 1U);
  EXPECT_EQ(job.started_at().seconds(), 1'700'000'001);
  EXPECT_EQ(job.finished_at().seconds(), 1'700'000'003);
  EXPECT_EQ(job.run_time().seconds(), 2);
  EXPECT_EQ(job.result(), "partial");
  EXPECT_EQ(job.result_bytes(), 7U);
  EXPECT_TRUE(job.result_truncated());
  EXPECT_EQ(job.error().code(), "TIMEOUT");
  EXPECT_EQ(job.error().message(), "took too long");
  EXPECT_TRUE(job.error().no_retry());
  EXPECT_EQ(job.log(), "line\n");
  EXPECT_TRUE(job.log_truncated());
  EXPECT_DOUBLE_EQ(job.progress(), 0.5);
  EXPECT_EQ(job.progress_note(), "half");
}

TEST(JobToProto, AnActiveJobNamesItsWorkerAlsoNumberZero) {
  JobView view;
  view.job = SomeJob();
  view.state = JobState::kActive;
  view.worker = 0;
  view.stopping = true;
  const v1::Job job = Convert(view);
  EXPECT_TRUE(job.has_worker());
  EXPECT_EQ(job.worker(), 0U);
  EXPECT_TRUE(job.stopping());
}

TEST(JobToProto, ThePayloadComesOnlyWhenAskedFor) {
  JobView view;
  view.job = SomeJob();
  EXPECT_TRUE(Convert(view).payload().empty());
  EXPECT_EQ(Convert(view).payload_bytes(), 2U);
  EXPECT_EQ(Convert(view, true).payload(), std::string("\0\xff", 2));
}

TEST(JobToProto, TextsAreMadeValidAndBytesAreNot) {
  JobView view;
  auto job = SomeJob();
  job->caller = "a\xff";
  view.job = job;
  view.failure = JobFailure{"X\xc3", "\xf0\x28", false};
  view.log = std::string("\0\xfe", 2);
  view.progress_note = "\x80";
  view.result = "\xff\xfe";
  const v1::Job out = Convert(view);
  const std::string mark = "\xEF\xBF\xBD";
  EXPECT_EQ(out.caller(), "a" + mark);
  EXPECT_EQ(out.log(), mark + mark);
  EXPECT_EQ(out.progress_note(), mark);
  EXPECT_EQ(out.result(), "\xff\xfe");
  // What protobuf itself takes for valid: it refuses to parse a text that is not.
  v1::Job back;
  EXPECT_TRUE(back.ParseFromString(out.SerializeAsString()));
}

TEST(JobToProto, EveryStateHasItsOwnName) {
  for (int i = 0; i < kJobStates; ++i) {
    const auto state = static_cast<JobState>(i);
    EXPECT_EQ(v1::JobState_Name(ToProto(state)), "JOB_STATE_" + std::string(NameOf(state)));
  }
}

}  // namespace
}  // namespace workpool::rpc
