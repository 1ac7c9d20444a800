// A post read straight from the bytes of its Work message. The generated classes made an object of
// it first, with strings to be freed again: 1,650 of the daemon's 9,300 instructions for a noop job
// of 64 bytes that was one of 64 in a message, counted with callgrind.
#pragma once

#include <string_view>

#include "base/error.h"
#include "jobs/job.h"

namespace workpool::rpc {

// As ReadWork (work_from_proto.h) does; kBadField also if the bytes are no Work. `to` is as new.
Result<void> ReadWork(std::string_view bytes, Work& to);

}  // namespace workpool::rpc
