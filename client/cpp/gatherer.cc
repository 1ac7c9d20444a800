#include "gatherer.h"

#include <algorithm>

#include "status.h"

namespace workpool::client {

namespace {

// A stream costs the daemon something; whoever posts to more pools than this shares them.
constexpr std::size_t kMaxLanes = 64;

}  // namespace

Gatherer::Gatherer(v1::WorkPool::Stub& stub)
    : stub_(stub), keeper_([this](const std::stop_token& stop) { KeepTime(stop); }) {}

Gatherer::~Gatherer() = default;

PostTicket Gatherer::Post(Work&& work, Pending pending) {
  std::shared_ptr<Lane> lane;
  const std::uint32_t number = LaneOf(work, lane);
  if (!lane) {
    pending.done(Refuse(StatusCode::kCancelled, "the client is closed"));
    return {};
  }
  return {number, lane->Post(std::move(work), std::move(pending))};
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

std::uint32_t Gatherer::LaneOf(const Work& work, std::shared_ptr<Lane>& lane) {
  const KeyView key(work.pool, work.when_full);
  const MutexLock lock(mutex_);
  if (closed_) return 0;
  if (const auto found = index_.find(key); found != index_.end()) {
    lane = lanes_[found->second];
    return found->second;
  }
  const std::uint32_t number = NewLane(key);
  lane = lanes_[number];
  return number;
}

std::uint32_t Gatherer::NewLane(const KeyView& key) {
  if (lanes_.size() == kMaxLanes) {
    return static_cast<std::uint32_t>(std::hash<std::string_view>()(key.first) % kMaxLanes);
  }
  const auto number = static_cast<std::uint32_t>(lanes_.size());
  lanes_.push_back(std::make_shared<Lane>(stub_, [this](SteadyTime at) { Wake(at); }));
  index_.emplace(Key(key.first, key.second), number);
  return number;
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
