#include "pool/system_platform.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <ctime>
#include <thread>

#include "base/cpu_pause.h"

namespace workpool {
namespace {

static_assert(sizeof(SystemPlatform::Word) == sizeof(std::uint32_t));

void Futex(const SystemPlatform::Word* word, int operation, std::uint32_t value,
           const timespec* until) {
  syscall(SYS_futex, word, operation | FUTEX_PRIVATE_FLAG, value, until, nullptr,
          FUTEX_BITSET_MATCH_ANY);
}

[[gnu::noinline]] void TouchPages(std::size_t bytes) {
  constexpr std::size_t kPage = 4096;
  auto* frame = static_cast<volatile char*>(__builtin_alloca(bytes));
  for (std::size_t at = bytes; at > kPage; at -= kPage) frame[at - 1] = 0;
  frame[0] = 0;
}

// What is left of the calling thread's stack, less a reserve.
std::size_t StackLeft() {
  constexpr std::size_t kReserve = std::size_t{64} << 10;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void* lowest = nullptr;
  std::size_t size = 0;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  // Not the address of a variable: a sanitizer may keep those elsewhere.
  const auto* const here = static_cast<const char*>(__builtin_frame_address(0));
  const auto left = static_cast<std::size_t>(here - static_cast<const char*>(lowest));
  return left > kReserve ? left - kReserve : 0;
}

}  // namespace

// FUTEX_WAIT_BITSET takes an instant of the monotonic clock, FUTEX_WAIT a duration.
void SystemPlatform::Wait(Word& word, std::uint32_t expected, SteadyTime until) {
  if (until == SteadyTime::max()) {
    Futex(&word, FUTEX_WAIT_BITSET, expected, nullptr);
    return;
  }
  const auto time = std::max(until.time_since_epoch(), SteadyTime::duration::zero());
  const auto whole = std::chrono::floor<std::chrono::seconds>(time);
  const timespec instant{.tv_sec = whole.count(), .tv_nsec = (time - whole).count()};
  Futex(&word, FUTEX_WAIT_BITSET, expected, &instant);
}

void SystemPlatform::WakeOne(const Word* word) { Futex(word, FUTEX_WAKE, 1, nullptr); }

void SystemPlatform::WakeAll(const Word* word) { Futex(word, FUTEX_WAKE, INT_MAX, nullptr); }

SteadyTime SystemPlatform::CoarseNow() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return SteadyTime(std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec));
}

bool SystemPlatform::SpinPays() {
  static const bool pays = std::thread::hardware_concurrency() > 1;
  return pays;
}

void SystemPlatform::Pause() {
  for (int i = 0; i < 48; ++i) LockPause();
}

int SystemPlatform::Start(void* (*main)(void*), void* argument) {
  pthread_t thread{};
  return pthread_create(&thread, nullptr, main, argument);
}

SystemPlatform::CpuClock SystemPlatform::OwnCpuClock() {
  clockid_t clock = CLOCK_THREAD_CPUTIME_ID;
  pthread_getcpuclockid(pthread_self(), &clock);
  return clock;
}

std::chrono::nanoseconds SystemPlatform::CpuTime(CpuClock clock) {
  timespec used{};
  if (clock_gettime(clock, &used) != 0) return {};
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

void SystemPlatform::NameThread(const std::string& name) {
  pthread_setname_np(pthread_self(), name.substr(0, 15).c_str());
}

void SystemPlatform::LockPause() { CpuPause(); }

void SystemPlatform::Sleep(std::chrono::nanoseconds time) { std::this_thread::sleep_for(time); }

void SystemPlatform::TouchStack(std::size_t bytes) {
  const std::size_t depth = std::min(bytes, StackLeft());
  if (depth > 0) TouchPages(depth);
}

}  // namespace workpool
