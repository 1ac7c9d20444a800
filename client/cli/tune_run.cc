#include "tune_run.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace workpool::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kReadings{100};

// The peaks of a pool from its construction until Finish, by its own statistics, which no two runs
// share.
class PeakReader {
 public:
  PeakReader(client::Admin& admin, const std::string& pool, const std::stop_token& stop)
      : on_stop_(stop, [this] { end_.request_stop(); }), reader_([this, &admin, pool] {
          const auto watched = admin.WatchStats(
              kReadings, pool, [this](const client::Stats& stats) { return Take(stats); },
              {.stop = end_.get_token()});
          const std::lock_guard lock(mutex_);
          if (!watched) error_ = watched.error();
          over_ = true;
          changed_.notify_all();
        }) {}
  ~PeakReader() { end_.request_stop(); }

  // Blocks until the first reading: from there on nothing is missed.
  client::Result<void> Begin() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return begun_ || over_; });
    return Outcome();
  }
  // Blocks until a reading that reaches up to now.
  client::Result<void> Finish(TuneRun& run) {
    std::unique_lock lock(mutex_);
    last_ = true;
    changed_.wait(lock, [this] { return over_; });
    run.active_peak = active_;
    run.queued_peak = queued_;
    return Outcome();
  }

 private:
  client::Result<void> Outcome() {
    if (error_) return std::unexpected(*error_);
    return {};
  }

  // False when no more readings are wanted.
  bool Take(const client::Stats& stats) {
    const std::lock_guard lock(mutex_);
    for (const client::PoolStats& stat : stats.pools) {
      active_ = std::max(active_, stat.pool.active_peak);
      queued_ = std::max(queued_, stat.pool.queued_peak);
    }
    begun_ = true;
    changed_.notify_all();
    // This reading may be older than the wish to end: the next one is not.
    return !std::exchange(ending_, last_);
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool begun_ = false;
  bool last_ = false;
  bool ending_ = false;
  bool over_ = false;
  std::uint64_t active_ = 0;
  std::uint64_t queued_ = 0;
  std::optional<client::Error> error_;
  std::stop_source end_;
  std::stop_callback<std::function<void()>> on_stop_;
  std::jthread reader_;
};

// Counts the jobs that have come back.
class Gathering {
 public:
  explicit Gathering(std::uint64_t jobs) : left_(jobs) {}

  void Take(client::Result<client::Job> job) {
    const std::lock_guard lock(mutex_);
    if (!job) {
      if (!error_) error_ = std::move(job.error());
    } else if (job->state != client::JobState::kSucceeded) {
      ++failed_;
      if (!failure_ && job->error) failure_ = job->error->code + ": " + job->error->message;
    }
    if (--left_ == 0) ended_ = Clock::now();
    if (left_ == 0 || error_) changed_.notify_all();
  }
  // Blocks until all jobs are back, or one call has failed.
  void Wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return left_ == 0 || error_; });
  }
  client::Result<TuneRun> Outcome(Clock::time_point start) {
    const std::lock_guard lock(mutex_);
    if (error_) return std::unexpected(*error_);
    return TuneRun{.duration = ended_ - start,
                   .active_peak = 0,
                   .queued_peak = 0,
                   .failed = failed_,
                   .failure = failure_};
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t left_;
  std::uint64_t failed_ = 0;
  std::optional<std::string> failure_;
  std::optional<client::Error> error_;
  Clock::time_point ended_;
};

}  // namespace

client::Result<TuneRun> RunOnce(client::Admin& admin, const client::ClientOptions& how,
                                const client::Work& work, std::uint64_t jobs,
                                std::chrono::nanoseconds patience, const std::stop_token& stop) {
  PeakReader peaks(admin, work.pool, stop);
  if (const auto begun = peaks.Begin(); !begun) return std::unexpected(begun.error());
  Gathering gathering(jobs);
  // Before what the callbacks use: its end is the end of all calls.
  client::Client client(how);
  const auto start = Clock::now();
  for (std::uint64_t i = 0; i < jobs; ++i) {
    client.RunAsync(
        work, [&gathering](client::Result<client::Job> job) { gathering.Take(std::move(job)); },
        {.timeout = patience, .stop = stop});
  }
  gathering.Wait();
  auto run = gathering.Outcome(start);
  if (!run) return run;
  if (const auto read = peaks.Finish(*run); !read) return std::unexpected(read.error());
  return run;
}

}  // namespace workpool::cli
