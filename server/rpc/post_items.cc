#include "rpc/post_items.h"

#include "rpc/status.h"

namespace workpool::rpc {

void ToProto(const Result<Posted>& posted, v1::PostResult& out) {
  if (!posted) return ToProto(posted.error(), *out.mutable_refusal());
  out.set_id(posted->id);
  out.set_duplicate(posted->duplicate);
}

}  // namespace workpool::rpc
