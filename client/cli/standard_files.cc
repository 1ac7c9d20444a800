#include "standard_files.h"

#include <fcntl.h>
#include <unistd.h>

namespace workpool::cli {

void FillStandardFiles() {
  int fd = -1;
  do {
    // The lowest that is free. Write-only for 0 and read-only for the others, so that what meant to
    // read or print fails instead of seeming to have worked.
    const bool input = fcntl(STDIN_FILENO, F_GETFD) < 0;
    fd = open("/dev/null", input ? O_WRONLY : O_RDONLY);
  } while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd >= 0) close(fd);
}

}  // namespace workpool::cli
