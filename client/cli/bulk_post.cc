#include "bulk_post.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "bulk_file.h"
#include "options.h"
#include "progress.h"
#include "workpool/client.h"

namespace workpool::cli {

namespace {

// Enough to fill messages, little enough to hold in memory.
constexpr std::uint64_t kMaxOutstanding = 4000;
constexpr std::size_t kMaxOutstandingBytes = 32 * 1024 * 1024;
constexpr std::size_t kMaxShown = 10;
constexpr std::size_t kMaxKept = 1000;

struct Counts {
  std::uint64_t posted = 0;
  std::uint64_t accepted = 0;
  // No room.
  std::uint64_t rejected = 0;
  // Refused for another reason.
  std::uint64_t failed = 0;
  // Without an answer: they may have been accepted.
  std::uint64_t unknown = 0;

  std::uint64_t Answered() const { return accepted + rejected + failed + unknown; }
};

// A line that became no job because the daemon said so.
struct Refused {
  std::uint64_t line = 0;
  std::string reason;
  std::string message;
};

struct Failures {
  // The first ones, by line.
  std::vector<Refused> refused;
  // The first that was not for want of room.
  std::optional<client::Error> error;
};

// Thread safe.
class Tally {
 public:
  // Waits for room among the outstanding; false if posting makes no sense any more.
  bool Begin(std::size_t bytes, Progress& progress);
  void End(std::uint64_t line, std::size_t bytes, const client::Result<client::Posted>& outcome);
  void AwaitAll(Progress& progress);

  Counts counts();
  Failures failures();

 private:
  void Count(std::uint64_t line, const client::Error& error) REQUIRES(mutex_);
  void WaitABit(Progress& progress) REQUIRES(mutex_);

  Mutex mutex_;
  CondVar changed_;
  Counts counts_ GUARDED_BY(mutex_);
  std::size_t bytes_ GUARDED_BY(mutex_) = 0;
  bool hopeless_ GUARDED_BY(mutex_) = false;
  Failures failures_ GUARDED_BY(mutex_);
};

bool Tally::Begin(std::size_t bytes, Progress& progress) {
  const MutexLock lock(mutex_);
  while (!hopeless_ && counts_.posted > counts_.Answered() &&
         (counts_.posted - counts_.Answered() >= kMaxOutstanding ||
          bytes_ + bytes > kMaxOutstandingBytes)) {
    WaitABit(progress);
  }
  if (hopeless_) return false;
  ++counts_.posted;
  bytes_ += bytes;
  return true;
}

void Tally::End(std::uint64_t line, std::size_t bytes,
                const client::Result<client::Posted>& outcome) {
  const MutexLock lock(mutex_);
  bytes_ -= bytes;
  if (outcome) {
    ++counts_.accepted;
  } else {
    Count(line, outcome.error());
  }
  changed_.NotifyOne();
}

void Tally::Count(std::uint64_t line, const client::Error& error) {
  const Exit exit = ExitOf(error);
  const bool rejected = exit == Exit::kRejected;
  const bool lost = exit == Exit::kUnreachable;
  ++(rejected ? counts_.rejected : lost ? counts_.unknown : counts_.failed);
  hopeless_ = hopeless_ || lost || error.reason == "UNKNOWN_HANDLER";
  if (!rejected && !failures_.error) failures_.error = error;
  if (lost || failures_.refused.size() == kMaxKept) return;
  const std::string reason =
      error.reason.empty() ? std::string(client::NameOf(error.code)) : error.reason;
  failures_.refused.push_back({line, reason, error.message});
}

void Tally::AwaitAll(Progress& progress) {
  const MutexLock lock(mutex_);
  while (counts_.posted > counts_.Answered()) WaitABit(progress);
}

void Tally::WaitABit(Progress& progress) {
  changed_.WaitUntil(mutex_, std::chrono::steady_clock::now() + std::chrono::milliseconds(100));
  progress.Show(counts_.Answered(), counts_.accepted, counts_.rejected);
}

Counts Tally::counts() {
  const MutexLock lock(mutex_);
  return counts_;
}

Failures Tally::failures() {
  const MutexLock lock(mutex_);
  std::ranges::sort(failures_.refused, {}, &Refused::line);
  return failures_;
}

// How many jobs the file holds; nothing, after a complaint, if a line is wrong.
std::optional<std::uint64_t> CheckFile(const BulkOptions& options) {
  BulkFile file(options.path, options.defaults);
  std::uint64_t jobs = 0;
  while (file.Next()) ++jobs;
  if (file.failure().empty()) return jobs;
  Complain(file.failure());
  return std::nullopt;
}

client::PostOptions PostOptionsOf(const BulkOptions& options) {
  client::PostOptions post;
  // The daemon bounds every wait for room; a lost connection ends what waits on it.
  post.timeout = std::chrono::hours(24 * 3650);
  if (options.retry) post.attempts = std::numeric_limits<unsigned>::max();
  return post;
}

void PostAll(client::Client& client, BulkFile& file, const BulkOptions& options, Tally& tally,
             Progress& progress) {
  const client::PostOptions post = PostOptionsOf(options);
  while (auto work = file.Next()) {
    const std::size_t bytes = work->payload.size();
    if (!tally.Begin(bytes, progress)) break;
    const std::uint64_t line = file.line();
    client.PostAsync(
        std::move(*work),
        [&tally, line, bytes](const client::Result<client::Posted>& outcome) {
          tally.End(line, bytes, outcome);
        },
        post);
  }
  tally.AwaitAll(progress);
}

nlohmann::ordered_json JsonOf(const std::vector<Refused>& refused) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& [line, reason, message] : refused) {
    list.push_back({{"line", line}, {"reason", reason}, {"message", message}});
  }
  return list;
}

