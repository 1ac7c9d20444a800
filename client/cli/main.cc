// workpool: the command-line client.
#include <csignal>
#include <cstdlib>
#include <exception>

#include "app.h"
#include "output.h"

int main(int argc, char** argv) {
  // A reader that has gone is a failed write, and this program's own messages are enough.
  setenv("GRPC_VERBOSITY", "NONE", 0);
  try {
    return workpool::cli::Main(argc, argv);
  } catch (const std::exception& error) {
    workpool::cli::Complain(error.what());
    return static_cast<int>(workpool::cli::Exit::kRefused);
  }
}
