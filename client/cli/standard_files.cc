#include "standard_files.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace workpool::cli {

// Plain system calls: no library, nor a sanitizer's runtime, has been initialised yet.
void FillStandardFiles() {
  long fd = -1;
  do {
    // The lowest that is free. Write-only for 0 and read-only for the others, so that what meant to
    // read or print fails instead of seeming to have worked.
    const bool input = syscall(SYS_fcntl, STDIN_FILENO, F_GETFD) < 0;
    fd = syscall(SYS_openat, AT_FDCWD, "/dev/null", input ? O_WRONLY : O_RDONLY);
  } while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd >= 0) syscall(SYS_close, fd);
}

}  // namespace workpool::cli
