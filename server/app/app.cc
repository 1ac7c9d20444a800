#include "app/app.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

#include "app/cores.h"
#include "app/exit_status.h"
#include "app/version.h"
#include "base/log.h"
#include "jobs/job_log.h"
#include "pool/thread_pool.h"
#include "stores/memory_store.h"

namespace workpool {
namespace {

RpcOptions RpcOptionsOf(const ServerSettings& server) {
  return {.listen = server.listen,
          .max_message = server.max_message,
          .stream_window_items = server.stream_window_items,
          .stream_window_bytes = server.stream_window_bytes};
}

}  // namespace

App::App(ConfigSource source, Config config, const HandlerRegistry& registry)
    : source_(std::move(source)),
      server_(config.server),
      started_at_(clock_.WallNow()),
      notifier_(Notifier::FromEnvironment()),
      metrics_(std::string(Version())),
      store_(MakeMemoryStore(clock_)),
      sleeper_(clock_, loop_.MakeAlarm([this] { sleeper_.Tick(); })),
      hung_status_(kExitFailure),
      factory_(registry, loop_.children(), sleeper_),
      config_(std::move(config)) {}

App::~App() {
  if (dispatcher_ == nullptr) return;
  Refuse(false, inbox_);
  StopHandlers(kShutdownKillGrace);
  GiveUp(0);
  ClosePorts(clock_.Now());
  if (Join(clock_.Now() + kAfterGrace)) {
    Destroy();
  } else {
    Leave(kExitFailure);
  }
}

Result<void> App::Start() {
  watchdog_ = std::make_unique<Watchdog>([this] { Leave(hung_status_); });
  loop_.OnSignal([this](int signal) { OnSignal(signal); });
  MakeDispatcher();
  house_alarm_ = &loop_.MakeAlarm([this] { KeepHouse(); });
  house_alarm_->RingAt(clock_.Now() + kTrimInterval);
  loop_.Start();
  if (auto opened = OpenPorts(); !opened) return opened;
  serving_ = true;
  return {};
}

void App::MakeDispatcher() {
  Alarm& alarm = loop_.MakeAlarm([this] { dispatcher_->Tick(); });
  MutexLock lock(reload_mutex_);
  const DispatcherConfig config = factory_.Convert(config_, Cores::Available());
  metrics_.SetSeries(config);
  dispatcher_ = std::make_unique<Dispatcher>(
      DispatcherPorts{clock_, *store_, metrics_.observer(), alarm,
                      [](const std::string& name, const PoolLimits& limits) {
                        return std::make_unique<ThreadPool>(name, limits);
                      }},
      config);
  metrics_.SetSource(dispatcher_.get());
}

void App::KeepHouse() {
  TellLeftOutJobLines(clock_.Now());
  const MemoryReading reading = ReadMemory(clock_.Now(), dispatcher_->Pools());
  if (trim_rule_.Due(reading)) {
    TrimMemory();
    trim_rule_.Trimmed(clock_.Now());
  }
  house_alarm_->RingAt(clock_.Now() + kTrimInterval);
}

Result<void> App::OpenPorts() {
  if (server_.http != kHttpOff) {
    auto http = HttpServer::Start(server_.http, {.metrics = [this] { return metrics_.Scrape(); },
                                                 .ready = [this] { return serving_.load(); }});
    if (!http) return std::unexpected(http.error());
    http_ = std::move(*http);
  }
  auto rpc = RpcServer::Start(RpcOptionsOf(server_), *dispatcher_, *this);
  if (!rpc) return std::unexpected(rpc.error());
  rpc_ = std::move(*rpc);
  MutexLock lock(reload_mutex_);
  rpc_->SetPools(PoolNames(config_));
  return {};
}

int App::Run() {
  const std::string http = http_ == nullptr ? std::string(kHttpOff) : http_->address();
  const std::string grpc = rpc_->address();
  Log(LogLevel::kInfo, "serving",
      {{"version", Version()}, {"grpc", grpc}, {"http", http}, {"config", source_.file()}});
  fmt::print("workpoold ready grpc={} http={}\n", grpc, http);
  std::fflush(stdout);
  notifier_.Ready();
  while (inbox_.Next() == SignalInbox::Event::kReload) {
    if (!source_.file().empty()) static_cast<void>(Reload());
  }
  return Shutdown();
}

void App::OnSignal(int signal) {
  // Three requests to stop have their stages; one more means that these take too long.
  if (inbox_.Push(signal) > 3) Leave(kExitFailure);
}

ServerInfo App::Info() const {
  return {.version = std::string(Version()),
          .started_at = started_at_,
          .store = std::string(store_->kind()),
          .config_file = source_.file(),
          .max_payload = server_.max_payload,
          .max_result = server_.max_result,
          .max_message = server_.max_message,
          .shutting_down = shutting_down_,
          .cores = Cores::Available()};
}

}  // namespace workpool
