#include "base/names.h"
#include "base/work_texts.h"
#include "status.h"
#include "workpool/client/work.h"

namespace workpool::client {

namespace {

// Far more than a daemon takes, and far less than the lengths in gRPC's frames can say.
constexpr std::size_t kMaxPayload = std::size_t{1} << 30;

// Most works have no text but the handler's name.
bool IsBare(const Work& work) {
  return work.pool.empty() && work.caller.empty() && work.content_type.empty() &&
         work.metadata.empty();
}

}  // namespace

Result<void> CheckWork(const Work& work) {
  if (work.payload.size() > kMaxPayload) {
    auto refusal = Refuse(StatusCode::kInvalidArgument, "payload: more than 1 GiB cannot be sent");
    refusal.error().reason = ReasonOf(ErrorCode::kPayloadTooLarge);
    return refusal;
  }
  const auto checked = IsBare(work) ? CheckName("handler", work.handler)
                                    : CheckWorkTexts({.handler = work.handler,
                                                      .pool = work.pool,
                                                      .caller = work.caller,
                                                      .content_type = work.content_type,
                                                      .metadata = work.metadata});
  if (checked) return {};
  auto refusal = Refuse(StatusCode::kInvalidArgument, checked.error().message);
  refusal.error().reason = ReasonOf(checked.error().code);
  return refusal;
}

}  // namespace workpool::client
