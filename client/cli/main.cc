// workpool: the command-line client.
#include <cstdlib>
#include <exception>

#include "app.h"
#include "base/standard_descriptors.h"
#include "output.h"

// Before the libraries' own beginnings, which may open descriptors already.
[[gnu::section(".preinit_array"),
  gnu::used]] static void (*const kBeforeInitialisers)() = &workpool::FillStandardDescriptors;

int main(int argc, char** argv) {
  // This program's own messages are enough.
  setenv("GRPC_VERBOSITY", "NONE", 0);
  try {
    return workpool::cli::Main(argc, argv);
  } catch (const std::exception& error) {
    workpool::cli::Complain(error.what());
    return static_cast<int>(workpool::cli::Exit::kRefused);
  }
}
