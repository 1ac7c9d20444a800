// CHECK(condition): for what cannot happen unless this program is wrong. Prints where and aborts,
// in every build. Never for input of any kind.
#pragma once

namespace workpool {

[[noreturn]] void CheckFailed(const char* condition, const char* file, int line);

}  // namespace workpool

#define WORKPOOL_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::workpool::CheckFailed(#condition, __FILE__, __LINE__))
