// A daemon that does not speak the protocol.
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <string>

#include "workpool/client.h"

namespace workpool::client {
namespace {

// Answers the first message of each call with these bytes.
class Parrot final : public grpc::CallbackGenericService {
 public:
  explicit Parrot(const std::string& answer) : slice_(answer), answer_(&slice_, 1) {}

  grpc::ServerGenericBidiReactor* CreateReactor(grpc::GenericCallbackServerContext*) override {
    return new Call(answer_);
  }

 private:
  class Call final : public grpc::ServerGenericBidiReactor {
   public:
    explicit Call(const grpc::ByteBuffer& answer) : answer_(answer) { StartRead(&request_); }
    void OnReadDone(bool ok) override {
      if (ok) StartWrite(&answer_);
    }
    void OnCancel() override { Finish(grpc::Status::CANCELLED); }
    void OnDone() override { delete this; }

   private:
    const grpc::ByteBuffer answer_;
    grpc::ByteBuffer request_;
  };

  const grpc::Slice slice_;
  const grpc::ByteBuffer answer_;
};

// How a post to such a daemon ends.
Result<Posted> Answered(const std::string& answer) {
  Parrot parrot(answer);
  int port = 0;
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
  builder.RegisterCallbackGenericService(&parrot);
  const auto server = builder.BuildAndStart();
  Client client({.server = "127.0.0.1:" + std::to_string(port)});
  Work work;
  work.handler = "echo";
  auto outcome = client.PostAsync(std::move(work)).get();
  client.Close();
  server->Shutdown(std::chrono::system_clock::now());
  return outcome;
}

TEST(BadAnswerTest, EndsThePostsOfTheStream) {
  for (const std::string answer : {"no answer", "\x0a", "\x0a\x05\x08\x01"}) {
    const auto outcome = Answered(answer);
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, StatusCode::kUnavailable);
    EXPECT_EQ(outcome.error().message, "the daemon's answer is no PostWorkStreamResponse");
    EXPECT_TRUE(outcome.error().MayHaveBeenAccepted());
  }
}

TEST(BadAnswerTest, FieldsOfALaterProtocolAreLeftAlone) {
  // A result with sequence 1, id 7 and a field 100, then a field 100 of the message.
  const auto outcome = Answered("\x0a\x07\x08\x01\x10\x07\xa0\x06\x01\xa0\x06\x01");
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->id, 7U);
}

}  // namespace
}  // namespace workpool::client
