// What the command line of tests/bench/run chooses.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace workpool::bench {

struct Options {
  int runs = 3;                       // of each subject; the median counts
  std::int64_t jobs = 1'000'000;      // of each run of a pool
  double seconds = 2;                 // how long a run of a daemon lasts
  std::vector<std::int64_t> n;        // of the sizes a benchmark knows only these; all if empty
  std::vector<std::string> subjects;  // of the subjects only these; all if empty
  std::string workpoold;              // the daemon's binary
  std::string go_program;             // the Go subjects; empty: there is no Go here
  std::string allocations_program;    // counts operator new
  std::string own_program;            // this one: it runs one subject when told to

  bool Wants(std::int64_t size) const { return n.empty() || Has(n, size); }
  bool Wants(const std::string& subject) const {
    return subjects.empty() || Has(subjects, subject);
  }

 private:
  template <typename T>
  static bool Has(const std::vector<T>& all, const T& one) {
    for (const auto& each : all) {
      if (each == one) return true;
    }
    return false;
  }
};

}  // namespace workpool::bench
