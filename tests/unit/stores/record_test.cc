#include "stores/record.h"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

namespace workpool {
namespace {

using std::chrono::seconds;

// Of a record that is written and read again.
class RecordTest : public ::testing::Test {
 protected:
  const Record& Write(const JobView& view) {
    const std::size_t size = Record::SizeOf(view);
    EXPECT_EQ(size % alignof(Record), 0u);
    memory_.assign(size + 1, std::byte{0xAA});
    const Record& record =
        Record::Write(std::span(memory_).first(size), view, SteadyTime(seconds(7)));
    EXPECT_EQ(record.size(), size);
    EXPECT_EQ(memory_.back(), std::byte{0xAA});
    return record;
  }

  std::vector<std::byte> memory_;
};

TEST_F(RecordTest, KeepsEverything) {
  const Metadata metadata = {{"", "empty"}, {"k", std::string("\0v", 2)}, {"traceparent", ""}};
  Job job;
  job.id = JobId{1} << 62;
  job.handler = "resize";
  job.pool = "images";
  job.payload = std::string_view("\0\xff", 2);
  job.content_type = "image/png";
  job.caller = "shop";
  job.priority = 9;
  job.max_attempts = 3;
  job.weight = 4;
  job.timeout = seconds(30);
  job.metadata = &metadata;
  job.accepted_at = WallTime(seconds(1'700'000'000));
  JobView view;
  view.job = KeepJob(job);
  view.state = JobState::kDead;
  view.attempt = 3;
  view.worker = 0;
  view.started_at = WallTime(seconds(1'700'000'001));
  view.finished_at = WallTime(seconds(1'700'000'002));
  view.queue_wait = seconds(1);
  view.run_time = seconds(2);
  view.progress = 0.5;
  view.progress_note = "half";
  view.result = std::string(100'000, 'r');
  view.result_truncated = true;
  view.failure = JobFailure{"CODE", "message", true};
  view.log = "line\n";
  view.log_truncated = true;

  const Record& record = Write(view);
  EXPECT_EQ(record.id(), job.id);
  EXPECT_EQ(record.kept_since(), SteadyTime(seconds(7)));
  const std::shared_ptr<const JobView> read = record.View();
  EXPECT_EQ(read->job->id, job.id);
  EXPECT_EQ(read->job->handler, job.handler);
  EXPECT_EQ(read->job->pool, job.pool);
  EXPECT_EQ(read->job->payload, job.payload);
  EXPECT_EQ(read->job->content_type, job.content_type);
  EXPECT_EQ(read->job->caller, job.caller);
  EXPECT_EQ(read->job->priority, job.priority);
  EXPECT_EQ(read->job->max_attempts, job.max_attempts);
  EXPECT_EQ(read->job->weight, job.weight);
  EXPECT_EQ(read->job->timeout, job.timeout);
  ASSERT_NE(read->job->metadata, nullptr);
  EXPECT_EQ(*read->job->metadata, metadata);
  EXPECT_EQ(read->job->accepted_at, job.accepted_at);
  EXPECT_EQ(read->state, view.state);
  EXPECT_EQ(read->attempt, view.attempt);
  EXPECT_FALSE(read->stopping);
  EXPECT_EQ(read->worker, view.worker);
  EXPECT_EQ(read->started_at, view.started_at);
  EXPECT_EQ(read->finished_at, view.finished_at);
  EXPECT_EQ(read->queue_wait, view.queue_wait);
  EXPECT_EQ(read->run_time, view.run_time);
  EXPECT_EQ(read->progress, view.progress);
  EXPECT_EQ(read->progress_note, view.progress_note);
  EXPECT_EQ(read->result, view.result);
  EXPECT_TRUE(read->result_truncated);
  ASSERT_TRUE(read->failure);
  EXPECT_EQ(read->failure->code, "CODE");
  EXPECT_EQ(read->failure->message, "message");
  EXPECT_TRUE(read->failure->no_retry);
  EXPECT_EQ(read->log, view.log);
  EXPECT_TRUE(read->log_truncated);
}

TEST_F(RecordTest, WhatWasUnsetIsUnset) {
  JobView view;
  view.job = KeepJob(Job());
  view.state = JobState::kCancelled;
  const auto read = Write(view).View();
  EXPECT_FALSE(read->worker);
  EXPECT_FALSE(read->started_at);
  EXPECT_FALSE(read->finished_at);
  EXPECT_FALSE(read->progress);
  EXPECT_FALSE(read->failure);
  EXPECT_FALSE(read->result_truncated);
  EXPECT_FALSE(read->log_truncated);
  EXPECT_EQ(read->job->metadata, nullptr);
  EXPECT_TRUE(read->job->payload.empty());
}

TEST_F(RecordTest, IsMatchedWithoutACopy) {
  Job job;
  job.handler = "h";
  job.pool = "p";
  JobView view;
  view.job = KeepJob(job);
  view.state = JobState::kDead;
  const Record& record = Write(view);
  JobFilter filter;
  filter.pool = "p";
  filter.handler = "h";
  filter.states = {JobState::kDead};
  EXPECT_TRUE(record.Matches(filter));
  filter.handler = "other";
  EXPECT_FALSE(record.Matches(filter));
}

// The bounds of retention count on it: 100,000 small records within 64 MiB, and far below.
TEST_F(RecordTest, ASmallOneTakesLittle) {
  Job job;
  job.handler = "noop";
  job.pool = "default";
  const std::string payload(64, 'x');
  job.payload = payload;
  JobView view;
  view.job = KeepJob(job);
  EXPECT_LE(Record::SizeOf(view), 224u);
}

}  // namespace
}  // namespace workpool
