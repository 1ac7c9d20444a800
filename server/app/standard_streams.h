// Descriptors 0 to 2 and what is written to stdout.
//
// A program that links this gives each of the three that is closed a /dev/null before anything else
// runs, so that no descriptor that is opened later gets the log or takes input for its own. A
// closed stdout stays unwritable, so that what it should have shown is not taken for shown.
#pragma once

namespace workpool {

// Whether all that has been written to stdout has reached it; if not, a line on stderr says why.
bool FlushStdout();

}  // namespace workpool
