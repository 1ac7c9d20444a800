#include "stores/record.h"

#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace workpool {
namespace {

static_assert(std::is_trivially_destructible_v<Record>);

using Length = std::uint32_t;

std::size_t MetadataBytes(const Metadata* metadata) {
  std::size_t bytes = 0;
  if (metadata == nullptr) return bytes;
  for (const auto& [key, value] : *metadata) {
    bytes += 2 * sizeof(Length) + key.size() + value.size();
  }
  return bytes;
}

char* Put(char* at, std::string_view text) {
  if (!text.empty()) std::memcpy(at, text.data(), text.size());
  return at + text.size();
}

char* PutCounted(char* at, std::string_view text) {
  const auto length = static_cast<Length>(text.size());
  std::memcpy(at, &length, sizeof(length));
  return Put(at + sizeof(length), text);
}

std::string_view TakeCounted(std::string_view& bytes) {
  Length length = 0;
  std::memcpy(&length, bytes.data(), sizeof(length));
  const std::string_view text = bytes.substr(sizeof(length), length);
  bytes.remove_prefix(sizeof(length) + length);
  return text;
}

Metadata ReadMetadata(std::string_view bytes) {
  Metadata metadata;
  while (!bytes.empty()) {
    std::string key(TakeCounted(bytes));
    metadata.emplace(std::move(key), TakeCounted(bytes));
  }
  return metadata;
}

}  // namespace

template <typename Visit>
void Record::VisitTexts(const JobView& view, Visit visit) {
  visit(kHandler, view.job->handler);
  visit(kPool, view.job->pool);
  visit(kPayload, view.job->payload);
  visit(kContentType, view.job->content_type);
  visit(kCaller, view.job->caller);
  visit(kProgressNote, view.progress_note);
  visit(kResult, view.result);
  visit(kFailureCode, view.failure ? std::string_view(view.failure->code) : std::string_view());
  visit(kFailureMessage,
        view.failure ? std::string_view(view.failure->message) : std::string_view());
  visit(kLog, view.log);
}

std::size_t Record::SizeOf(const JobView& view) {
  std::size_t size = sizeof(Record) + MetadataBytes(view.job->metadata);
  VisitTexts(view, [&size](Text, std::string_view text) { size += text.size(); });
  return (size + alignof(Record) - 1) / alignof(Record) * alignof(Record);
}

const Record& Record::Write(std::span<std::byte> memory, const JobView& view,
                            SteadyTime kept_since) {
  auto* const record = new (memory.data()) Record(view, kept_since, memory.size());
  record->WriteTexts(view);
  return *record;
}

void Record::WriteTexts(const JobView& view) {
  char* at = reinterpret_cast<char*>(this + 1);
  VisitTexts(view, [this, &at](Text number, std::string_view text) {
    lengths_[number] = static_cast<Length>(text.size());
    at = Put(at, text);
  });
  char* const metadata = at;
  if (view.job->metadata != nullptr) {
    for (const auto& [key, value] : *view.job->metadata) {
      at = PutCounted(PutCounted(at, key), value);
    }
  }
  lengths_[kMetadata] = static_cast<Length>(at - metadata);
}

Record::Record(const JobView& view, SteadyTime kept_since, std::size_t size)
    : id_(view.job->id),
      kept_since_(kept_since),
      accepted_at_(view.job->accepted_at),
      started_at_(view.started_at.value_or(WallTime())),
      finished_at_(view.finished_at.value_or(WallTime())),
      timeout_(view.job->timeout),
      queue_wait_(view.queue_wait),
      run_time_(view.run_time),
      progress_(view.progress.value_or(0)),
      size_(size),
      worker_(view.worker.value_or(0)),
      attempt_(view.attempt),
      max_attempts_(view.job->max_attempts),
      weight_(view.job->weight),
      priority_(static_cast<std::uint8_t>(view.job->priority)),
      state_(view.state),
      has_worker_(view.worker.has_value()),
      started_(view.started_at.has_value()),
      finished_(view.finished_at.has_value()),
      has_progress_(view.progress.has_value()),
      result_truncated_(view.result_truncated),
      failed_(view.failure.has_value()),
      no_retry_(view.failure && view.failure->no_retry),
      log_truncated_(view.log_truncated) {}

Record::Texts Record::texts() const {
  Texts texts;
  const char* at = reinterpret_cast<const char*>(this + 1);
  for (std::size_t i = 0; i < kTexts; ++i) {
    texts[i] = {at, lengths_[i]};
    at += lengths_[i];
  }
  return texts;
}

Job Record::JobOf(const Texts& texts) const {
  Job job;
  job.id = id_;
  job.handler = texts[kHandler];
  job.pool = texts[kPool];
  job.payload = texts[kPayload];
  job.content_type = texts[kContentType];
  job.caller = texts[kCaller];
  job.priority = priority_;
  job.weight = weight_;
  job.max_attempts = max_attempts_;
  job.timeout = timeout_;
  job.accepted_at = accepted_at_;
  return job;
}

bool Record::Matches(const JobFilter& filter) const {
  return filter.Matches(JobOf(texts()), state_);
}

std::shared_ptr<const JobView> Record::View() const {
  const Texts texts = this->texts();
  const Metadata metadata = ReadMetadata(texts[kMetadata]);
  Job job = JobOf(texts);
  if (!metadata.empty()) job.metadata = &metadata;
  auto view = std::make_shared<JobView>();
  view->job = KeepJob(job);
  view->state = state_;
  view->attempt = attempt_;
  if (has_worker_) view->worker = worker_;
  if (started_) view->started_at = started_at_;
  if (finished_) view->finished_at = finished_at_;
  view->queue_wait = queue_wait_;
  view->run_time = run_time_;
  if (has_progress_) view->progress = progress_;
  view->progress_note = texts[kProgressNote];
  view->result = texts[kResult];
  view->result_truncated = result_truncated_;
  if (failed_) {
    view->failure = JobFailure{std::string(texts[kFailureCode]),
                               std::string(texts[kFailureMessage]), no_retry_};
  }
  view->log = texts[kLog];
  view->log_truncated = log_truncated_;
  return view;
}

}  // namespace workpool
