// A message of a post stream, read from its bytes: its items stay bytes until each is read
// (work_from_bytes.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace workpool::rpc {

// The most items of one batch, and of one message of a stream.
inline constexpr std::uint32_t kMaxBatchItems = 10'000;

struct PostMessage {
  std::uint64_t first_sequence = 0;
  std::size_t items = 0;
  std::vector<std::string_view> work;  // of them, up to the limit; refer to the message's bytes
  std::vector<std::uint64_t> abandon;
};

// False if the bytes are no PostWorkStreamRequest, or have groups, which the protocol does not use.
bool ReadPostMessage(std::string_view bytes, PostMessage& to);

}  // namespace workpool::rpc
