#include "drive.h"

#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <thread>

#include "daemon/rate.h"
#include "daemon/temporary_folder.h"

namespace workpool::bench {
namespace {

// Producers wait while so many jobs are queued, so that consumers never run dry and the queue does
// not grow.
constexpr std::int64_t kMostQueued = 50'000;

class Drive {
 public:
  Drive(Peer& peer, const PeerLoad& load) : peer_(peer), load_(load) {}

  double Run(double seconds) {
    const TemporaryFolder folder;
    namespace fs = std::filesystem;
    fs::permissions(folder.path(), fs::perms::others_exec, fs::perm_options::add);
    const auto files = folder.path() / "server";  // which another user may own
    fs::create_directory(files);
    PeerProcess server = peer_.Start(files);
    double rate = 0;
    {
      std::vector<std::jthread> producers = Start([this] { Produce(); });
      std::vector<std::jthread> consumers;
      if (load_.consume) consumers = Start([this] { Consume(); });
      rate = Rate(seconds, [&] { return (load_.consume ? worked_ : posted_).load(); });
      enough_ = true;
      server = PeerProcess();  // its end ends what the others still wait for
    }
    if (failure_) std::rethrow_exception(failure_);
    return rate;
  }

 private:
  template <typename Part>
  std::vector<std::jthread> Start(const Part& part) {
    std::vector<std::jthread> threads;
    for (int i = 0; i < load_.connections; ++i) {
      threads.emplace_back([this, part] {
        try {
          part();
        } catch (...) {
          const std::scoped_lock lock(mutex_);
          if (!enough_) failure_ = std::current_exception();
        }
      });
    }
    return threads;
  }

  template <typename Make>
  auto WithLock(const Make& make) {
    const std::scoped_lock lock(mutex_);
    return make();
  }

  void Produce() {
    const auto producer = WithLock([&] { return peer_.NewProducer(); });
    const int batch = peer_.batch();
    int under_way = 0;
    while (!enough_) {
      if (load_.consume && posted_ - worked_ > kMostQueued) {
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        continue;
      }
      for (; under_way <= (load_.bulk_posts - 1) * batch; under_way += batch) producer->Send(batch);
      const int acknowledged = producer->Wait();
      under_way -= acknowledged;
      posted_ += acknowledged;
    }
  }

  void Consume() {
    const auto consumer = WithLock([&] { return peer_.NewConsumer(); });
    while (!enough_) {
      const int worked = consumer->Work(peer_.batch());
      worked_ += worked;
      if (worked == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  }

  Peer& peer_;
  const PeerLoad load_;
  std::mutex mutex_;  // making connections, failure_
  std::exception_ptr failure_;
  std::atomic<std::int64_t> posted_{0}, worked_{0};
  std::atomic<bool> enough_{false};
};

}  // namespace

double PeerJobsPerSecond(Peer& peer, const PeerLoad& load, double seconds) {
  return Drive(peer, load).Run(seconds);
}

}  // namespace workpool::bench
