// The messages of a lane, in the protocol's encoding.
//
// Written without the generated classes: to fill, measure, write and clear an object for each post
// costs more than all else that is done for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "workpool/client/work.h"

namespace workpool::client {

// A v1::PostWorkStreamRequest.
struct Message {
  // A payload that was too large to be copied.
  struct Inset {
    // Where in `bytes` it belongs.
    std::size_t at = 0;
    std::string payload;
  };

  std::string bytes = {};
  // In the order of their places.
  std::vector<Inset> insets = {};
};

// The whole in one piece.
std::string Joined(const Message& message);

// How many bytes `work` takes as a v1::Work.
std::size_t EncodedSize(const Work& work);

// Each appends to a message. The order does not matter, but for that of the items among themselves.
//
// `size` is the EncodedSize of `work`, whose payload may be taken away.
void AppendItem(Work&& work, std::size_t size, Message& message);
void AppendFirstSequence(std::uint64_t sequence, Message& message);
void AppendAbandoned(std::span<const std::uint64_t> sequences, Message& message);

// Cuts the first item off a joined message that begins with one, and answers its encoding, which
// may be appended to the bytes of others.
std::string_view CutItem(std::string_view& message);

}  // namespace workpool::client
