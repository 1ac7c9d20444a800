#include "rpc/acceptor.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>

#include "base/log.h"

namespace workpool::rpc {
namespace {

constexpr int kRetryMs = 50;
// A server that stays near its limit gets one line in this time.
constexpr auto kQuiet = std::chrono::seconds(60);

rlim_t Limit() {
  rlimit limit = {};
  return ::getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

// The connection went before it was accepted; the next one may be there.
bool IsGone(int error) {
  return error == EINTR || error == ECONNABORTED || error == EPROTO || error == ENETDOWN ||
         error == EHOSTUNREACH || error == ENETUNREACH;
}

}  // namespace

rlim_t DescriptorReserve(rlim_t limit) { return std::clamp<rlim_t>(limit / 4, 16, 1024); }

Acceptor::Acceptor(const Listener& listener, Take take)
    : listener_(listener),
      take_(std::move(take)),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      thread_([this] { Loop(); }) {}

Acceptor::~Acceptor() { Stop(); }

void Acceptor::Stop() {
  if (!thread_.joinable()) return;
  stopping_ = true;
  ::eventfd_write(wake_.get(), 1);
  thread_.join();
}

void Acceptor::Loop() {
  std::vector<pollfd> polled{{wake_.get(), POLLIN, 0}};
  for (const UniqueFd& socket : listener_.sockets) polled.push_back({socket.get(), POLLIN, 0});
  while (!stopping_) {
    if (::poll(polled.data(), polled.size(), -1) < 0) continue;
    for (std::size_t i = 1; i < polled.size(); ++i) {
      if (polled[i].revents != 0) AcceptAll(polled[i].fd);
    }
  }
}

void Acceptor::AcceptAll(int listening) {
  while (!stopping_) {
    if (TableIsFull()) return WaitForDescriptors();
    UniqueFd socket(::accept4(listening, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket.valid()) {
      if (IsGone(errno)) continue;
      return errno == EAGAIN ? void() : WaitForDescriptors();
    }
    full_ = false;
    const int on = 1;
    ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    take_(std::move(socket));
  }
}

// New descriptors get the lowest free number, so that the next number tells how full the table is,
// and no connection ever takes one of the highest.
bool Acceptor::TableIsFull() const {
  const UniqueFd probe(::fcntl(wake_.get(), F_DUPFD_CLOEXEC, 0));
  const rlim_t limit = Limit();
  return !probe.valid() ||
         static_cast<rlim_t>(probe.get()) >= limit - std::min(limit, DescriptorReserve(limit));
}

void Acceptor::WaitForDescriptors() {
  const auto now = std::chrono::steady_clock::now();
  if (!full_ && (!warned_at_ || now - *warned_at_ > kQuiet)) {
    warned_at_ = now;
    Log(LogLevel::kWarn, "connections wait: too few file descriptors are left",
        {{"limit", static_cast<std::uint64_t>(Limit())}});
  }
  full_ = true;
  pollfd wake{wake_.get(), POLLIN, 0};
  ::poll(&wake, 1, kRetryMs);
}

}  // namespace workpool::rpc
