// Waits for the end of the jobs that a bench run has posted.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "workpool/client.h"

namespace workpool::cli {

struct Unfinished {
  std::uint64_t jobs = 0;
  // When the last was seen to have finished.
  std::chrono::steady_clock::time_point at;
};

// Asks the daemon, not its statistics: jobs of others do not count. `mark` is the caller that this
// run's jobs carry, `last_id` the highest of their ids. Returns when all have finished or
// `patience` is over.
client::Result<Unfinished> AwaitFinished(client::Client& client, const std::string& handler,
                                         const std::string& mark, std::uint64_t last_id,
                                         std::chrono::nanoseconds patience);

}  // namespace workpool::cli
