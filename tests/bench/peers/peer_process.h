// A peer's server as a child process, and what starting one needs.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace workpool::bench {

struct Command {
  std::vector<std::string> words;  // the program is looked for in PATH
  std::vector<std::pair<std::string, std::string>> environment = {};
  std::string user = {};  // the account to run as when this process is root
  int stop_signal = 15;
};

// Stopped when the object goes away, by force if need be, its whole process group with it.
class PeerProcess {
 public:
  PeerProcess() = default;
  // Output goes to `log`. Throws std::runtime_error if there can be no process.
  PeerProcess(const Command& command, const std::filesystem::path& log);
  PeerProcess(PeerProcess&& other) noexcept { *this = std::move(other); }
  PeerProcess& operator=(PeerProcess&& other) noexcept;
  ~PeerProcess();

  // Blocks until 127.0.0.1:`port` takes connections. Throws std::runtime_error when the process
  // ends first, or after `seconds`.
  void AwaitPort(int port, double seconds);

 private:
  void Stop();
  bool Ended();

  pid_t pid_ = -1;
  int stop_signal_ = 15;
};

// Runs it to its end; throws std::runtime_error if that is not success.
void RunToEnd(const Command& command, const std::filesystem::path& log);

// A port of loopback that nobody listens on.
int FreePort();

// Is there such a program in PATH, or at that absolute path?
bool HasProgram(const std::string& program);

}  // namespace workpool::bench
