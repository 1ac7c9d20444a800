#include "runtime/program_path.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace workpool {
namespace {

bool IsFile(const std::string& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

bool MayRun(const std::string& path) {
  return ::faccessat(AT_FDCWD, path.c_str(), X_OK, AT_EACCESS) == 0;
}

}  // namespace

std::expected<std::string, int> FindProgram(const std::string& name, std::string_view path) {
  if (name.find('/') != std::string::npos) return name;
  int error = ENOENT;
  while (!path.empty() && !name.empty()) {
    const std::string_view folder = path.substr(0, path.find(':'));
    path.remove_prefix(folder.size() == path.size() ? path.size() : folder.size() + 1);
    if (!folder.starts_with('/')) continue;
    std::string file = std::string(folder) + "/" + name;
    if (!IsFile(file)) continue;
    if (MayRun(file)) return file;
    error = EACCES;
  }
  return std::unexpected(error);
}

int WhyNotRun(const std::string& file) {
  struct stat status{};
  if (::stat(file.c_str(), &status) != 0) return errno;
  return S_ISREG(status.st_mode) && MayRun(file) ? 0 : EACCES;
}

}  // namespace workpool
