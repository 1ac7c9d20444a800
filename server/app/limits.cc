#include "app/limits.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <latch>
#include <system_error>
#include <thread>
#include <vector>

namespace workpool {

// Each connection and each running command needs descriptors; the usual soft limit of 1024 is there
// for programs that call select.
Result<void> RaiseDescriptorLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return {};
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_max >= kMinDescriptors) return {};
  return Fail(ErrorCode::kInternal,
              fmt::format("cannot start: the limit of open files (ulimit -n) is {}, at least {} "
                          "are needed",
                          limit.rlim_max, kMinDescriptors));
}

Result<void> CheckAddressSpace() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur >= kMinAddressSpace) return {};
  constexpr std::uint64_t kMiB = 1 << 20;
  return Fail(ErrorCode::kInternal,
              fmt::format("cannot start: the limit of the address space (ulimit -v) is {} MiB, at "
                          "least {} MiB are needed",
                          limit.rlim_cur / kMiB, kMinAddressSpace / kMiB));
}

Result<void> CheckThreads(std::uint64_t count) {
  std::latch done(1);
  std::vector<std::thread> threads;
  threads.reserve(count);
  std::string reason;
  try {
    while (threads.size() < count) threads.emplace_back([&done] { done.wait(); });
  } catch (const std::system_error& error) {
    reason = error.code().message();
  }
  const std::uint64_t started = threads.size();
  done.count_down();
  for (std::thread& thread : threads) thread.join();
  if (started == count) return {};
  return Fail(ErrorCode::kInternal,
              fmt::format("cannot start: {} threads are needed, the system allows {} (ulimit -u, "
                          "memory, or the limit of a container): {}",
                          count, started, reason));
}

}  // namespace workpool
