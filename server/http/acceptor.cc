#include "http/acceptor.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <utility>

#include "base/log.h"

namespace workpool::http {
namespace {

constexpr std::chrono::milliseconds kPause{100};

Descriptor TryAccept(int listener) {
  Descriptor fd;
  do {
    fd.Reset(accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  } while (!fd.valid() && (errno == EINTR || errno == ECONNABORTED));
  return fd;
}

bool OutOfDescriptors(int error) { return error == EMFILE || error == ENFILE; }

}  // namespace

Acceptor::Acceptor(Listener listener) : listener_(std::move(listener)) { Refill(); }

Descriptor Acceptor::Accept(SteadyTime now) {
  Refill();
  Descriptor fd = TryAccept(listener_.socket.get());
  if (!fd.valid() && OutOfDescriptors(errno) && reserve_.valid()) {
    reserve_.Reset();
    fd = TryAccept(listener_.socket.get());
  }
  if (fd.valid()) {
    short_of_descriptors_ = short_of_descriptors_ && !reserve_.valid();
  } else if (errno != EAGAIN && errno != EWOULDBLOCK) {
    Pause(now, errno);
  }
  return fd;
}

void Acceptor::Pause(SteadyTime now, int error) {
  paused_until_ = now + kPause;
  if (std::exchange(short_of_descriptors_, true)) return;
  const std::string reason = std::generic_category().message(error);
  Log(LogLevel::kWarn, "the HTTP port cannot accept connections for now",
      {{"address", std::string_view(listener_.address)}, {"reason", std::string_view(reason)}});
}

void Acceptor::Close(Descriptor socket) {
  if (reserve_.valid()) return;
  // In one step: a descriptor that is given back first may be taken by another thread at once.
  if (dup3(listener_.socket.get(), socket.get(), O_CLOEXEC) >= 0) reserve_ = std::move(socket);
}

void Acceptor::Refill() {
  if (!reserve_.valid()) reserve_.Reset(open("/dev/null", O_RDONLY | O_CLOEXEC));
}

}  // namespace workpool::http
