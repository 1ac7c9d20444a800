#include "rpc/acceptor.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/log.h"
#include "base/mutex.h"
#include "unit/rpc/sockets.h"

namespace workpool::rpc {
namespace {

class CountingSink final : public LogSink {
 public:
  CountingSink() : before_(SetLogSink(this)) {}
  ~CountingSink() override { SetLogSink(before_); }
  bool Enabled(LogLevel) const override { return true; }
  void Write(LogLevel, std::string_view, std::initializer_list<LogField>) override { ++lines; }
  std::atomic<int> lines{0};

 private:
  LogSink* before_;
};

// Keeps what was accepted.
class Taken {
 public:
  void Take(UniqueFd socket) {
    MutexLock lock(mutex_);
    sockets_.push_back(std::move(socket));
    changed_.NotifyAll();
  }
  // False if that many have not come within the bound on a hang.
  bool WaitFor(std::size_t count) {
    MutexLock lock(mutex_);
    const auto bound = SteadyTime::clock::now() + std::chrono::seconds(20);
    while (sockets_.size() < count) {
      if (!changed_.WaitUntil(mutex_, bound)) return false;
    }
    return true;
  }
  std::size_t size() {
    MutexLock lock(mutex_);
    return sockets_.size();
  }
  void Close(std::size_t count) {
    MutexLock lock(mutex_);
    sockets_.erase(sockets_.begin(), sockets_.begin() + static_cast<std::ptrdiff_t>(count));
  }
  int Flags(std::size_t index, int command) {
    MutexLock lock(mutex_);
    return ::fcntl(sockets_[index].get(), command);
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  std::vector<UniqueFd> sockets_ GUARDED_BY(mutex_);
};

TEST(Acceptor, HandsOverSocketsThatChildrenDoNotInherit) {
  const auto listener = OpenListener("127.0.0.1:0");
  ASSERT_TRUE(listener);
  Taken taken;
  Acceptor acceptor(*listener, [&](UniqueFd socket) { taken.Take(std::move(socket)); });
  const UniqueFd client = ConnectTcp(PortOf(listener->address));
  ASSERT_TRUE(taken.WaitFor(1));
  EXPECT_NE(taken.Flags(0, F_GETFD) & FD_CLOEXEC, 0);
  EXPECT_NE(taken.Flags(0, F_GETFL) & O_NONBLOCK, 0);
}

TEST(Acceptor, TakesNothingAfterStop) {
  const auto listener = OpenListener("127.0.0.1:0");
  ASSERT_TRUE(listener);
  Taken taken;
  Acceptor acceptor(*listener, [&](UniqueFd socket) { taken.Take(std::move(socket)); });
  acceptor.Stop();
  const UniqueFd client = ConnectTcp(PortOf(listener->address));
  EXPECT_EQ(taken.size(), 0U);
}

int LowestFreeDescriptor() {
  const UniqueFd probe(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  return probe.get();
}

// Case 50: the table fills up to the reserve and no further, says so once, and goes on when room is
// there again.
TEST(Acceptor, StopsBelowTheLimitAndGoesOnWhenDescriptorsAreFree) {
  const auto listener = OpenListener("127.0.0.1:0");
  ASSERT_TRUE(listener);
  // The clients live in this process too, so they connect before the limit counts.
  std::vector<UniqueFd> clients;
  for (int i = 0; i < 60; ++i) {
    clients.push_back(ConnectTcp(PortOf(listener->address)));
    ASSERT_TRUE(clients.back().valid());
  }
  constexpr std::size_t kRoom = 20;
  // The acceptor takes one for itself.
  const auto below = static_cast<rlim_t>(LowestFreeDescriptor()) + 1 + kRoom;
  rlim_t limit = below;
  while (limit - DescriptorReserve(limit) < below) ++limit;

  CountingSink log;
  Taken taken;
  const DescriptorLimit lowered(limit);
  Acceptor acceptor(*listener, [&](UniqueFd socket) { taken.Take(std::move(socket)); });
  ASSERT_TRUE(taken.WaitFor(kRoom));
  const auto bound = SteadyTime::clock::now() + std::chrono::seconds(20);
  while (log.lines == 0 && SteadyTime::clock::now() < bound) std::this_thread::yield();
  EXPECT_EQ(log.lines, 1);
  EXPECT_EQ(taken.size(), kRoom);
  EXPECT_GE(LowestFreeDescriptor(), static_cast<int>(below));  // the reserve is there for others

  for (int round = 0; round < 2; ++round) {
    taken.Close(kRoom);
    EXPECT_TRUE(taken.WaitFor(kRoom));
  }
  EXPECT_EQ(log.lines, 1);
}

TEST(Acceptor, TheReserveGrowsWithTheLimit) {
  EXPECT_EQ(DescriptorReserve(64), 16U);
  EXPECT_EQ(DescriptorReserve(1024), 256U);
  EXPECT_EQ(DescriptorReserve(1'000'000), 1024U);
}

}  // namespace
}  // namespace workpool::rpc
