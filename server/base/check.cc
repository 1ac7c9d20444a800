#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace workpool {

void CheckFailed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: impossible: %s does not hold\n", file, line, condition);
  std::abort();
}

}  // namespace workpool
