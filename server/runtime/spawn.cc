#include "runtime/spawn.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>
#include <vector>

#include "runtime/process_group.h"
#include "runtime/program_path.h"

namespace workpool {
namespace {

std::unexpected<Error> CannotStart(const ChildSpec& spec, std::string_view reason,
                                   ErrorCode code = ErrorCode::kInternal) {
  return Fail(code, fmt::format("cannot start \"{}\": {}",
                                spec.argv.empty() ? std::string() : spec.argv[0], reason));
}

std::unexpected<Error> CannotStart(const ChildSpec& spec, int error) {
  return CannotStart(spec, std::generic_category().message(error));
}

bool HasNul(const std::string& text) { return text.find('\0') != std::string::npos; }

bool HasNul(const ChildSpec& spec) {
  for (const std::string& argument : spec.argv) {
    if (HasNul(argument)) return true;
  }
  for (const auto& [name, value] : spec.env) {
    if (HasNul(name) || HasNul(value)) return true;
  }
  return HasNul(spec.cwd);
}

struct Pipe {
  OwnedFd read;
  OwnedFd write;
};

// Numbers below 3 are what the child's own three are made from: keep clear of them, in case the
// daemon was started with one of its own closed.
bool KeepClear(OwnedFd& fd) {
  if (fd.get() < 3) fd = OwnedFd(::fcntl(fd.get(), F_DUPFD_CLOEXEC, 3));
  return static_cast<bool>(fd);
}

bool MakePipe(Pipe& pipe, OwnedFd Pipe::* ours) {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) return false;
  pipe = {OwnedFd(fds[0]), OwnedFd(fds[1])};
  return KeepClear(pipe.read) && KeepClear(pipe.write) &&
         ::fcntl((pipe.*ours).get(), F_SETFL, O_NONBLOCK) == 0;
}

struct Pipes {
  Pipe input;
  Pipe output;
  Pipe errors;

  bool Make() {
    return MakePipe(input, &Pipe::write) && MakePipe(output, &Pipe::read) &&
           MakePipe(errors, &Pipe::read);
  }
};

// A group of its own, no signal blocked or ignored.
class Attributes {
 public:
  Attributes() {
    ::posix_spawnattr_init(&attributes_);
    sigset_t signals;
    ::sigemptyset(&signals);
    ::posix_spawnattr_setsigmask(&attributes_, &signals);
    ::sigfillset(&signals);
    ::posix_spawnattr_setsigdefault(&attributes_, &signals);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    ::posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~Attributes() { ::posix_spawnattr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;

  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

// The folder, the three descriptors, and none besides: libraries that forget close-on-exec exist.
class Actions {
 public:
  Actions(const Pipes& pipes, const OwnedFd& folder) {
    ::posix_spawn_file_actions_init(&actions_);
    if (folder) ::posix_spawn_file_actions_addfchdir_np(&actions_, folder.get());
    ::posix_spawn_file_actions_adddup2(&actions_, pipes.input.read.get(), STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, pipes.output.write.get(), STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, pipes.errors.write.get(), STDERR_FILENO);
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
  }
  ~Actions() { ::posix_spawn_file_actions_destroy(&actions_); }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;

  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> Environment(const ChildSpec& spec) {
  std::vector<std::string> environment;
  environment.reserve(spec.env.size());
  for (const auto& [name, value] : spec.env) environment.push_back(name + "=" + value);
  return environment;
}

std::string_view PathOf(const ChildSpec& spec) {
  for (const auto& [name, value] : spec.env) {
    if (name == "PATH") return value;
  }
  return {};
}

// Opened beforehand, because posix_spawn does not say which of its steps failed.
Result<OwnedFd> OpenFolder(const ChildSpec& spec) {
  if (spec.cwd.empty()) return OwnedFd();
  OwnedFd folder(::open(spec.cwd.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (folder && KeepClear(folder)) return folder;
  return CannotStart(
      spec, fmt::format("its folder \"{}\": {}", spec.cwd, std::generic_category().message(errno)));
}

int Launch(const ChildSpec& spec, const std::string& program, const Pipes& pipes,
           const OwnedFd& folder, pid_t& pid) {
  const std::vector<std::string> environment = Environment(spec);
  const Attributes attributes;
  const Actions actions(pipes, folder);
  return ::posix_spawn(&pid, program.c_str(), actions.get(), attributes.get(),
                       Pointers(spec.argv).data(), Pointers(environment).data());
}

// By its number, because the declaration of glibc 2.36 does not link from C++.
OwnedFd OpenPidfd(pid_t pid) {
  return OwnedFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));  // close-on-exec by itself
}

// For a process that started and yet cannot be looked after.
void Destroy(pid_t pid, ChildTable& table) {
  SignalGroup(pid, SIGKILL);
  table.Remove(pid);
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED);
}

std::string ReasonFor(int error, const std::string& program) {
  std::string reason = std::generic_category().message(error);
  if (error == ENOENT && program.starts_with('/') && ::access(program.c_str(), F_OK) == 0) {
    reason += " (the interpreter that its first line names)";
  }
  return reason;
}

}  // namespace

Result<Spawned> Spawn(const ChildSpec& spec, ChildTable& table) {
  if (spec.argv.empty()) return CannotStart(spec, "no program is named", ErrorCode::kBadField);
  if (HasNul(spec)) {
    return CannotStart(spec, "its arguments, folder and environment must hold no NUL byte",
                       ErrorCode::kBadField);
  }
  const auto folder = OpenFolder(spec);
  if (!folder) return std::unexpected(folder.error());
  const auto program = FindProgram(spec.argv[0], PathOf(spec));
  if (!program) return CannotStart(spec, program.error());
  Pipes pipes;
  if (!pipes.Make()) return CannotStart(spec, errno);

  const ChildTable::Spawning spawning(table);
  if (table.closed()) {
    return CannotStart(spec, "the daemon is shutting down", ErrorCode::kShuttingDown);
  }
  Spawned child;
  if (const int error = Launch(spec, *program, pipes, *folder, child.pid); error != 0) {
    return CannotStart(spec, ReasonFor(error, *program));
  }
  child.pidfd = OpenPidfd(child.pid);
  const int error = errno;
  if (!child.pidfd || !table.Add(child.pid)) {
    Destroy(child.pid, table);
    return child.pidfd ? CannotStart(spec, "the daemon is shutting down", ErrorCode::kShuttingDown)
                       : CannotStart(spec, error);
  }
  child.input = std::move(pipes.input.write);
  child.output = std::move(pipes.output.read);
  child.errors = std::move(pipes.errors.read);
  return child;
}

}  // namespace workpool
