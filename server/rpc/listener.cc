#include "rpc/listener.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <string_view>
#include <system_error>
#include <utility>

namespace workpool::rpc {
namespace {

constexpr std::string_view kUnix = "unix:";

}  // namespace

SocketFile::SocketFile(std::string path) : path_(std::move(path)) {
  struct stat status = {};
  if (::lstat(path_.c_str(), &status) != 0) return;
  device_ = status.st_dev;
  inode_ = status.st_ino;
}

SocketFile::~SocketFile() {
  struct stat status = {};
  if (::lstat(path_.c_str(), &status) != 0) return;
  if (status.st_dev == device_ && status.st_ino == inode_) ::unlink(path_.c_str());
}

Result<Listener> OpenListener(const std::string& address) {
  if (address.starts_with(kUnix)) return OpenUnixListener(address.substr(kUnix.size()));
  return OpenTcpListener(address);
}

std::unexpected<Error> CannotListen(const std::string& address, std::string_view reason) {
  return Fail(ErrorCode::kInternal, fmt::format("cannot listen on {}: {}", address, reason));
}

std::string SystemReason(int error) { return std::system_category().message(error); }

}  // namespace workpool::rpc
