// A real server on a free port of loopback with a real dispatcher, real threads and a real channel:
// what a client sees.
#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>

#include "base/clock.h"
#include "fakes/dispatcher_rig.h"
#include "fakes/eventually.h"
#include "jobs/control.h"
#include "jobs/dispatcher.h"
#include "pool/thread_pool.h"
#include "rpc/process.h"
#include "rpc/rpc_server.h"
#include "stores/memory_store.h"
#include "workpool/v1/admin.grpc.pb.h"
#include "workpool/v1/workpool.grpc.pb.h"

namespace workpool::rpc {

using namespace std::chrono_literals;

inline std::string ReasonOf(const grpc::ClientContext& context) {
  const auto& trailing = context.GetServerTrailingMetadata();
  const auto found = trailing.find("workpool-reason");
  return found == trailing.end() ? "" : std::string(found->second.data(), found->second.size());
}

// How a unary call ended.
template <typename Response>
struct Answer {
  grpc::Status status;
  std::string reason;  // workpool-reason
  Response response;

  bool ok() const { return status.ok(); }
};

// Calls a method of a stub, as in Call(*admin, &v1::Admin::Stub::GetPool, request).
template <typename Stub, typename Request, typename Response>
Answer<Response> Call(Stub& stub,
                      grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                      const std::type_identity_t<Request>& request) {
  grpc::ClientContext context;
  Answer<Response> answer;
  answer.status = (stub.*method)(&context, request, &answer.response);
  answer.reason = ReasonOf(context);
  return answer;
}

class FakeControl final : public ServerControl {
 public:
  ServerInfo Info() const override {
    return {"9.9.9", WallTime(5s), "memory", "/etc/workpool.toml", 1, 2, 3, false};
  }
  Result<ReloadReport> Reload() override {
    reload_thread = std::this_thread::get_id();
    return reload;
  }
  Result<ReloadReport> reload = ReloadReport{{"pools.default.workers: 1 -> 2"}, {}};
  std::thread::id reload_thread;
};

// Rings by ticking at once; the waits of these tests are short.
class TickingAlarm final : public Alarm {
 public:
  TickingAlarm() : thread_([this](std::stop_token stop) { Loop(stop); }) {}
  void RingAt(SteadyTime when) override {
    MutexLock lock(mutex_);
    if (!next_ || when < *next_) next_ = when;
    changed_.NotifyAll();
  }
  void Attach(Dispatcher* dispatcher) {
    MutexLock lock(mutex_);
    dispatcher_ = dispatcher;
  }
  void Stop() {
    thread_.request_stop();
    {
      MutexLock lock(mutex_);
      changed_.NotifyAll();
    }
    if (thread_.joinable()) thread_.join();
  }
  ~TickingAlarm() override { Stop(); }

 private:
  void Loop(const std::stop_token& stop) {
    MutexLock lock(mutex_);
    while (!stop.stop_requested()) {
      const auto now = SteadyTime::clock::now();
      if (dispatcher_ != nullptr && next_ && *next_ <= now) {
        next_.reset();
        Dispatcher* dispatcher = dispatcher_;
        lock.Unlock();
        dispatcher->Tick();
        lock.Lock();
      } else {
        changed_.WaitUntil(mutex_, next_.value_or(now + 1s));
      }
    }
  }

  Mutex mutex_;
  CondVar changed_;
  std::optional<SteadyTime> next_ GUARDED_BY(mutex_);
  Dispatcher* dispatcher_ GUARDED_BY(mutex_) = nullptr;
  std::jthread thread_;
};

// Pools: `default` with 2 workers and room for 100, `small` with 1 worker and room for 1. Handlers:
// `echo` and `held` anywhere.
class RpcRig : public testing::Test {
 protected:
  explicit RpcRig(RpcOptions options = {}) {
    PrepareGrpcProcess();
    DispatcherConfig config;
    config.pools = {MakePoolConfig("default", 2, 100), MakePoolConfig("small", 1, 1)};
    config.handlers = {EchoConfig(), MakeHandlerConfig("held", "", held)};
    dispatcher = std::make_unique<Dispatcher>(
        DispatcherPorts{clock, *store, observer, alarm,
                        [](const std::string& name, const PoolLimits& limits) {
                          return std::make_unique<ThreadPool>(name, limits);
                        }},
        config);
    alarm.Attach(dispatcher.get());
    if (options.listen == RpcOptions{}.listen) options.listen = "127.0.0.1:0";
    auto started = RpcServer::Start(options, *dispatcher, control);
    EXPECT_TRUE(started) << started.error().message;
    server = std::move(*started);
    server->SetPools({"default", "small"});
    channel = NewChannel();
    work_pool = v1::WorkPool::NewStub(channel);
    admin = v1::Admin::NewStub(channel);
  }

  ~RpcRig() override {
    StopJobs();
    server->Shutdown(SteadyTime::clock::now() + kHang);
    alarm.Stop();
    EXPECT_TRUE(dispatcher->JoinPools(SteadyTime::clock::now() + kHang));
    server.reset();
  }

  // As the daemon does it: what still runs is told to stop and given up.
  void StopJobs() {
    dispatcher->StopAccepting(false, [] {});
    dispatcher->StopHandlers(0ns);
    held->StopHolding();
    dispatcher->GiveUp(0);
  }

  // A connection of its own.
  std::shared_ptr<grpc::Channel> NewChannel() const {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    return grpc::CreateCustomChannel(server->address(), grpc::InsecureChannelCredentials(),
                                     arguments);
  }

  static v1::Work NewWork(const std::string& handler, const std::string& payload = "",
                          const std::string& pool = "") {
    v1::Work work;
    work.set_handler(handler);
    work.set_payload(payload);
    work.set_pool(pool);
    return work;
  }

  Answer<v1::PostWorkResponse> Post(const v1::Work& work) {
    v1::PostWorkRequest request;
    *request.mutable_work() = work;
    return Call(*work_pool, &v1::WorkPool::Stub::PostWork, request);
  }
  // Its id; it must be accepted.
  std::uint64_t PostOne(const v1::Work& work) {
    const auto posted = Post(work);
    EXPECT_TRUE(posted.ok()) << posted.status.error_message();
    return posted.response.id();
  }
  // One job that is active and one that is queued fill the pool `small`.
  void FillSmall() {
    PostOne(NewWork("held", "", "small"));
    PostOne(NewWork("held", "", "small"));
  }
  PoolView Pool(const std::string& name) const { return *dispatcher->Pool(name); }
  JobState State(JobId id) const {
    const auto view = dispatcher->Get(id);
    return view ? view->state : JobState::kScheduled;
  }
  // Lets the oldest held job succeed.
  void Release(const std::string& result = "done") {
    ASSERT_TRUE(Eventually([&] { return held->size() > 0; }));
    held->Take()->Finish(Outcome::Success(result));
  }

  SystemClock clock;
  TickingAlarm alarm;
  RecordingObserver observer;
  std::unique_ptr<Store> store = MakeMemoryStore(clock);
  std::shared_ptr<HeldHandler> held = std::make_shared<HeldHandler>();
  FakeControl control;
  std::unique_ptr<Dispatcher> dispatcher;
  std::unique_ptr<RpcServer> server;
  std::shared_ptr<grpc::Channel> channel;
  std::unique_ptr<v1::WorkPool::Stub> work_pool;
  std::unique_ptr<v1::Admin::Stub> admin;
};

}  // namespace workpool::rpc
