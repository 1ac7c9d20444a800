#include "rpc/work_from_bytes.h"

#include "base/wire.h"
#include "rpc/work_from_proto.h"
#include "workpool/v1/job.pb.h"

namespace workpool::rpc {
namespace {

// False if there is anything but texts: that is rare and left to the generated classes. So are
// bytes that make no message.
bool ReadTexts(std::string_view bytes, Work& to) {
  while (!bytes.empty()) {
    std::uint64_t tag = 0;
    std::string_view text;
    if (!CutNumber(bytes, tag) || (tag & 7) != static_cast<std::uint32_t>(Wire::kLength) ||
        !CutBytes(bytes, text)) {
      return false;
    }
    switch (tag >> 3) {
      case v1::Work::kHandlerFieldNumber: to.handler = text; break;
      case v1::Work::kPoolFieldNumber: to.pool = text; break;
      case v1::Work::kPayloadFieldNumber: to.payload = text; break;
      case v1::Work::kContentTypeFieldNumber: to.content_type = text; break;
      case v1::Work::kCallerFieldNumber: to.caller = text; break;
      default: return false;
    }
  }
  return true;
}

}  // namespace

Result<void> ReadWork(std::string_view bytes, Work& to) {
  if (ReadTexts(bytes, to)) return {};
  v1::Work work;
  if (!work.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return Fail(ErrorCode::kBadField, "work: not a Work message, or a text in it is not UTF-8");
  }
  to = Work();
  return ReadWork(work, to);
}

}  // namespace workpool::rpc
