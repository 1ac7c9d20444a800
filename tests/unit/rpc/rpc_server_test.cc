// The server as a whole: health, reflection, limits, connections, shutdown.
#include "rpc/rpc_server.h"

#include <fcntl.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/support/byte_buffer.h>

#include <vector>

#include "unit/rpc/rpc_rig.h"
#include "unit/rpc/sockets.h"

namespace workpool::rpc {
namespace {

using RpcServerTest = RpcRig;

grpc::ByteBuffer Bytes(const std::string& bytes) {
  const grpc::Slice slice(bytes);
  return grpc::ByteBuffer(&slice, 1);
}

// A unary call by name, for services without stubs here.
struct RawAnswer {
  grpc::Status status;
  std::string bytes;
};
RawAnswer CallRaw(const std::shared_ptr<grpc::Channel>& channel, const std::string& method,
                  const std::string& request) {
  grpc::GenericStub stub(channel);
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + kHang);
  const grpc::ByteBuffer input = Bytes(request);
  grpc::ByteBuffer output;
  RawAnswer answer;
  std::atomic<bool> done{false};
  stub.UnaryCall(&context, method, {}, &input, &output, [&](grpc::Status status) {
    answer.status = std::move(status);
    done = true;
    done.notify_all();
  });
  done.wait(false);
  std::vector<grpc::Slice> slices;
  if (answer.status.ok()) output.Dump(&slices);
  for (const grpc::Slice& slice : slices) {
    answer.bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  }
  return answer;
}

// grpc.health.v1: field 1 of the request is the name, of the answer 1 (SERVING) or 2 (not).
std::string Health(const std::shared_ptr<grpc::Channel>& channel, const std::string& name) {
  const std::string request =
      name.empty() ? "" : std::string("\x0a") + static_cast<char>(name.size()) + name;
  const RawAnswer answer = CallRaw(channel, "/grpc.health.v1.Health/Check", request);
  if (!answer.status.ok()) return answer.status.error_code() == grpc::NOT_FOUND ? "unknown" : "?";
  return answer.bytes == "\x08\x01" ? "serving" : "not serving";
}

TEST_F(RpcServerTest, HealthKnowsTheWholeAndEachPool) {
  EXPECT_EQ(Health(channel, ""), "serving");
  EXPECT_EQ(Health(channel, "workpool.v1.WorkPool"), "serving");
  EXPECT_EQ(Health(channel, "pool/small"), "serving");
  EXPECT_EQ(Health(channel, "pool/nowhere"), "unknown");
  server->SetPools({"default"});
  EXPECT_EQ(Health(channel, "pool/small"), "not serving");
  server->SetNotServing();
  EXPECT_EQ(Health(channel, ""), "not serving");
  EXPECT_EQ(Health(channel, "pool/default"), "not serving");
}

TEST_F(RpcServerTest, ReflectionIsThere) {
  // A bidirectional method, called as if it were unary: list_services = "".
  const RawAnswer answer =
      CallRaw(channel, "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
              std::string("\x3a\x00", 2));
  ASSERT_TRUE(answer.status.ok()) << answer.status.error_message();
  EXPECT_NE(answer.bytes.find("workpool.v1.WorkPool"), std::string::npos);
  EXPECT_NE(answer.bytes.find("workpool.v1.Admin"), std::string::npos);
}

TEST_F(RpcServerTest, ATakenPortIsAnErrorThatNamesIt) {
  RpcOptions options;
  options.listen = server->address();
  const auto second = RpcServer::Start(options, *dispatcher, control);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message,
            "cannot listen on " + server->address() + ": Address already in use");
}

