#include "jobs/job_entry.h"

#include <gtest/gtest.h>

#include <string>

#include "fakes/dispatcher_rig.h"

namespace workpool {
namespace {

class NoOwner final : public JobOwner {
 public:
  RunStatus Run(JobEntry&, Place) noexcept override { return RunStatus::kFinished; }
  void WaitsAccepted(std::span<Task* const>) noexcept override {}
  void WaitRefused(JobEntry&, Refusal) noexcept override {}
};

class JobEntryTest : public ::testing::Test {
 protected:
  Ref<JobEntry> Make(Work work) { return JobEntry::Make(owner_, route_, std::move(work)); }

  NoOwner owner_;
  PoolConfig pool_ = MakePoolConfig("images", 1, 1);
  Ref<const Route> route_ = MakeRef<const Route>(
      std::make_shared<PoolSlot>(pool_, std::make_unique<ManualPool>(pool_.limits)),
      std::make_shared<const HandlerConfig>(EchoConfig("images")));
};

// A job of 64 bytes takes 256 bytes, with malloc's word and its place in the table.
TEST_F(JobEntryTest, IsSmall) {
  constexpr std::size_t kPayload = 64;
  constexpr std::size_t kMallocWord = 8;
  constexpr std::size_t kInTable = 16;
  EXPECT_LE(sizeof(JobEntry) + kPayload + kMallocWord + kInTable, 256u);
}

TEST_F(JobEntryTest, ShowsWhatWasPosted) {
  for (const std::size_t payload_bytes : {0uz, 1uz, 64uz, 4096uz, 4097uz, 100'000uz}) {
    for (const bool with_metadata : {false, true}) {
      Work work;
      work.payload = std::string(payload_bytes, 'p');
      work.content_type = std::string(100, 't');
      work.caller = "shop";
      work.priority = 7;
      work.weight = 2;
      work.timeout = std::chrono::seconds(3);
      if (with_metadata) work.metadata = {{"k", "v"}};
      const Work posted = work;
      const Ref<JobEntry> entry = Make(std::move(work));
      const Job job = entry->job();
      EXPECT_EQ(job.handler, "echo");
      EXPECT_EQ(job.pool, "images");
      EXPECT_EQ(job.payload, posted.payload);
      EXPECT_EQ(job.content_type, posted.content_type);
      EXPECT_EQ(job.caller, posted.caller);
      EXPECT_EQ(job.priority, 7);
      EXPECT_EQ(job.weight, 2u);
      EXPECT_EQ(job.timeout, std::chrono::seconds(3));
      EXPECT_EQ(job.metadata == nullptr, !with_metadata);
      if (job.metadata != nullptr) {
        EXPECT_EQ(*job.metadata, posted.metadata);
      }
      EXPECT_EQ(entry->bytes, BytesOf(job));
    }
  }
}

TEST_F(JobEntryTest, ASharedJobKeepsTheEntry) {
  Work work;
  work.payload = "payload";
  const std::shared_ptr<const Job> shared = Make(std::move(work))->SharedJob();
  EXPECT_EQ(shared->payload, "payload");
  const std::shared_ptr<const Job> copy = KeepJob(*shared);
  EXPECT_EQ(copy->payload, "payload");
  EXPECT_NE(copy->payload.data(), shared->payload.data());
  EXPECT_EQ(copy->pool, "images");
}

}  // namespace
}  // namespace workpool
