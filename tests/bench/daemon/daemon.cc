#include "daemon.h"

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "process_status.h"

namespace workpool::bench {
namespace {

constexpr const char* kPool = "default";

std::string Write(const std::filesystem::path& file, const DaemonConfig& config) {
  std::ofstream(file) << fmt::format(
      "[server]\nlisten = \"127.0.0.1:0\"\nhttp = \"127.0.0.1:0\"\nshutdown = \"stop\"\n"
      "grace = \"1s\"\n[pools.default]\nworkers = {}\ncapacity = {}\ncapacity_bytes = \"{}\"\n"
      "when_full = \"wait\"\n",
      config.workers, config.capacity, config.capacity_bytes);
  return file;
}

template <typename T>
T Value(client::Result<T> result) {
  if (!result) throw std::runtime_error("the daemon refused: " + result.error().message);
  return std::move(*result);
}

}  // namespace

Daemon::Daemon(const Options& options, const DaemonConfig& config)
    : process_({options.workpoold, "--config", Write(folder_.path() / "workpool.toml", config)}) {
  if (config.paused) Pause();
}

client::Admin Daemon::MakeAdmin() const {
  client::ClientOptions options;
  options.server = address();
  return client::Admin(options);
}

double Daemon::ResidentMib() const {
  return static_cast<double>(StatusOf(std::to_string(process_.pid()), "VmRSS")) / 1024;
}

void Daemon::Pause() { Value(MakeAdmin().PausePool(kPool)); }

void Daemon::Resume() { Value(MakeAdmin().ResumePool(kPool)); }

void Daemon::AwaitIdle() {
  auto admin = MakeAdmin();
  for (auto pool = Value(admin.GetPool(kPool)); pool.queued + pool.active > 0;
       pool = Value(admin.GetPool(kPool))) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

}  // namespace workpool::bench
