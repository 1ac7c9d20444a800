// The items of a batch or of a stream's message, converted: those that can be offered, and where
// each of them stood.
#pragma once

#include <google/protobuf/repeated_ptr_field.h>

#include <cstdint>
#include <functional>
#include <optional>
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

// The items from `first` to before `end`, moves their texts out of `work`. Calls `refused` for each
// that cannot be offered, in order.
PostItems ConvertItems(google::protobuf::RepeatedPtrField<v1::Work>& work, int first, int end,
                       std::optional<SteadyTime> call_deadline,
                       const std::function<void(std::size_t position, const Error&)>& refused);

void ToProto(const Result<Posted>& posted, v1::PostResult& out);

}  // namespace workpool::rpc
