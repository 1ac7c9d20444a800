// What a bench run has seen so far.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/mutex.h"
#include "histogram.h"
#include "workpool/client.h"

namespace workpool::cli {

using BenchTime = std::chrono::steady_clock::time_point;

// Of one connection. Thread safe.
class BenchRecord {
 public:
  // Every `sample_every`-th accepted job is followed to its end, by a call on `client`.
  BenchRecord(client::Client& client, std::uint64_t sample_every)
      : client_(client), sample_every_(sample_every) {}

  // One post was answered, `latency` after it was sent.
  void Answered(const client::Result<client::Posted>& outcome, std::chrono::nanoseconds latency);
  // A call was lost with `posts` in it.
  void Lost(const client::Error& error, std::uint64_t posts);

  struct Totals {
    std::uint64_t accepted = 0;
    std::uint64_t rejected = 0;
    std::uint64_t failed = 0;
    std::uint64_t last_id = 0;
    Histogram post;
    Histogram finish;
    std::optional<client::Error> error;

    void Merge(const Totals& other);
  };
  Totals totals();

 private:
  void Follow(std::uint64_t id, std::chrono::nanoseconds latency);

  client::Client& client_;
  const std::uint64_t sample_every_;
  Mutex mutex_;
  Totals totals_ GUARDED_BY(mutex_);
};

}  // namespace workpool::cli
