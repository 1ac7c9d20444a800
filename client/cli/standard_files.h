// The descriptors 0, 1 and 2.
#pragma once

namespace workpool::cli {

// Fills those that were closed when the program started, so that nothing else is opened there and
// then written to or read from by mistake. Using them still fails. To be called before anything
// that opens a descriptor.
void FillStandardFiles();

}  // namespace workpool::cli
