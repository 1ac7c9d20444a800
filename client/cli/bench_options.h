// What `workpool bench` is asked to do.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "workpool/client/work.h"

namespace workpool::cli {

enum class BenchMode { kUnary, kBatch, kStream, kGathered };

struct BenchOptions {
  // Posted again and again. Its caller is this run's mark.
  client::Work work;
  BenchMode mode = BenchMode::kGathered;
  std::uint64_t jobs = 10'000;
  // Connections.
  std::uint32_t clients = 1;
  // In flight on each connection: posts, or calls or messages of `batch` posts.
  std::uint32_t outstanding = 0;
  std::uint32_t batch = 1;
  std::uint32_t payload_bytes = 0;
  // Do not wait until the jobs have finished.
  bool post_only = false;
  // How long to wait for that.
  std::chrono::nanoseconds patience = std::chrono::minutes(1);
};

}  // namespace workpool::cli