void Summarize(const Session& session, Tally& tally, std::uint64_t jobs, double seconds) {
  const Counts counts = tally.counts();
  const double rate = seconds > 0 ? static_cast<double>(counts.posted) / seconds : 0;
  if (session.json) {
    return PrintJson({{"jobs", jobs},
                      {"posted", counts.posted},
                      {"accepted", counts.accepted},
                      {"rejected", counts.rejected},
                      {"failed", counts.failed},
                      {"unknown", counts.unknown},
                      {"refused", JsonOf(tally.failures().refused)},
                      {"seconds", seconds},
                      {"posts_per_second", rate}});
  }
  std::string text = fmt::format("{} accepted, {} rejected", counts.accepted, counts.rejected);
  if (counts.failed > 0) text += fmt::format(", {} refused", counts.failed);
  if (counts.unknown > 0) text += fmt::format(", {} without an answer", counts.unknown);
  if (jobs > counts.posted) text += fmt::format(", {} not posted", jobs - counts.posted);
  Print(fmt::format("{} in {:.3g}s ({:.0f}/s)\n", text, seconds, rate));
}

void Explain(const std::string& path, const std::vector<Refused>& refused, std::uint64_t in_all) {
  const std::size_t shown = std::min(refused.size(), kMaxShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& [line, reason, message] = refused[i];
    Complain(fmt::format("{}:{}: {} ({})", Clean(path), line, Clean(message), Clean(reason)));
  }
  if (in_all > shown) Complain(fmt::format("... and {} more", in_all - shown));
}

Exit Conclude(const Session& session, const BulkOptions& options, Tally& tally) {
  const Counts counts = tally.counts();
  const Failures failures = tally.failures();
  if (!session.json) Explain(options.path, failures.refused, counts.rejected + counts.failed);
  if (counts.unknown > 0) {
    Complain(fmt::format("lost the daemon at {}, {} posts are without an answer", session.server,
                         counts.unknown));
    return Exit::kUnreachable;
  }
  if (failures.error) return ExitOf(*failures.error);
  return counts.rejected > 0 ? Exit::kRejected : Exit::kDone;
}

}  // namespace

bool IsBulkFile(std::string_view path) { return path.ends_with(".jsonl"); }

Exit PostBulk(const Session& session, const BulkOptions& options) {
  const auto jobs = CheckFile(options);
  if (!jobs) return Exit::kUsage;
  client::Client client(OptionsOf(session));
  Tally tally;
  Progress progress(!session.json, *jobs);
  BulkFile file(options.path, options.defaults);
  const auto started = std::chrono::steady_clock::now();
  PostAll(client, file, options, tally, progress);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
  progress.Clear();
  client.Close();
  Summarize(session, tally, *jobs, took.count());
  if (file.failure().empty()) return Conclude(session, options, tally);
  Complain(file.failure() + " (the file has changed meanwhile)");
  return Exit::kUsage;
}

}  // namespace workpool::cli
