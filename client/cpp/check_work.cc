#include "base/work_texts.h"
#include "status.h"
#include "workpool/client/work.h"

namespace workpool::client {

Result<void> CheckWork(const Work& work) {
  const auto checked = CheckWorkTexts({.handler = work.handler,
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
