#include "acceptances.h"

#include "base/wire.h"
#include "workpool/v1/workpool.pb.h"

namespace workpool::client {

namespace {

bool ReadAcceptance(std::string_view result, Acceptance& to) {
  while (!result.empty()) {
    std::uint64_t tag = 0;
    std::uint64_t number = 0;
    if (!CutNumber(result, tag) || !CutNumber(result, number)) return false;
    switch (tag) {
      case TagOf(v1::PostResult::kSequenceFieldNumber, Wire::kNumber): to.sequence = number; break;
      case TagOf(v1::PostResult::kIdFieldNumber, Wire::kNumber): to.posted.id = number; break;
      case TagOf(v1::PostResult::kDuplicateFieldNumber, Wire::kNumber):
        to.posted.duplicate = number != 0;
        break;
      default: return false;
    }
  }
  return true;
}

}  // namespace

bool ReadAcceptances(std::string_view response, std::vector<Acceptance>& to) {
  constexpr auto kTag = TagOf(v1::PostWorkStreamResponse::kResultsFieldNumber, Wire::kLength);
  while (!response.empty()) {
    std::uint64_t tag = 0;
    std::string_view result;
    if (!CutNumber(response, tag) || tag != kTag || !CutBytes(response, result)) return false;
    if (!ReadAcceptance(result, to.emplace_back())) return false;
  }
  return true;
}

}  // namespace workpool::client
