#include "http/server_loop.h"

#include <sys/eventfd.h>

#include <algorithm>
#include <utility>

namespace workpool::http {
namespace {

constexpr std::size_t kWakeSlot = 0;
constexpr std::size_t kListenerSlot = 1;
constexpr std::size_t kFirstConnection = 2;

}  // namespace

ServerLoop::ServerLoop(Listener listener, Descriptor wake, HttpRoutes routes,
                       const HttpLimits& limits)
    : routes_(std::move(routes)),
      limits_(limits),
      wake_(std::move(wake)),
      acceptor_(std::move(listener)) {}

void ServerLoop::Stop() { eventfd_write(wake_.get(), 1); }

void ServerLoop::Run() {
  while (Poll()) {
    const SteadyTime now = std::chrono::steady_clock::now();
    std::size_t slot = kFirstConnection;
    for (Connection& connection : connections_) {
      if (polled_[slot++].revents != 0) connection.Proceed(now);
    }
    CloseOver(now);
    if (polled_[kListenerSlot].revents != 0) AcceptAll(now);
  }
  connections_.clear();
}

bool ServerLoop::Poll() {
  const SteadyTime now = std::chrono::steady_clock::now();
  polled_.clear();
  polled_.push_back({wake_.get(), POLLIN, 0});
  // poll passes over a negative descriptor.
  polled_.push_back({Accepting(now) ? acceptor_.fd() : -1, POLLIN, 0});
  for (const Connection& connection : connections_) {
    polled_.push_back({connection.fd(), connection.events(), 0});
  }
  if (poll(polled_.data(), polled_.size(), TimeoutMs(now)) < 0) {
    // Interrupted, or short of memory: what poll did not fill in must not be read.
    for (pollfd& entry : polled_) entry.revents = 0;
  }
  return polled_[kWakeSlot].revents == 0;
}

bool ServerLoop::Accepting(SteadyTime now) const { return now >= acceptor_.paused_until(); }

int ServerLoop::TimeoutMs(SteadyTime now) const {
  SteadyTime next = SteadyTime::max();
  if (acceptor_.paused_until() > now) next = acceptor_.paused_until();
  for (const Connection& connection : connections_) next = std::min(next, connection.deadline());
  if (next == SteadyTime::max()) return -1;
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(next - now).count();
  return static_cast<int>(std::clamp<decltype(wait)>(wait, 0, 60'000));
}

void ServerLoop::AcceptAll(SteadyTime now) {
  // Bounded, so that a flood of connections leaves time to serve those that are open.
  for (std::size_t turn = 0; turn < limits_.connections && Accepting(now); ++turn) {
    Descriptor fd = acceptor_.Accept(now);
    if (!fd.valid()) return;
    if (connections_.size() >= limits_.connections) CloseCheapest();
    connections_.emplace_back(std::move(fd), routes_, limits_, now);
  }
}

void ServerLoop::CloseOver(SteadyTime now) {
  for (auto at = connections_.begin(); at != connections_.end();) {
    const auto here = at++;
    if (here->done() || here->deadline() <= now) Close(here);
  }
}

// Among equals the one that has waited for longest. Otherwise clients that never end their request
// would shut everybody out until their time is over.
void ServerLoop::CloseCheapest() {
  const auto cheapest =
      std::ranges::min_element(connections_, {}, [](const Connection& connection) {
        return std::pair(connection.cost(), connection.deadline());
      });
  if (cheapest != connections_.end()) Close(cheapest);
}

void ServerLoop::Close(std::list<Connection>::iterator connection) {
  acceptor_.Close(connection->TakeSocket());
  connections_.erase(connection);
}

}  // namespace workpool::http
