// A post read straight from the bytes of its Work message. The generated classes would make an
// object of it first, with strings to be freed again: a sixth of what the daemon does for a job
// that is one of many in a message.
#pragma once

#include <string_view>

#include "base/error.h"
#include "jobs/job.h"

namespace workpool::rpc {

// As ReadWork (work_from_proto.h) does; kBadField also if the bytes are no Work. `to` is as new.
Result<void> ReadWork(std::string_view bytes, Work& to);

}  // namespace workpool::rpc
