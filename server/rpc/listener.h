// Sockets that listen.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "rpc/unique_fd.h"

namespace workpool::rpc {

// The file of a unix socket: removed at the end, if it is still the one that we made.
class SocketFile {
 public:
  explicit SocketFile(std::string path);
  ~SocketFile();
  SocketFile(const SocketFile&) = delete;
  SocketFile& operator=(const SocketFile&) = delete;

 private:
  const std::string path_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

struct Listener {
  std::string address;  // as given, with the port that it got
  std::vector<UniqueFd> sockets;
  std::unique_ptr<SocketFile> file;  // of a unix socket
};

// HOST:PORT, [V6]:PORT or unix:/PATH. A host name listens on each of its addresses, port 0 takes
// any free one. A taken port and a unix socket on which somebody answers are errors; a stale socket
// is replaced. May block on the resolver. Errors are kInternal, naming the address and the system's
// reason.
Result<Listener> OpenListener(const std::string& address);

// Its two halves.
Result<Listener> OpenTcpListener(const std::string& address);
Result<Listener> OpenUnixListener(const std::string& path);

// "cannot listen on ADDRESS: REASON".
std::unexpected<Error> CannotListen(const std::string& address, std::string_view reason);
std::string SystemReason(int error);

}  // namespace workpool::rpc
