// A pool of two workers and three handlers: `echo`, `held`, whose attempts the test finishes, and
// `call`, which does what the test says.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "fakes/dispatcher_rig.h"

namespace workpool {

class DispatcherRunFixture : public ::testing::Test {
 protected:
  DispatcherRunFixture() {
    DispatcherConfig config;
    config.pools = {MakePoolConfig("default", 2, 20'000)};
    config.handlers = {
        EchoConfig(), MakeHandlerConfig("held", "", held_),
        MakeHandlerConfig("call", "", MakeFunctionHandler([this](const Job& job, JobContext& c) {
                            return call_(job, c);
                          }))};
    config.max_result = 1000;
    rig_.Start(std::move(config));
  }

  // An attempt that is still held would keep its job, and the job its handler.
  void TearDown() override {
    while (const auto attempt = held_->Take()) attempt->Finish(Outcome::Failure("test over"));
  }

  JobView RunCall(HandlerFunction call) {
    call_ = std::move(call);
    const PostProbe post = rig_.Post(MakeWork("call"));
    rig_.RunAll();
    return *rig_.dispatcher->Get(post.id());
  }
  // A job whose handler holds its attempt.
  JobId StartHeld(std::optional<std::chrono::nanoseconds> timeout = std::nullopt) {
    Work work = MakeWork("held");
    work.timeout = timeout;
    const JobId id = rig_.Post(work).id();
    rig_.RunOne();
    return id;
  }
  std::uint64_t CancelOne(JobId id) { return rig_.dispatcher->Cancel(std::array{id}).cancelled; }

  std::shared_ptr<HeldHandler> held_ = std::make_shared<HeldHandler>();
  HandlerFunction call_;
  DispatcherRig rig_;
};

}  // namespace workpool