TEST_F(RpcServerTest, ServesOnAUnixSocket) {
  const TempDir dir;
  RpcOptions options;
  options.listen = "unix:" + (dir / "grpc.sock");
  auto other = RpcServer::Start(options, *dispatcher, control);
  ASSERT_TRUE(other) << other.error().message;
  const auto stub = v1::WorkPool::NewStub(
      grpc::CreateChannel((*other)->address(), grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  v1::PostWorkRequest request;
  v1::PostWorkResponse response;
  *request.mutable_work() = NewWork("echo");
  const auto status = stub->PostWork(&context, request, &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
}

TEST_F(RpcServerTest, AMessageOverTheLimitIsRefusedAndTheServerLives) {
  RpcOptions options;
  options.listen = "127.0.0.1:0";
  options.max_message = 1 << 20;
  auto other = RpcServer::Start(options, *dispatcher, control);
  ASSERT_TRUE(other);
  const auto stub = v1::WorkPool::NewStub(
      grpc::CreateChannel((*other)->address(), grpc::InsecureChannelCredentials()));
  for (const auto& [size, code] : {std::pair{2 << 20, grpc::RESOURCE_EXHAUSTED}, {100, grpc::OK}}) {
    grpc::ClientContext context;
    v1::PostWorkRequest request;
    v1::PostWorkResponse response;
    *request.mutable_work() = NewWork("echo", std::string(static_cast<std::size_t>(size), 'x'));
    EXPECT_EQ(stub->PostWork(&context, request, &response).error_code(), code);
  }
}

// Case 54 for the streams of this service, with watches on health besides, which have no end of
// their own.
TEST_F(RpcServerTest, ShutdownWithAHundredIdleStreamsIsPrompt) {
  using Stream = grpc::ClientReaderWriter<v1::PostWorkStreamRequest, v1::PostWorkStreamResponse>;
  std::vector<std::unique_ptr<grpc::ClientContext>> contexts;
  std::vector<std::unique_ptr<Stream>> streams;
  for (int i = 0; i < 100; ++i) {
    contexts.push_back(std::make_unique<grpc::ClientContext>());
    streams.push_back(work_pool->PostWorkStream(contexts.back().get()));
    v1::PostWorkStreamRequest request;
    *request.add_work() = NewWork("echo");
    ASSERT_TRUE(streams.back()->Write(request));
    v1::PostWorkStreamResponse response;
    ASSERT_TRUE(streams.back()->Read(&response));
  }
  grpc::ClientContext watch_context;
  v1::WatchStatsResponse reading;
  v1::WatchStatsRequest watch_request;
  watch_request.mutable_interval()->set_seconds(3600);
  const auto watch = admin->WatchStats(&watch_context, watch_request);
  ASSERT_TRUE(watch->Read(&reading));

  grpc::GenericStub generic(channel);
  grpc::ClientContext health_context;
  grpc::CompletionQueue queue;
  const auto health = generic.PrepareCall(&health_context, "/grpc.health.v1.Health/Watch", &queue);
  void* tag = nullptr;
  bool ok = false;
  grpc::ByteBuffer buffer;
  health->StartCall(nullptr);
  queue.Next(&tag, &ok);
  health->Write(Bytes(""), nullptr);
  queue.Next(&tag, &ok);
  health->Read(&buffer, nullptr);
  queue.Next(&tag, &ok);
  ASSERT_TRUE(ok);

  const auto begin = SteadyTime::clock::now();
  server->Shutdown(begin + kHang);
  EXPECT_LT(SteadyTime::clock::now() - begin, kHang / 4);
  for (const auto& stream : streams) {
    EXPECT_EQ(stream->Finish().error_code(), grpc::UNAVAILABLE);
  }
  EXPECT_FALSE(watch->Read(&reading));
  EXPECT_TRUE(watch->Finish().ok());
  grpc::Status status;
  health->Finish(&status, nullptr);
  queue.Next(&tag, &ok);
  queue.Shutdown();
  while (queue.Next(&tag, &ok)) {
  }
}

TEST_F(RpcServerTest, ShutdownCancelsWhatIsLeftAtTheDeadline) {
  grpc::ClientContext context;
  v1::PostWorkRequest request;
  v1::PostWorkResponse response;
  *request.mutable_work() = NewWork("held");
  request.set_wait(true);
  std::atomic<bool> done{false};
  grpc::Status status;
  work_pool->async()->PostWork(&context, &request, &response, [&](grpc::Status result) {
    status = std::move(result);
    done = true;
  });
  ASSERT_TRUE(Eventually([&] { return held->size() == 1; }));
  server->Shutdown(SteadyTime::clock::now() + 100ms);
  ASSERT_TRUE(Eventually([&] { return done.load(); }));
  EXPECT_FALSE(status.ok());
}

int LowestFreeDescriptor() { return UniqueFd(::fcntl(0, F_DUPFD_CLOEXEC, 0)).get(); }

// Clients of the server at `address`, with descriptors far above those that it gets.
std::vector<UniqueFd> Crowd(const std::string& address, std::size_t count) {
  constexpr int kAbove = 512;
  std::vector<UniqueFd> crowd;
  while (crowd.size() < count) {
    const UniqueFd client = ConnectTcp(PortOf(address));
    crowd.emplace_back(::fcntl(client.get(), F_DUPFD_CLOEXEC, kAbove));
    EXPECT_TRUE(crowd.back().valid());
  }
  return crowd;
}

// Case 50, whole: the table is full of clients. Those that were served before go on being served,
// and new ones are as soon as others have left.
TEST_F(RpcServerTest, MoreClientsThanDescriptorsDoNotStopIt) {
  PostOne(NewWork("echo"));
  constexpr int kClients = 200;
  std::vector<UniqueFd> crowd = Crowd(server->address(), kClients);
  ASSERT_TRUE(Eventually([&] { return LowestFreeDescriptor() > kClients; }));
  const DescriptorLimit lowered(kClients);
  PostOne(NewWork("echo"));  // on the connection that is there
  crowd.clear();
  ASSERT_TRUE(Eventually([&] { return LowestFreeDescriptor() < kClients / 2; }));
  const auto fresh = NewChannel();
  EXPECT_TRUE(fresh->WaitForConnected(std::chrono::system_clock::now() + kHang));
  EXPECT_EQ(Health(fresh, ""), "serving");
}

}  // namespace
}  // namespace workpool::rpc
