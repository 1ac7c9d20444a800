#include "app/address.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/names.h"

namespace workpool {
namespace {

constexpr std::string_view kUnixPrefix = "unix:";
constexpr std::size_t kMaxUnixPath = sizeof(sockaddr_un::sun_path) - 1;

std::unexpected<Error> BadAddress(std::string_view text, std::string_view rule) {
  return Fail(ErrorCode::kBadField, fmt::format("\"{}\": {}", Printable(text), rule));
}

std::optional<std::uint16_t> ParsePort(std::string_view digits) {
  std::uint16_t port = 0;
  const char* end = digits.data() + digits.size();
  const auto [stopped, error] = std::from_chars(digits.data(), end, port);
  if (digits.empty() || error != std::errc() || stopped != end) return std::nullopt;
  return port;
}

bool IsHostName(std::string_view host) {
  return !host.empty() && host.size() <= 253 && std::ranges::all_of(host, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.';
  });
}

Result<ListenAddress> ParseUnix(std::string_view text) {
  const std::string_view path = text.substr(kUnixPrefix.size());
  if (!path.starts_with('/') || path.size() > kMaxUnixPath ||
      path.find('\0') != std::string_view::npos) {
    return BadAddress(text, fmt::format("a unix socket is unix:/PATH with an absolute path of at "
                                        "most {} bytes",
                                        kMaxUnixPath));
  }
  return ListenAddress{ListenAddress::Kind::kUnix, std::string(path), 0};
}

// The kind of a host without its brackets; nothing if it is no host at all.
std::optional<ListenAddress::Kind> KindOf(const std::string& host, bool bracketed) {
  std::array<unsigned char, sizeof(in6_addr)> address{};
  if (bracketed) {
    if (inet_pton(AF_INET6, host.c_str(), address.data()) == 1) return ListenAddress::Kind::kV6;
    return std::nullopt;
  }
  if (inet_pton(AF_INET, host.c_str(), address.data()) == 1) return ListenAddress::Kind::kV4;
  // What looks like numbers but is no address ("127.1", "1.2.3.999") must not reach a resolver.
  const bool numeric = host.find_first_not_of("0123456789.") == std::string::npos;
  if (numeric || !IsHostName(host)) return std::nullopt;
  return ListenAddress::Kind::kHostName;
}

}  // namespace

bool ListenAddress::Local() const {
  switch (kind) {
    case Kind::kUnix: return true;
    case Kind::kV4: return host.starts_with("127.");
    case Kind::kV6: {
      in6_addr address{};
      return inet_pton(AF_INET6, host.c_str(), &address) == 1 && IN6_IS_ADDR_LOOPBACK(&address);
    }
    case Kind::kHostName: return host == "localhost";
  }
  return false;
}

Result<ListenAddress> ParseListenAddress(std::string_view text) {
  if (text.starts_with(kUnixPrefix)) return ParseUnix(text);
  constexpr std::string_view kRule =
      "an address is HOST:PORT, [V6]:PORT or unix:/PATH, the port from 0 (any) to 65535";
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return BadAddress(text, kRule);
  std::string_view host = text.substr(0, colon);
  const bool bracketed = host.size() >= 2 && host.front() == '[' && host.back() == ']';
  if (bracketed) host = host.substr(1, host.size() - 2);
  const auto port = ParsePort(text.substr(colon + 1));
  const bool clean = host.find('\0') == std::string_view::npos;
  const auto kind = clean ? KindOf(std::string(host), bracketed) : std::nullopt;
  if (!port || !kind) return BadAddress(text, kRule);
  return ListenAddress{*kind, std::string(host), *port};
}

Result<void> CheckListen(std::string_view text, bool insecure, bool allow_unix) {
  const auto address = ParseListenAddress(text);
  if (!address) return std::unexpected(address.error());
  if (address->kind == ListenAddress::Kind::kUnix && !allow_unix) {
    return BadAddress(text, "this port takes HOST:PORT or [V6]:PORT, no unix socket");
  }
  if (!address->Local() && !insecure) {
    return BadAddress(text,
                      "listens beyond this machine without protection: use 127.0.0.1, [::1], "
                      "localhost or a unix socket, or set insecure = true under [server]");
  }
  return {};
}

}  // namespace workpool
