#include "once.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <sstream>
#include <stdexcept>

namespace workpool::bench {
namespace {

constexpr unsigned kLongestSeconds = 300;  // a run that hangs must end

using Once = Values (*)(const Arguments&);

const std::map<std::string, Once>& Parts() {
  static const std::map<std::string, Once> parts = {
      {"pool-workers", WorkersOnce},   {"pool-limits", LimitsOnce},
      {"pool-sleepers", SleepersOnce}, {"daemon-post", DaemonPostOnce},
      {"daemon-work", DaemonWorkOnce}, {"pool-handoff", HandoffOnce},
      {"pool-post", PostOnce},         {"pool-reject", RejectOnce},
      {"pool-deep", DeepOnce},         {"pool-burst", BurstOnce},
      {"pool-blocker", BlockerOnce},
  };
  return parts;
}

// All that the command writes to stdout; its exit status must be 0.
std::string OutputOf(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const auto& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe2 failed");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  pid_t pid = -1;
  const int failed = posix_spawn(&pid, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  char part[4096];
  for (ssize_t size = 0; failed == 0 && (size = read(ends[0], part, sizeof part)) > 0;) {
    text.append(part, static_cast<std::size_t>(size));
  }
  close(ends[0]);
  int status = 0;
  if (failed != 0 || waitpid(pid, &status, 0) != pid || status != 0) {
    throw std::runtime_error(fmt::format("'{}' failed", fmt::join(command, " ")));
  }
  return text;
}

}  // namespace

Arguments::Arguments(const std::vector<std::string>& words) {
  for (const auto& word : words) {
    const auto equals = word.find('=');
    if (equals == std::string::npos) throw std::invalid_argument("not name=value: " + word);
    words_[word.substr(0, equals)] = word.substr(equals + 1);
  }
}

const std::string& Arguments::Text(const std::string& name) const {
  const auto found = words_.find(name);
  if (found == words_.end()) throw std::invalid_argument("missing: " + name);
  return found->second;
}

std::int64_t Arguments::Number(const std::string& name) const { return std::stoll(Text(name)); }

int RunOnce(const std::vector<std::string>& words) {
  const auto part = words.empty() ? Parts().end() : Parts().find(words.front());
  if (part == Parts().end()) throw std::invalid_argument("no such benchmark");
  alarm(kLongestSeconds);
  for (const auto& [name, value] : part->second(Arguments({words.begin() + 1, words.end()}))) {
    std::printf("%s %.17g\n", name.c_str(), value);
  }
  return 0;
}

Values Measured(const std::vector<std::string>& command) {
  Values values;
  std::istringstream lines(OutputOf(command));
  std::string name;
  for (double value = 0; lines >> name >> value;) values[name] = value;
  if (values.empty()) {
    throw std::runtime_error(fmt::format("'{}' measured nothing", fmt::join(command, " ")));
  }
  return values;
}

}  // namespace workpool::bench
