#include "server_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

namespace workpool::bench {
namespace {

// Reads up to the ready line; the address in it, or nothing at the end of the output.
std::string ReadAddress(int output) {
  constexpr std::string_view kMark = " ready grpc=";
  std::string text;
  char byte = 0;
  while (read(output, &byte, 1) == 1) {
    if (byte != '\n') {
      text += byte;
      continue;
    }
    if (const auto at = text.find(kMark); at != std::string::npos) {
      const auto start = at + kMark.size();
      return text.substr(start, text.find(' ', start) - start);
    }
    text.clear();
  }
  return {};
}

}  // namespace

ServerProcess::ServerProcess(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe2 failed");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const int failed = posix_spawn(&pid_, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  output_ = ends[0];
  if (failed != 0) throw std::runtime_error("cannot start " + command.front());
  address_ = ReadAddress(output_);
  if (address_.empty()) throw std::runtime_error(command.front() + " did not get ready");
}

ServerProcess::~ServerProcess() {
  kill(pid_, SIGTERM);
  waitpid(pid_, nullptr, 0);
  close(output_);
}

}  // namespace workpool::bench
