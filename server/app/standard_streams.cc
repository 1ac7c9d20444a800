#include "app/standard_streams.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

namespace workpool {
namespace {

// Plain system calls: no library, nor a sanitizer's runtime, has been initialised yet.
void OpenStandardStreams() {
  for (int fd = 0; fd <= 2; ++fd) {
    if (syscall(SYS_fcntl, fd, F_GETFD) != -1 || errno != EBADF) continue;
    // Takes the lowest free number, which is this one.
    syscall(SYS_openat, AT_FDCWD, "/dev/null", fd == STDERR_FILENO ? O_RDWR : O_RDONLY);
  }
}

// In main it is too late: initialisers of gRPC's libraries open descriptors.
[[gnu::section(".preinit_array"),
  gnu::used]] void (*const kBeforeInitialisers)() = &OpenStandardStreams;

}  // namespace

bool FlushStdout() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return true;
  const std::string reason = errno == 0 ? "a write failed" : std::generic_category().message(errno);
  fmt::print(stderr, "workpoold: cannot write to stdout: {}\n", reason);
  return false;
}

}  // namespace workpool
