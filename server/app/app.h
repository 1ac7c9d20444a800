// The composition root: owns the parts of the daemon in the order in which they depend on each
// other, starts them, reloads them and shuts them down.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "app/config.h"
#include "app/config_source.h"
#include "app/handler_factory.h"
#include "app/memory_trimmer.h"
#include "app/notify.h"
#include "app/shutdown.h"
#include "app/signal_inbox.h"
#include "app/watchdog.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/mutex.h"
#include "handlers/sleeper.h"
#include "http/http_server.h"
#include "jobs/control.h"
#include "jobs/dispatcher.h"
#include "jobs/registry.h"
#include "jobs/store.h"
#include "metrics/metrics.h"
#include "rpc/rpc_server.h"
#include "runtime/event_loop.h"

namespace workpool {

// One a process: it takes the process's signals. Construct it before any other thread starts.
class App final : public ServerControl, private DaemonSteps {
 public:
  App(ConfigSource source, Config config, const HandlerRegistry& registry);
  // Ends what Start began, if Run has not done so.
  ~App() override;

  // Serves from its return on. The error names the address and the system's reason.
  Result<void> Start();

  // Says on stdout where it serves, and serves until it is told to stop. The exit status; does not
  // return, but leaves the process, when handlers outlive the shutdown.
  int Run();

  ServerInfo Info() const override;
  Result<ReloadReport> Reload() override;

 private:
  void Refuse(bool run_queued, SignalInbox& idle) override;
  void StopHandlers(std::chrono::nanoseconds kill_grace) override;
  LostJobs GiveUp(std::size_t show) override;
  void ClosePorts(SteadyTime deadline) override;
  bool Join(SteadyTime deadline) override;

  void MakeDispatcher();
  Result<void> OpenPorts();
  void KeepHouse();  // once in kTrimInterval
  void OnSignal(int signal);
  int Shutdown();
  void Destroy();
  [[noreturn]] void Leave(int status);
  Result<ReloadReport> LoadAndApply() EXCLUDES(reload_mutex_);

  // Constant after construction.
  const ConfigSource source_;
  const ServerSettings server_;  // what is running; a reload does not change it
  SystemClock clock_;            // no state
  const WallTime started_at_;
  const Notifier notifier_;

  // Synchronise themselves; the pointers are constant from Start to Destroy. In the order of
  // dependence.
  EventLoop loop_;
  SignalInbox inbox_;
  Metrics metrics_;
  std::unique_ptr<Store> store_;
  Sleeper sleeper_;
  std::unique_ptr<Dispatcher> dispatcher_;
  std::unique_ptr<HttpServer> http_;
  std::unique_ptr<RpcServer> rpc_;
  std::atomic<bool> serving_{false};
  std::atomic<bool> shutting_down_{false};

  // Of the loop's thread.
  TrimRule trim_rule_;
  Alarm* house_alarm_ = nullptr;  // the loop's; set before it starts

  // With what the process ends if the shutdown hangs.
  std::atomic<int> hung_status_;
  std::unique_ptr<Watchdog> watchdog_;  // from Start on

  // Serialises reloads, the reading of the file included: nothing else ever waits for it.
  Mutex reload_mutex_;
  HandlerFactory factory_ GUARDED_BY(reload_mutex_);
  Config config_ GUARDED_BY(reload_mutex_);
};

}  // namespace workpool
