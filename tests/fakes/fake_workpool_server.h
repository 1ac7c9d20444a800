// A daemon in the test's process that speaks the protocol and does what the test says: FakeWorkPool
// and FakeAdmin on a port of loopback.
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <memory>
#include <string>

#include "fakes/call_holder.h"
#include "fakes/fake_admin.h"
#include "fakes/fake_work_pool.h"

namespace workpool::fakes {

class FakeWorkpoolServer final : public FakeWorkPool, public FakeAdmin {
 public:
  FakeWorkpoolServer() : FakeWorkPool(holder_), FakeAdmin(holder_) { Start("127.0.0.1:0"); }
  ~FakeWorkpoolServer() override { Stop(); }

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

  // Ends every call. A later Restart listens on the same port.
  void Stop() {
    holder_.Stop();
    if (server_) server_->Shutdown(std::chrono::system_clock::now());
    server_.reset();
  }
  void Restart() { Start(address()); }

  // While held, streams are not read and jobs do not finish.
  void Hold() { holder_.Hold(); }
  void Release() { holder_.Release(); }

 private:
  void Start(const std::string& address) {
    holder_.Start();
    grpc::ServerBuilder builder;
    builder.AddListeningPort(address, grpc::InsecureServerCredentials(), &port_);
    builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
    builder.SetMaxReceiveMessageSize(64 * 1024 * 1024);
    builder.RegisterService(static_cast<v1::WorkPool::Service*>(this));
    builder.RegisterService(static_cast<v1::Admin::Service*>(this));
    server_ = builder.BuildAndStart();
  }

  CallHolder holder_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace workpool::fakes
