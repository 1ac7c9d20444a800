#include "rpc/post_items.h"

#include <numeric>
#include <utility>

#include "rpc/status.h"
#include "rpc/work_from_proto.h"

namespace workpool::rpc {
namespace {

// The first item that cannot be offered makes positions and indices differ.
void StartPositions(PostItems& items) {
  items.positions.list.resize(items.requests.size());
  std::iota(items.positions.list.begin(), items.positions.list.end(), items.positions.first);
}

}  // namespace

PostItems ConvertItems(google::protobuf::RepeatedPtrField<v1::Work>& work, int first, int end,
                       std::optional<SteadyTime> call_deadline,
                       const std::function<void(std::size_t, const Error&)>& refused) {
  PostItems items;
  items.requests.reserve(static_cast<std::size_t>(end - first));
  items.positions.first = static_cast<std::uint32_t>(first);
  bool shifted = false;
  for (int i = first; i < end; ++i) {
    PostRequest& request = items.requests.emplace_back();
    if (auto read = ReadWork(work[i], request.work); !read) {
      items.requests.pop_back();
      if (!std::exchange(shifted, true)) StartPositions(items);
      refused(static_cast<std::size_t>(i), read.error());
      continue;
    }
    if (shifted) items.positions.list.push_back(static_cast<std::uint32_t>(i));
    request.call_deadline = call_deadline;
  }
  return items;
}

void ToProto(const Result<Posted>& posted, v1::PostResult& out) {
  if (!posted) return ToProto(posted.error(), *out.mutable_refusal());
  out.set_id(posted->id);
  out.set_duplicate(posted->duplicate);
}

}  // namespace workpool::rpc
