#include "runtime/process_group.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/owned_fd.h"

namespace workpool {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

// The part of /proc/PID/stat after the name, which may itself hold spaces and brackets.
std::string StatOf(const char* pid) {
  const OwnedFd fd(::open(("/proc/" + std::string(pid) + "/stat").c_str(), O_RDONLY | O_CLOEXEC));
  char buffer[1024];
  const ssize_t size = fd ? ::read(fd.get(), buffer, sizeof buffer) : -1;
  if (size <= 0) return {};
  const std::string_view text(buffer, static_cast<std::size_t>(size));
  const std::size_t end_of_name = text.rfind(')');
  return end_of_name == std::string_view::npos ? std::string()
                                               : std::string(text.substr(end_of_name + 1));
}

bool RunsInGroup(const char* pid, pid_t group) {
  char state = 'Z';
  int its_group = 0;
  long threads = 0;
  const std::string stat = StatOf(pid);
  if (std::sscanf(stat.c_str(),
                  " %c %*d %d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %ld", &state,
                  &its_group, &threads) != 3) {
    return false;
  }
  // A first thread that has ended looks like an ended process while other threads go on.
  const bool ended = (state == 'Z' || state == 'X') && threads <= 1;
  return its_group == group && !ended;
}

}  // namespace

void SignalGroup(pid_t group, int signal) { ::kill(-group, signal); }

bool GroupIsGone(pid_t group) {
  if (::kill(-group, 0) != 0) return true;
  const std::unique_ptr<DIR, CloseFolder> folder(::opendir("/proc"));
  if (!folder) return true;
  while (const dirent* entry = ::readdir(folder.get())) {
    const char first = entry->d_name[0];
    if (first >= '1' && first <= '9' && RunsInGroup(entry->d_name, group)) return false;
  }
  return true;
}

}  // namespace workpool
