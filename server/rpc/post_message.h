// A message of a post stream, read from its bytes: its items stay bytes until each is read
// (work_from_bytes.h).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace workpool::rpc {

struct PostMessage {
  std::uint64_t first_sequence = 0;
  std::vector<std::string_view> work;  // refer to the message's bytes
  std::vector<std::uint64_t> abandon;
};

// False if the bytes are no PostWorkStreamRequest.
bool ReadPostMessage(std::string_view bytes, PostMessage& to);

}  // namespace workpool::rpc
