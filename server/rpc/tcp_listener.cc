#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "rpc/listener.h"

namespace workpool::rpc {
namespace {

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

struct HostPort {
  std::string host;
  std::string port;
};

std::optional<HostPort> Split(std::string_view address) {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view host = address.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  const std::string_view port = address.substr(colon + 1);
  if (host.empty() || port.empty()) return std::nullopt;
  return HostPort{std::string(host), std::string(port)};
}

std::uint16_t PortOf(const UniqueFd& socket) {
  sockaddr_storage address = {};
  socklen_t length = sizeof(address);
  if (::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &length) != 0) return 0;
  // The port lies at the same place in both families.
  return ntohs(reinterpret_cast<const sockaddr_in*>(&address)->sin_port);
}

void SetPort(addrinfo& info, std::uint16_t port) {
  reinterpret_cast<sockaddr_in*>(info.ai_addr)->sin_port = htons(port);
}

// Not valid on failure, with errno set.
UniqueFd OpenOne(const addrinfo& info, bool only_v6) {
  UniqueFd socket(::socket(info.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.valid()) return socket;
  const int on = 1;
  const int v6 = only_v6 ? 1 : 0;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (info.ai_family == AF_INET6) {
    ::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &v6, sizeof(v6));
  }
  if (::bind(socket.get(), info.ai_addr, info.ai_addrlen) != 0) return UniqueFd();
  if (::listen(socket.get(), SOMAXCONN) != 0) return UniqueFd();
  return socket;
}

// A name may stand for addresses of a family that this machine does not have.
bool IsAbsentFamily(int error) { return error == EAFNOSUPPORT || error == EADDRNOTAVAIL; }

}  // namespace

Result<Listener> OpenTcpListener(const std::string& address) {
  const auto parts = Split(address);
  if (!parts) return CannotListen(address, "an address is HOST:PORT, [V6]:PORT or unix:/PATH");
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int failed = ::getaddrinfo(parts->host.c_str(), parts->port.c_str(), &hints, &found);
  if (failed != 0) return CannotListen(address, ::gai_strerror(failed));
  const Addresses all(found, ::freeaddrinfo);

  Listener listener;
  std::uint16_t port = 0;
  int error = 0;
  for (addrinfo* info = all.get(); info != nullptr; info = info->ai_next) {
    if (port != 0) SetPort(*info, port);
    UniqueFd socket = OpenOne(*info, all->ai_next != nullptr);
    if (!socket.valid()) {
      error = errno;
      if (!IsAbsentFamily(error)) return CannotListen(address, SystemReason(error));
      continue;
    }
    port = PortOf(socket);
    listener.sockets.push_back(std::move(socket));
  }
  if (listener.sockets.empty()) return CannotListen(address, SystemReason(error));
  listener.address = address.substr(0, address.rfind(':') + 1) + std::to_string(port);
  return listener;
}

}  // namespace workpool::rpc
