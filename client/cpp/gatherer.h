// Posts that gather: a lane for each pool and when_full, and the thread that keeps their deadlines.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "deadline.h"
#include "flight.h"
#include "lane.h"
#include "poller.h"
#include "workpool/client.h"

namespace workpool::client {

// Thread safe, but for Close and Cancel, which come last.
class Gatherer {
 public:
  // `stub` must outlive this.
  explicit Gatherer(grpc::GenericStub& stub);
  // After Close or Cancel.
  ~Gatherer();

  PostTicket Post(Work&& work, Pending&& pending);
  void Abandon(PostTicket ticket);

  // No more posts. Blocks until all have ended: by themselves, or now.
  void Close();
  void Cancel();

 private:
  using Key = std::pair<std::string, WhenFull>;
  using KeyView = std::pair<std::string_view, WhenFull>;
  struct Less {
    using is_transparent = void;
    bool operator()(const KeyView& left, const KeyView& right) const { return left < right; }
  };

  // Where a post of this kind goes: the lane and its number in tickets.
  struct Way {
    std::uint32_t number = 0;
    Lane* lane = nullptr;
  };
  using Ways = std::map<Key, Way, Less>;

  // Nothing once closed.
  std::optional<Way> WayOf(const KeyView& key);
  Way NewWay(const KeyView& key) REQUIRES(mutex_);
  std::vector<std::shared_ptr<Lane>> Lanes();
  void Wake(SteadyTime at);
  void KeepTime(const std::stop_token& stop);
  void AwaitClosed(const std::vector<std::shared_ptr<Lane>>& lanes);

  grpc::GenericStub& stub_;
  const std::shared_ptr<Poller> poller_ = Poller::Shared();

  Mutex mutex_;
  CondVar woken_;
  std::vector<std::shared_ptr<Lane>> lanes_ GUARDED_BY(mutex_);
  Ways ways_ GUARDED_BY(mutex_);
  // The way of the latest post: most are followed by one of the same kind. It stays in place.
  std::atomic<const Ways::value_type*> recent_ = nullptr;
  SteadyTime next_tick_ GUARDED_BY(mutex_) = kNever;
  bool closed_ GUARDED_BY(mutex_) = false;
  std::jthread keeper_;
};

}  // namespace workpool::client
