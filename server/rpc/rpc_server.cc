#include "rpc/rpc_server.h"

#include <grpc/grpc.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <optional>
#include <thread>
#include <utility>

#include "rpc/acceptor.h"
#include "rpc/admin_service.h"
#include "rpc/health.h"
#include "rpc/listener.h"
#include "rpc/live_calls.h"
#include "rpc/task_thread.h"
#include "rpc/work_pool_service.h"

namespace workpool::rpc {
namespace {

using Connections = grpc::experimental::ExternalConnectionAcceptor;

// A peer that is gone without a word is found within half a minute; clients may ping as often.
void SetKeepalive(grpc::ServerBuilder& builder) {
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 20'000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 5'000);
}

// No call for this long: nobody is about to be told that the daemon shuts down.
constexpr std::chrono::milliseconds kQuiet{50};

class GrpcServer final : public RpcServer {
 public:
  GrpcServer(const RpcOptions& options, Listener listener, Dispatcher& dispatcher,
             ServerControl& control);
  ~GrpcServer() override { Shutdown(SteadyTime::clock::now()); }

  std::string address() const override { return address_; }
  void SetNotServing() override { health_->SetNotServing(); }
  void SetPools(const std::vector<std::string>& names) override { health_->SetPools(names); }
  void Shutdown(SteadyTime deadline) override;

  bool started() const { return server_ != nullptr; }
  void Accept();

 private:
  void Build(const RpcOptions& options);

  const std::string address_;
  std::optional<Listener> listener_;
  LiveCalls live_;
  TaskThread file_thread_;
  TaskThread closing_thread_;
  WorkPoolService work_pool_;
  AdminService admin_;
  std::unique_ptr<Connections> connections_;
  std::unique_ptr<grpc::Server> server_;
  std::optional<Health> health_;
  std::optional<Acceptor> acceptor_;
};

GrpcServer::GrpcServer(const RpcOptions& options, Listener listener, Dispatcher& dispatcher,
                       ServerControl& control)
    : address_(listener.address),
      listener_(std::move(listener)),
      work_pool_(dispatcher, live_, {options.stream_window_items, options.stream_window_bytes}),
      admin_(dispatcher, control, live_, file_thread_) {
  Build(options);
}

void GrpcServer::Build(const RpcOptions& options) {
  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  grpc::ServerBuilder builder;
  SetKeepalive(builder);
  builder.SetMaxReceiveMessageSize(static_cast<int>(
      std::min<std::uint64_t>(options.max_message, std::numeric_limits<int>::max())));
  builder.RegisterService(&work_pool_);
  builder.RegisterService(&admin_);
  connections_ = builder.experimental().AddExternalConnectionAcceptor(
      grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD,
      grpc::InsecureServerCredentials());
  server_ = builder.BuildAndStart();
  if (server_ != nullptr) health_.emplace(*server_->GetHealthCheckService());
}

void GrpcServer::Accept() {
  acceptor_.emplace(*listener_, [this](UniqueFd socket) {
    Connections::NewConnectionParameters parameters;
    parameters.fd = socket.Release();
    connections_->HandleNewConnection(&parameters);
  });
}

// gRPC's own shutdown waits for every call until the deadline, so also for those that have no end,
// such as a watch on the health service. Ours end by themselves; once none of them is left, the
// rest is cancelled.
void GrpcServer::Shutdown(SteadyTime deadline) {
  if (!started() || !listener_) return;
  acceptor_.reset();
  listener_.reset();
  live_.EndAll();
  // Calls that are on their way still get their refusal: one that the library's own shutdown
  // cancels would not say why.
  live_.WaitUntilQuiet(kQuiet, deadline);
  const auto left = deadline - SteadyTime::clock::now();
  std::atomic<bool> down{false};
  closing_thread_.Run([&] {
    server_->Shutdown(std::chrono::system_clock::now() + left);
    down = true;
  });
  // An idle client's connection would hold the library until the deadline.
  while (!down) {
    grpc_server_cancel_all_calls(server_->c_server());
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace
}  // namespace workpool::rpc

namespace workpool {

Result<std::unique_ptr<RpcServer>> RpcServer::Start(const RpcOptions& options,
                                                    Dispatcher& dispatcher,
                                                    ServerControl& control) {
  auto listener = rpc::OpenListener(options.listen);
  if (!listener) return std::unexpected(std::move(listener.error()));
  auto server =
      std::make_unique<rpc::GrpcServer>(options, std::move(*listener), dispatcher, control);
  if (!server->started()) {
    return Fail(ErrorCode::kInternal, "the gRPC library refused to start a server");
  }
  server->Accept();
  return server;
}

}  // namespace workpool
