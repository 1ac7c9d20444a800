#include "bench_drivers.h"

#include <deque>
#include <span>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "output.h"
#include "workpool/post_stream.h"

namespace workpool::cli {

namespace {

using Clock = std::chrono::steady_clock;

bool IsLost(const client::Error& error) { return ExitOf(error) == Exit::kUnreachable; }

// Counts what is in flight. Thread safe.
class InFlight {
 public:
  void Add(std::uint64_t count) {
    const MutexLock lock(mutex_);
    count_ += count;
  }
  void Remove(std::uint64_t count) {
    const MutexLock lock(mutex_);
    count_ -= count;
    changed_.NotifyAll();
  }
  void AwaitAtMost(std::uint64_t count) {
    const MutexLock lock(mutex_);
    while (count_ > count) changed_.Wait(mutex_);
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  std::uint64_t count_ GUARDED_BY(mutex_) = 0;
};

// As many threads as may be outstanding, each with one call at a time.
void DriveUnary(const BenchOptions& options, client::Client& client, Budget& budget,
                BenchRecord& record) {
  const auto post = [&] {
    while (budget.Take(1) == 1) {
      const auto sent = Clock::now();
      const auto outcome = client.Post(options.work);
      record.Answered(outcome, Clock::now() - sent);
      if (!outcome && IsLost(outcome.error())) return;
    }
  };
  std::vector<std::jthread> threads;
  threads.reserve(options.outstanding);
  for (std::uint32_t i = 0; i < options.outstanding; ++i) threads.emplace_back(post);
}

// Each answer starts the next post.
class GatheredDriver {
 public:
  GatheredDriver(const BenchOptions& options, client::Client& client, Budget& budget,
                 BenchRecord& record)
      : work_(options.work), client_(client), budget_(budget), record_(record) {}

  void Run(std::uint32_t outstanding) {
    for (std::uint32_t i = 0; i < outstanding; ++i) Post();
    flying_.AwaitAtMost(0);
  }

 private:
  void Post() {
    if (budget_.Take(1) == 0) return;
    flying_.Add(1);
    client_.PostAsync(work_, [this, sent = Clock::now()](auto outcome) {
      record_.Answered(outcome, Clock::now() - sent);
      if (outcome || !IsLost(outcome.error())) Post();
      flying_.Remove(1);
    });
  }

  const client::Work& work_;
  client::Client& client_;
  Budget& budget_;
  BenchRecord& record_;
  InFlight flying_;
};

class BatchDriver {
 public:
  BatchDriver(const BenchOptions& options, client::Client& client, Budget& budget,
              BenchRecord& record)
      : works_(options.batch, options.work), client_(client), budget_(budget), record_(record) {}

  void Run(std::uint32_t outstanding) {
    for (std::uint32_t i = 0; i < outstanding; ++i) Post();
    flying_.AwaitAtMost(0);
  }

 private:
  void Post() {
    const std::uint64_t count = budget_.Take(works_.size());
    if (count == 0) return;
    flying_.Add(1);
    client_.PostBatchAsync(std::span(works_).first(count),
                           [this, count, sent = Clock::now()](auto outcomes) {
                             if (Note(outcomes, count, Clock::now() - sent)) Post();
                             flying_.Remove(1);
                           });
  }

  bool Note(const client::Result<client::BatchResult>& outcomes, std::uint64_t count,
            std::chrono::nanoseconds latency) {
    if (!outcomes) {
      record_.Lost(outcomes.error(), count);
      return false;
    }
    for (const auto& outcome : *outcomes) record_.Answered(outcome, latency);
    return true;
  }

  const std::vector<client::Work> works_;
  client::Client& client_;
  Budget& budget_;
  BenchRecord& record_;
  InFlight flying_;
};

// One thread sends, one reads.
class StreamDriver {
 public:
  StreamDriver(const BenchOptions& options, client::Client& client, Budget& budget,
               BenchRecord& record)
      : works_(options.batch, options.work),
        window_(std::uint64_t{options.outstanding} * options.batch),
        budget_(budget),
        record_(record),
        stream_(client.OpenStream()) {}

  void Run() {
    std::jthread reader([this] { Read(); });
    while (const std::uint64_t count = budget_.Take(works_.size())) {
      flying_.AwaitAtMost(window_ - std::min<std::uint64_t>(window_, count));
      if (!Send(count)) break;
    }
    stream_->DoneSending();
    reader.join();
    if (const auto end = stream_->Finish(); !end) record_.Lost(end.error(), Unanswered());
  }

 private:
  // False if the stream has ended.
  bool Send(std::uint64_t count) {
    {
      const MutexLock lock(mutex_);
      if (ended_) return false;
      sent_at_.push_back(Clock::now());
      unanswered_ += count;
    }
    flying_.Add(count);
    return stream_->Send(std::span(works_).first(count)).has_value();
  }

  void Read() {
    while (const auto results = stream_->Read()) {
      const auto now = Clock::now();
      for (const auto& result : *results) record_.Answered(result.outcome, now - Sent(result));
      flying_.Remove(results->size());
    }
    flying_.Remove(Unanswered());
    const MutexLock lock(mutex_);
    ended_ = true;
  }

  // Every message but the last is full, so the sequence number tells which it was.
  BenchTime Sent(const client::StreamResult& result) {
    const MutexLock lock(mutex_);
    --unanswered_;
    return sent_at_[(result.sequence - 1) / works_.size()];
  }

  std::uint64_t Unanswered() {
    const MutexLock lock(mutex_);
    return unanswered_;
  }

  const std::vector<client::Work> works_;
  const std::uint64_t window_;
  Budget& budget_;
  BenchRecord& record_;
  const std::unique_ptr<client::PostStream> stream_;
  InFlight flying_;
  Mutex mutex_;
  std::vector<BenchTime> sent_at_ GUARDED_BY(mutex_);
  std::uint64_t unanswered_ GUARDED_BY(mutex_) = 0;
  bool ended_ GUARDED_BY(mutex_) = false;
};

}  // namespace

std::uint64_t Budget::Take(std::uint64_t most) {
  std::uint64_t left = left_.load(std::memory_order_relaxed);
  std::uint64_t taken = 0;
  do {
    taken = std::min(left, most);
  } while (!left_.compare_exchange_weak(left, left - taken, std::memory_order_relaxed));
  return taken;
}

void DriveBench(const BenchOptions& options, client::Client& client, Budget& budget,
                BenchRecord& record) {
  switch (options.mode) {
    case BenchMode::kUnary: return DriveUnary(options, client, budget, record);
    case BenchMode::kBatch:
      return BatchDriver(options, client, budget, record).Run(options.outstanding);
    case BenchMode::kStream: return StreamDriver(options, client, budget, record).Run();
    case BenchMode::kGathered:
      return GatheredDriver(options, client, budget, record).Run(options.outstanding);
  }
}

}  // namespace workpool::cli
