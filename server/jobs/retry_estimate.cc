#include "jobs/retry_estimate.h"

#include <algorithm>

namespace workpool {
namespace {

constexpr std::int64_t kLongestNs = std::chrono::nanoseconds(RetryEstimate::kLongest).count();
constexpr std::int64_t kUnknownNs = 1'000'000'000;

// 0 to 1023, scattered.
std::int64_t Scatter(std::uint64_t n) {
  n = (n + 1) * 0x9E3779B97F4A7C15u;
  n ^= n >> 29;
  n *= 0xBF58476D1CE4E5B9u;
  return static_cast<std::int64_t>(n >> 54);
}

}  // namespace

void RetryEstimate::OnCompletion(SteadyTime now) {
  const std::int64_t now_ns = now.time_since_epoch().count();
  const std::int64_t last = last_ns_.exchange(now_ns, std::memory_order_relaxed);
  if (last == 0) return;
  const std::int64_t gap = std::clamp<std::int64_t>(now_ns - last, 1, kLongestNs);
  const std::int64_t mean = mean_ns_.load(std::memory_order_relaxed);
  mean_ns_.store(mean == 0 ? gap : mean + (gap - mean) / 8, std::memory_order_relaxed);
}

std::chrono::milliseconds RetryEstimate::RetryAfter(SteadyTime now) {
  const std::int64_t last = last_ns_.load(std::memory_order_relaxed);
  std::int64_t guess = mean_ns_.load(std::memory_order_relaxed);
  if (guess == 0) guess = kUnknownNs;
  // Nothing has finished for longer than usual: the jobs at hand are longer ones.
  if (last != 0) guess = std::max(guess, now.time_since_epoch().count() - last);
  guess = std::min(guess, kLongestNs);
  guess += guess / 2 * Scatter(draws_.fetch_add(1, std::memory_order_relaxed)) / 1024;
  const auto rounded =
      std::chrono::ceil<std::chrono::milliseconds>(std::chrono::nanoseconds(guess));
  return std::clamp(rounded, kShortest, kLongest);
}

}  // namespace workpool
