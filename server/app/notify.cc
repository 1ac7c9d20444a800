#include "app/notify.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace workpool {

Notifier::Notifier(std::string socket) : socket_(std::move(socket)) {}

Notifier Notifier::FromEnvironment() {
  const char* socket = std::getenv("NOTIFY_SOCKET");
  return Notifier(socket == nullptr ? "" : socket);
}

void Notifier::Ready() const { Send("READY=1\n"); }

void Notifier::Reloading() const {
  // The time tells this reload from an earlier one.
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  Send(fmt::format("RELOADING=1\nMONOTONIC_USEC={}\n",
                   std::chrono::duration_cast<std::chrono::microseconds>(now).count()));
}

void Notifier::Stopping() const { Send("STOPPING=1\n"); }

void Notifier::Send(std::string_view state) const {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket_.empty() || socket_.size() >= sizeof(address.sun_path)) return;
  std::memcpy(address.sun_path, socket_.data(), socket_.size());
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0';
  const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return;
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
  static_cast<void>(sendto(fd, state.data(), state.size(), MSG_NOSIGNAL | MSG_DONTWAIT,
                           reinterpret_cast<const sockaddr*>(&address), length));
  close(fd);
}

}  // namespace workpool
