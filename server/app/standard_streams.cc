#include "app/standard_streams.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

#include "base/standard_descriptors.h"

namespace workpool {
namespace {

// In main it is too late: initialisers of gRPC's libraries open descriptors.
[[gnu::section(".preinit_array"),
  gnu::used]] void (*const kBeforeInitialisers)() = &FillStandardDescriptors;

}  // namespace

bool FlushStdout() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return true;
  const std::string reason = errno == 0 ? "a write failed" : std::generic_category().message(errno);
  fmt::print(stderr, "workpoold: cannot write to stdout: {}\n", reason);
  return false;
}

}  // namespace workpool
