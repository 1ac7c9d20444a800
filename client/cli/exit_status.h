// How the command ends, for scripts.
#pragma once

namespace workpool::cli {

enum class Exit {
  kDone = 0,
  kJobFailed = 1,
  kUsage = 2,
  kUnreachable = 3,
  kRejected = 4,
  kNotFound = 5,
  kRefused = 6,
};

}  // namespace workpool::cli
