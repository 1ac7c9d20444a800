// The daemon's usual answer, read without message objects.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "workpool/client/work.h"

namespace workpool::client {

// What a v1::PostResult without a refusal says.
struct Acceptance {
  std::uint64_t sequence = 0;
  Posted posted = {};
};

// Appends the results of an encoded v1::PostWorkStreamResponse to `to`. False, with anything
// appended, if it holds more than acceptances: the generated classes must read it then.
bool ReadAcceptances(std::string_view response, std::vector<Acceptance>& to);

}  // namespace workpool::client
