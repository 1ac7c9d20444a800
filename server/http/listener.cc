#include "http/listener.h"

#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <memory>
#include <system_error>

namespace workpool::http {
namespace {

using AddressList = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

constexpr int kBacklog = 128;

std::unexpected<Error> CannotListen(const std::string& listen, const std::string& reason) {
  return Fail(ErrorCode::kInternal, fmt::format("cannot listen on {}: {}", listen, reason));
}

std::string SystemReason(int error) { return std::generic_category().message(error); }

struct HostPort {
  std::string host;
  std::string port;
};

bool IsPort(const std::string& text) {
  std::uint16_t port = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, port);
  return parsed.ec == std::errc{} && parsed.ptr == end;
}

Result<HostPort> Split(const std::string& listen) {
  const auto colon = listen.rfind(':');
  if (colon == std::string::npos) return CannotListen(listen, "HOST:PORT expected");
  HostPort parts{listen.substr(0, colon), listen.substr(colon + 1)};
  const bool bracketed = parts.host.starts_with('[') && parts.host.ends_with(']');
  if (bracketed) parts.host = parts.host.substr(1, parts.host.size() - 2);
  if (parts.host.empty()) return CannotListen(listen, "HOST:PORT expected");
  if (!IsPort(parts.port)) return CannotListen(listen, "the port must be a number, 0 to 65535");
  if (!bracketed && parts.host.find(':') != std::string::npos) {
    return CannotListen(listen, "an IPv6 address needs brackets: [ADDRESS]:PORT");
  }
  return parts;
}

Result<AddressList> Resolve(const std::string& listen, const HostPort& parts) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int failure = getaddrinfo(parts.host.c_str(), parts.port.c_str(), &hints, &found);
  if (failure == EAI_SYSTEM) return CannotListen(listen, SystemReason(errno));
  if (failure != 0) return CannotListen(listen, gai_strerror(failure));
  return AddressList(found, &freeaddrinfo);
}

// An invalid descriptor on failure; errno says why.
Descriptor Bind(const addrinfo& address) {
  Descriptor fd(socket(address.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int on = 1;
  if (!fd.valid() || setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      bind(fd.get(), address.ai_addr, address.ai_addrlen) != 0 || listen(fd.get(), kBacklog) != 0) {
    const int error = errno;
    fd.Reset();
    errno = error;
  }
  return fd;
}

std::string BoundAddress(int fd, const std::string& listen) {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  char host[NI_MAXHOST];
  char port[NI_MAXSERV];
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (getsockname(fd, generic, &length) != 0 ||
      getnameinfo(generic, length, host, sizeof host, port, sizeof port,
                  NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
    return listen;
  }
  if (address.ss_family == AF_INET6) return fmt::format("[{}]:{}", host, port);
  return fmt::format("{}:{}", host, port);
}

}  // namespace

Result<Listener> Listen(const std::string& listen) {
  const Result<HostPort> parts = Split(listen);
  if (!parts) return std::unexpected(parts.error());
  const Result<AddressList> addresses = Resolve(listen, *parts);
  if (!addresses) return std::unexpected(addresses.error());
  int error = EADDRNOTAVAIL;
  for (const addrinfo* address = addresses->get(); address != nullptr; address = address->ai_next) {
    Descriptor fd = Bind(*address);
    if (fd.valid()) {
      std::string bound = BoundAddress(fd.get(), listen);
      return Listener{std::move(fd), std::move(bound)};
    }
    error = errno;
  }
  return CannotListen(listen, SystemReason(error));
}

}  // namespace workpool::http
