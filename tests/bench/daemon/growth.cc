// How the cost of a batch grows with workers, capacity and payload, one of them at a time.
#include "bench.h"
#include "duel.h"

namespace workpool::bench {
namespace {

constexpr const char* kBench = "daemon-growth";
constexpr Load kBatches = {.call = Call::kBatch, .clients = 2, .outstanding = 4, .batch = 1000};

}  // namespace

void DaemonGrowth(const Options& options, Report& report) {
  for (const std::int64_t workers : {1, 2, 8, 64, 1000}) {
    report.Add(Fight(
        options, {kBench, {.workers = std::to_string(workers)}, {{"workers", workers}}}, kBatches));
  }
  for (const std::int64_t capacity : {100, 1000, 100'000, 1'000'000}) {
    report.Add(Fight(
        options,
        {kBench, {.capacity = static_cast<std::uint64_t>(capacity)}, {{"capacity", capacity}}},
        kBatches));
  }
  for (const int payload : {0, 256, 1024}) {
    Load load = kBatches;
    load.payload = payload;
    report.Add(Fight(options, {kBench, {}, {{"payload", payload}}}, load));
  }
}

}  // namespace workpool::bench
