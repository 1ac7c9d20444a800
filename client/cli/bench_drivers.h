// The ways in which a bench run posts over one connection.
#pragma once

#include <atomic>
#include <cstdint>

#include "bench_options.h"
#include "bench_record.h"
#include "workpool/client.h"

namespace workpool::cli {

// The jobs that are still to be posted, shared by all connections. Thread safe.
class Budget {
 public:
  explicit Budget(std::uint64_t jobs) : left_(jobs) {}

  // Up to `most` of what is left.
  std::uint64_t Take(std::uint64_t most);

 private:
  std::atomic<std::uint64_t> left_;
};

// Posts until the budget is used up or a call is lost, and returns when all is answered.
void DriveBench(const BenchOptions& options, client::Client& client, Budget& budget,
                BenchRecord& record);

}  // namespace workpool::cli
