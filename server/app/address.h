// Addresses to listen on, and the rule that keeps an unprotected port off the network.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace workpool {

struct ListenAddress {
  enum class Kind : std::uint8_t { kUnix, kV4, kV6, kHostName };
  Kind kind = Kind::kHostName;
  std::string host;  // without brackets; the path of a unix socket
  std::uint16_t port = 0;

  // Nobody beyond this machine can reach it: a unix socket, 127.0.0.0/8, [::1] or localhost.
  bool Local() const;
};

// "HOST:PORT", "[V6]:PORT" or "unix:/PATH". On failure kBadField; the message names the text and
// the rule.
Result<ListenAddress> ParseListenAddress(std::string_view text);

// The rule for both ports: local, or elsewhere only with `insecure`. "unix:" is refused where
// `allow_unix` is false.
Result<void> CheckListen(std::string_view text, bool insecure, bool allow_unix);

}  // namespace workpool
