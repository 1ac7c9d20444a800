// The descriptors 0, 1 and 2.
#pragma once

namespace workpool {

// Gives each of them that was closed when the program started a /dev/null, so that no descriptor
// opened later takes its place and is then read from or written to by mistake. Reading from such a
// stdin and writing to such a stdout still fails: what they should have carried must not seem to
// have been. Uses plain system calls only, so that it may run from .preinit_array: in main it is
// too late, initialisers of libraries open descriptors.
void FillStandardDescriptors();

}  // namespace workpool
