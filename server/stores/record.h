// A finished job as the memory store keeps it: a head of fixed size and its texts behind it, in one
// piece of memory that needs no destruction. So keeping a job is a copy, and dropping the oldest of
// many touches nothing but its head.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "base/clock.h"
#include "jobs/job_view.h"
#include "jobs/store.h"

namespace workpool {

// Constant once written.
class Record {
 public:
  // The memory that `view` takes: a multiple of alignof(Record).
  static std::size_t SizeOf(const JobView& view);
  // Writes to `memory`, which must be aligned and have SizeOf(view) bytes.
  static const Record& Write(std::span<std::byte> memory, const JobView& view,
                             SteadyTime kept_since);

  std::size_t size() const { return size_; }
  JobId id() const { return id_; }
  SteadyTime kept_since() const { return kept_since_; }

  bool Matches(const JobFilter& filter) const;
  // A copy.
  std::shared_ptr<const JobView> View() const;

 private:
  enum Text : std::uint8_t {
    kHandler,
    kPool,
    kPayload,
    kContentType,
    kCaller,
    kProgressNote,
    kResult,
    kFailureCode,
    kFailureMessage,
    kLog,
    kMetadata,  // for each key and value: its length in 4 bytes, then itself
  };
  static constexpr std::size_t kTexts = kMetadata + 1;
  using Texts = std::array<std::string_view, kTexts>;

  // Calls `visit` with each text but the metadata, which lies in no text yet, in their order.
  template <typename Visit>
  static void VisitTexts(const JobView& view, Visit visit);

  // The texts are still to be written.
  Record(const JobView& view, SteadyTime kept_since, std::size_t size);
  void WriteTexts(const JobView& view);
  Texts texts() const;
  Job JobOf(const Texts& texts) const;

  JobId id_;
  SteadyTime kept_since_;
  WallTime accepted_at_;
  WallTime started_at_;
  WallTime finished_at_;
  std::chrono::nanoseconds timeout_;
  std::chrono::nanoseconds queue_wait_;
  std::chrono::nanoseconds run_time_;
  double progress_;
  std::size_t size_;
  std::uint32_t worker_;
  std::int32_t attempt_;
  std::int32_t max_attempts_;
  std::uint32_t weight_;
  std::uint8_t priority_;
  JobState state_;
  bool has_worker_ : 1;
  bool started_ : 1;
  bool finished_ : 1;
  bool has_progress_ : 1;
  bool result_truncated_ : 1;
  bool failed_ : 1;
  bool no_retry_ : 1;
  bool log_truncated_ : 1;
  std::array<std::uint32_t, kTexts> lengths_;
};

}  // namespace workpool
