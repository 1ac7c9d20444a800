#include "peer_process.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace workpool::bench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kLook = std::chrono::milliseconds(20);  // between two looks at a process or port
constexpr auto kStopLimit = std::chrono::seconds(5);

bool BecomeUser(const std::string& user) {
  if (user.empty() || geteuid() != 0) return true;
  const passwd* account = getpwnam(user.c_str());
  return account != nullptr && initgroups(user.c_str(), account->pw_gid) == 0 &&
         setgid(account->pw_gid) == 0 && setuid(account->pw_uid) == 0;
}

[[noreturn]] void BecomeCommand(const Command& command, const std::filesystem::path& log,
                                pid_t parent) {
  setpgid(0, 0);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int input = open("/dev/null", O_RDONLY);
  const int output = open(log.c_str(), O_CREAT | O_WRONLY | O_APPEND, 0644);
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  close_range(3, ~0U, 0);
  for (const auto& [name, value] : command.environment) setenv(name.c_str(), value.c_str(), 1);
  if (!BecomeUser(command.user)) _exit(126);
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // after the change of user, which clears it
  if (getppid() != parent) _exit(126);
  std::vector<char*> words;
  for (const auto& word : command.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execvp(words[0], words.data());
  _exit(127);
}

pid_t Spawn(const Command& command, const std::filesystem::path& log) {
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) throw std::runtime_error("fork failed");
  if (pid == 0) BecomeCommand(command, log, parent);
  return pid;
}

sockaddr_in Loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

bool Listens(int port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = Loopback(port);
  const bool open = connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  close(fd);
  return open;
}

}  // namespace

PeerProcess::PeerProcess(const Command& command, const std::filesystem::path& log)
    : pid_(Spawn(command, log)), stop_signal_(command.stop_signal) {}

PeerProcess& PeerProcess::operator=(PeerProcess&& other) noexcept {
  if (this != &other) {
    Stop();
    pid_ = std::exchange(other.pid_, -1);
    stop_signal_ = other.stop_signal_;
  }
  return *this;
}

PeerProcess::~PeerProcess() { Stop(); }

bool PeerProcess::Ended() {
  if (pid_ > 0 && waitpid(pid_, nullptr, WNOHANG) == pid_) pid_ = -1;
  return pid_ <= 0;
}

void PeerProcess::Stop() {
  if (Ended()) return;
  const pid_t group = pid_;
  kill(pid_, stop_signal_);
  for (const auto limit = Clock::now() + kStopLimit; !Ended() && Clock::now() < limit;) {
    std::this_thread::sleep_for(kLook);
  }
  kill(-group, SIGKILL);  // it, or what it left behind
  if (pid_ > 0) waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

void PeerProcess::AwaitPort(int port, double seconds) {
  const auto limit = Clock::now() + std::chrono::duration<double>(seconds);
  while (!Listens(port)) {
    if (Ended() || Clock::now() > limit) throw std::runtime_error("a server did not start");
    std::this_thread::sleep_for(kLook);
  }
}

void RunToEnd(const Command& command, const std::filesystem::path& log) {
  int status = 0;
  waitpid(Spawn(command, log), &status, 0);
  if (status != 0) throw std::runtime_error(command.words[0] + " failed");
}

int FreePort() {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = Loopback(0);
  socklen_t size = sizeof address;
  const bool ok = bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                  getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  close(fd);
  if (!ok) throw std::runtime_error("no free port");
  return ntohs(address.sin_port);
}

bool HasProgram(const std::string& program) {
  if (program.starts_with('/')) return access(program.c_str(), X_OK) == 0;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

}  // namespace workpool::bench
