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

#include "workpool/client/work.h"

namespace workpool::client {

// How many bytes `work` takes as a v1::Work.
std::size_t EncodedSize(const Work& work);

// Each appends to a v1::PostWorkStreamRequest. The order does not matter, but for that of the items
// among themselves.
//
// `size` is the EncodedSize of `work`.
void AppendItem(const Work& work, std::size_t size, std::string& request);
void AppendFirstSequence(std::uint64_t sequence, std::string& request);
void AppendAbandoned(std::span<const std::uint64_t> sequences, std::string& request);

// Cuts off the first item of a request that begins with one, and answers its encoding, which others
// may be appended to.
std::string_view CutItem(std::string_view& request);

}  // namespace workpool::client
