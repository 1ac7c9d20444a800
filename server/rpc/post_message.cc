#include "rpc/post_message.h"

#include "base/wire.h"
#include "workpool/v1/workpool.pb.h"

namespace workpool::rpc {
namespace {

using Request = v1::PostWorkStreamRequest;

bool CutPacked(std::string_view& from, std::vector<std::uint64_t>& to) {
  std::string_view packed;
  if (!CutBytes(from, packed)) return false;
  while (!packed.empty()) {
    if (!CutNumber(packed, to.emplace_back())) return false;
  }
  return true;
}

bool CutItem(std::string_view& from, PostMessage& to) {
  std::string_view work;
  if (!CutBytes(from, work)) return false;
  if (++to.items <= kMaxBatchItems) to.work.push_back(work);
  return true;
}

bool CutField(std::string_view& from, PostMessage& to) {
  std::uint64_t tag = 0;
  if (!CutNumber(from, tag)) return false;
  switch (tag) {
    case TagOf(Request::kFirstSequenceFieldNumber, Wire::kNumber):
      return CutNumber(from, to.first_sequence);
    case TagOf(Request::kWorkFieldNumber, Wire::kLength): return CutItem(from, to);
    case TagOf(Request::kAbandonFieldNumber, Wire::kLength): return CutPacked(from, to.abandon);
    case TagOf(Request::kAbandonFieldNumber, Wire::kNumber):
      return CutNumber(from, to.abandon.emplace_back());
    default: return SkipField(from, tag);
  }
}

}  // namespace

bool ReadPostMessage(std::string_view bytes, PostMessage& to) {
  while (!bytes.empty()) {
    if (!CutField(bytes, to)) return false;
  }
  return true;
}

}  // namespace workpool::rpc
