#include "gatherer.h"

#include <algorithm>

#include "status.h"

namespace workpool::client {

namespace {

// A stream costs the daemon something; whoever posts to more pools than this shares them.
constexpr std::size_t kMaxLanes = 64;

}  // namespace

Gatherer::Gatherer(grpc::GenericStub& stub)
    : stub_(stub), keeper_([this](const std::stop_token& stop) { KeepTime(stop); }) {}

Gatherer::~Gatherer() = default;

PostTicket Gatherer::Post(Work&& work, Pending&& pending) {
  const std::optional<Way> way = WayOf({work.pool, work.when_full});
  if (!way) {
    pending.done(Refuse(StatusCode::kCancelled, "the client is closed"));
    return {};
  }
  return {way->number, way->lane->Post(std::move(work), std::move(pending))};
}

void Gatherer::Abandon(PostTicket ticket) {
  std::shared_ptr<Lane> lane;
  {
    const MutexLock lock(mutex_);
    if (ticket.lane < lanes_.size()) lane = lanes_[ticket.lane];
  }
  if (lane) lane->Abandon(ticket.sequence);
}

void Gatherer::Close() {
  const auto lanes = Lanes();
  for (const auto& lane : lanes) lane->BeginClose();
  AwaitClosed(lanes);
}

void Gatherer::Cancel() {
  const auto lanes = Lanes();
  for (const auto& lane : lanes) lane->Cancel();
  AwaitClosed(lanes);
}

std::optional<Gatherer::Way> Gatherer::WayOf(const KeyView& key) {
  // Without the lock: a lane that is closed refuses by itself.
  const Ways::value_type* const recent = recent_.load(std::memory_order_acquire);
  if (recent != nullptr && KeyView(recent->first) == key) return recent->second;
  const MutexLock lock(mutex_);
  if (closed_) return std::nullopt;
  auto found = ways_.find(key);
  if (found == ways_.end()) {
    const Way way = NewWay(key);
    // What shares a lane is not remembered: there may be any number of pools.
    if (ways_.size() == kMaxLanes) return way;
    found = ways_.emplace(key, way).first;
  }
  recent_.store(&*found, std::memory_order_release);
  return found->second;
}

Gatherer::Way Gatherer::NewWay(const KeyView& key) {
  if (lanes_.size() == kMaxLanes) {
    const auto number = std::hash<std::string_view>()(key.first) % kMaxLanes;
    return {static_cast<std::uint32_t>(number), lanes_[number].get()};
  }
  const auto number = static_cast<std::uint32_t>(lanes_.size());
  lanes_.push_back(std::make_shared<Lane>(stub_, *poller_, [this](SteadyTime at) { Wake(at); }));
  return {number, lanes_.back().get()};
}

std::vector<std::shared_ptr<Lane>> Gatherer::Lanes() {
  const MutexLock lock(mutex_);
  closed_ = true;
  return lanes_;
}

void Gatherer::Wake(SteadyTime at) {
  const MutexLock lock(mutex_);
  if (at >= next_tick_) return;
  next_tick_ = at;
  woken_.NotifyOne();
}

void Gatherer::KeepTime(const std::stop_token& stop) {
  const std::stop_callback wake(stop, [this] {
    const MutexLock lock(mutex_);
    woken_.NotifyOne();
  });
  MutexLock lock(mutex_);
  while (!stop.stop_requested()) {
    const SteadyTime now = std::chrono::steady_clock::now();
    if (next_tick_ > now) {
      if (next_tick_ == kNever) {
        woken_.Wait(mutex_);
      } else {
        woken_.WaitUntil(mutex_, next_tick_);
      }
      continue;
    }
    next_tick_ = kNever;
    const std::vector<std::shared_ptr<Lane>> lanes = lanes_;
    lock.Unlock();
    SteadyTime next = kNever;
    for (const auto& lane : lanes) next = std::min(next, lane->Tick(now));
    lock.Lock();
    next_tick_ = std::min(next_tick_, next);
  }
}

void Gatherer::AwaitClosed(const std::vector<std::shared_ptr<Lane>>& lanes) {
  for (const auto& lane : lanes) lane->AwaitClosed();
  keeper_.request_stop();
  if (keeper_.joinable()) keeper_.join();
}

}  // namespace workpool::client
