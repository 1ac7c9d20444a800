#include "channel.h"

#include <absl/synchronization/mutex.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

namespace workpool::client {

namespace {

// Answers with jobs may hold a payload and a result, and the daemon's limits are settings.
constexpr int kMaxAnswerBytes = 256 * 1024 * 1024;

grpc::ChannelArguments Arguments() {
  grpc::ChannelArguments args;
  args.SetMaxReceiveMessageSize(kMaxAnswerBytes);
  // Two clients are two connections; gRPC would share one.
  args.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  // The only thing that is ever tried again is tried again by this library.
  args.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  args.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  // Finds a dead peer within 30 s while calls are open, as the daemon does.
  args.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 20'000);
  args.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
  args.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  args.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 5'000);
  args.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  return args;
}

}  // namespace

std::shared_ptr<grpc::Channel> Connect(const std::string& server) {
  // Debian's Abseil reports lock cycles that gRPC does not have, and aborts.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  return grpc::CreateCustomChannel(server, grpc::InsecureChannelCredentials(), Arguments());
}

}  // namespace workpool::client
