#include "run_cli.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

extern char** environ;

namespace workpool::cli {

namespace {

std::string NewFolder() {
  std::string path = ::testing::TempDir() + "workpool_cli_XXXXXX";
  return mkdtemp(path.data());
}

std::string Content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

pid_t Spawn(const std::vector<std::string>& arguments, const std::string& folder) {
  std::vector<char*> argv;
  std::string program = WORKPOOL_CLI;
  argv.push_back(program.data());
  std::vector<std::string> copies = arguments;
  for (std::string& argument : copies) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  constexpr int kWrite = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&actions, 0, (folder + "/in").c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, (folder + "/out").c_str(), kWrite, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, (folder + "/err").c_str(), kWrite, 0600);
  pid_t child = -1;
  const int failed = posix_spawn(&child, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return failed == 0 ? child : -1;
}

}  // namespace

Ran RunCli(const std::vector<std::string>& arguments, const std::string& input) {
  const std::string folder = NewFolder();
  std::ofstream(folder + "/in", std::ios::binary) << input;
  Ran ran;
  int status = 0;
  const pid_t child = Spawn(arguments, folder);
  if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)) {
    ran.exit = WEXITSTATUS(status);
  }
  ran.out = Content(folder + "/out");
  ran.err = Content(folder + "/err");
  std::filesystem::remove_all(folder);
  return ran;
}

CliTest::CliTest() : folder_(NewFolder()) { server_.pool().set_name("small"); }

CliTest::~CliTest() { std::filesystem::remove_all(folder_); }

Ran CliTest::Run(std::vector<std::string> arguments, const std::string& input) {
  arguments.push_back("--server");
  arguments.push_back(server_.address());
  return RunCli(arguments, input);
}

std::string CliTest::File(const std::string& name, const std::string& text) {
  std::string path = folder_ + "/" + name;
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

}  // namespace workpool::cli
