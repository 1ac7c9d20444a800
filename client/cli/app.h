// The command line as a whole.
#pragma once

namespace workpool::cli {

// Runs the command that the arguments name; answers the process's exit status.
int Main(int argc, char** argv);

}  // namespace workpool::cli
