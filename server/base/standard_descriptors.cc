#include "base/standard_descriptors.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace workpool {
namespace {

int ModeOf(int fd) {
  switch (fd) {
    case STDIN_FILENO: return O_WRONLY;
    case STDOUT_FILENO: return O_RDONLY;
    default: return O_RDWR;
  }
}

}  // namespace

// In ascending order: each takes the lowest free number, which is its own.
void FillStandardDescriptors() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (syscall(SYS_fcntl, fd, F_GETFD) != -1 || errno != EBADF) continue;
    syscall(SYS_openat, AT_FDCWD, "/dev/null", ModeOf(fd));
  }
}

}  // namespace workpool
