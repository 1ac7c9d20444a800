#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "rpc/listener.h"

namespace workpool::rpc {
namespace {

sockaddr_un AddressOf(const std::string& path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

UniqueFd NewSocket() {
  return UniqueFd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

template <typename Call>
bool OnAddress(const std::string& path, const UniqueFd& socket, Call call) {
  const sockaddr_un address = AddressOf(path);
  return call(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
}

// Removes a socket that a process left behind. Empty when the path is free now, else the reason.
std::string MakeFree(const std::string& path) {
  struct stat status = {};
  if (::lstat(path.c_str(), &status) != 0) return errno == ENOENT ? "" : SystemReason(errno);
  if (!S_ISSOCK(status.st_mode)) return "a file that is no socket is in its place";
  const UniqueFd probe = NewSocket();
  if (!probe.valid()) return SystemReason(errno);
  // EAGAIN: it lives, and its queue of connections is full.
  if (OnAddress(path, probe, ::connect) || errno == EAGAIN) return "another process answers on it";
  if (errno != ECONNREFUSED) return SystemReason(errno);
  return ::unlink(path.c_str()) == 0 ? "" : SystemReason(errno);
}

}  // namespace

Result<Listener> OpenUnixListener(const std::string& path) {
  const std::string name = "unix:" + path;
  if (path.empty() || path.size() >= sizeof(sockaddr_un::sun_path)) {
    return CannotListen(name, "the path has 1 to 107 bytes");
  }
  if (const std::string reason = MakeFree(path); !reason.empty()) {
    return CannotListen(name, reason);
  }
  UniqueFd socket = NewSocket();
  if (!socket.valid() || !OnAddress(path, socket, ::bind)) {
    return CannotListen(name, SystemReason(errno));
  }
  Listener listener;
  listener.address = name;
  listener.file = std::make_unique<SocketFile>(path);
  if (::listen(socket.get(), SOMAXCONN) != 0) return CannotListen(name, SystemReason(errno));
  listener.sockets.push_back(std::move(socket));
  return listener;
}

}  // namespace workpool::rpc
