// What `workpool tune` has found, as a table and as JSON.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tune_run.h"

namespace workpool::cli {

struct TunedSize {
  std::uint32_t workers = 0;
  std::vector<TuneRun> runs;  // at least one

  std::chrono::nanoseconds Average() const;
  std::uint64_t Failed() const;  // jobs of all runs
};

struct TuneReport {
  std::string pool;
  std::string handler;
  double cores = 0;  // that the daemon may use
  std::uint64_t jobs = 0;
  std::vector<TunedSize> sizes;  // at least one

  // The one with the shortest average. One at which a job failed has measured something else than
  // the work, and is none; null if there is no other.
  const TunedSize* Best() const;
  // Of the same, the fewest workers whose average is within 5 % of the best.
  const TunedSize* Smallest() const;
  std::uint64_t Failed() const;
};

std::string TextOf(const TuneReport& report);
nlohmann::ordered_json JsonOf(const TuneReport& report);

}  // namespace workpool::cli
