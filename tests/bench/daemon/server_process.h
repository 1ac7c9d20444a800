// A server under measurement, as a process of its own.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace workpool::bench {

// Not thread safe. Failures throw std::runtime_error.
class ServerProcess {
 public:
  // Starts it and waits for its line "... ready grpc=ADDRESS ...".
  explicit ServerProcess(const std::vector<std::string>& command);
  // TERM, then waits until it has ended.
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  // Where its gRPC port listens.
  const std::string& address() const { return address_; }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = -1;
  int output_ = -1;
  std::string address_;
};

}  // namespace workpool::bench
