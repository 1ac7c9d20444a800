// The items of a batch or of a stream's message, converted: those that can be offered, and where
// each of them stood.
#pragma once

#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "jobs/dispatcher.h"
#include "workpool/v1/workpool.pb.h"

namespace workpool::rpc {

// The position in its message of each item that is offered; without a list all are, from `first`
// on.
struct ItemPositions {
  std::uint32_t first = 0;
  std::vector<std::uint32_t> list;

  std::size_t Of(std::size_t index) const { return list.empty() ? first + index : list[index]; }
};

struct PostItems {
  std::vector<PostRequest> requests;
  ItemPositions positions;
};

// The items from `first` to before `end`. `read` answers a Result<void> for a position, and fills a
// Work; `refused` is called with the position and the error of each item that cannot be offered, in
// order.
template <typename Read, typename Refused>
PostItems ConvertItems(std::uint32_t first, std::uint32_t end,
                       std::optional<SteadyTime> call_deadline, const Read& read,
                       const Refused& refused) {
  PostItems items;
  items.requests.reserve(end - first);
  items.positions.first = first;
  std::vector<std::uint32_t>& list = items.positions.list;
  bool shifted = false;
  for (std::uint32_t i = first; i < end; ++i) {
    PostRequest& request = items.requests.emplace_back();
    if (const Result<void> done = read(i, request.work); !done) {
      items.requests.pop_back();
      if (!std::exchange(shifted, true)) {
        list.resize(items.requests.size());
        std::iota(list.begin(), list.end(), first);
      }
      refused(i, done.error());
      continue;
    }
    if (shifted) list.push_back(i);
    request.call_deadline = call_deadline;
  }
  return items;
}

void ToProto(const Result<Posted>& posted, v1::PostResult& out);

}  // namespace workpool::rpc
