// Starting a program: the system calls between a ChildSpec and a running process.
#pragma once

#include <sys/types.h>

#include "base/error.h"
#include "jobs/child_process.h"
#include "runtime/child_table.h"
#include "runtime/owned_fd.h"

namespace workpool {

// A process that leads a group of its own, and our ends of its pipes, which do not block.
struct Spawned {
  pid_t pid = 0;
  OwnedFd pidfd;   // readable when it has ended
  OwnedFd input;   // its stdin
  OwnedFd output;  // its stdout
  OwnedFd errors;  // its stderr
};

// Enters it in `table`. Blocks until the program has been loaded or has failed to, about a
// millisecond. Thread safe.
Result<Spawned> Spawn(const ChildSpec& spec, ChildTable& table);

}  // namespace workpool
