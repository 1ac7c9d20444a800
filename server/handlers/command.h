// Command handlers: a job runs a program. docs/handlers.md describes what the program sees.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "jobs/child_process.h"
#include "jobs/handler.h"

namespace workpool {

struct CommandOptions {
  std::vector<std::string> exec;  // program and arguments; no shell
  std::string cwd;
  std::vector<std::pair<std::string, std::string>> env;  // added to the minimal environment
  int no_retry_exit = 100;
  std::uint64_t max_result = std::uint64_t{3} << 20;
};

// `runner` must outlive the handler and its attempts.
std::shared_ptr<Handler> MakeCommandHandler(CommandOptions options, ChildRunner& runner);

}  // namespace workpool
