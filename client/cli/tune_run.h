// One run of `workpool tune`: the same work posted so many times, and what the pool did with it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

#include "workpool/admin.h"
#include "workpool/client.h"

namespace workpool::cli {

struct TuneRun {
  std::chrono::nanoseconds duration{0};  // from the first post until the last job has finished
  std::uint64_t active_peak = 0;         // of this run
  std::uint64_t queued_peak = 0;
  std::uint64_t failed = 0;            // jobs that did not succeed
  std::optional<std::string> failure;  // of one of them
};

// Posts `work` `jobs` times at once, waiting for room where there is none, and waits for the end of
// all. A run that ends early, with an error, cancels what it has posted.
client::Result<TuneRun> RunOnce(client::Admin& admin, const client::ClientOptions& how,
                                const client::Work& work, std::uint64_t jobs,
                                std::chrono::nanoseconds patience, const std::stop_token& stop);

}  // namespace workpool::cli
