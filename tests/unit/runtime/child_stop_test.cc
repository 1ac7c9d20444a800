// How children end, with all that they have started.
#include <sys/prctl.h>
#include <unistd.h>

#include "unit/runtime/child_fixture.h"

namespace workpool {
namespace {

using namespace std::chrono_literals;
using ChildStopTest = ChildTest;

// Two processes that do not end on TERM; the first tells both numbers on stdout.
constexpr char kStubborn[] =
    "trap '' TERM; sleep 1000 & echo $$ $!; echo ready >&2; while :; do wait; done";

TEST_F(ChildStopTest, TermReachesTheWholeGroup) {
  Started child =
      Start(Shell("trap 'wait; echo outer; exit 7' TERM; "
                  "sh -c 'sleep 1000 & trap \"echo inner; exit\" TERM; echo ready >&2; wait' & "
                  "wait; wait"));
  Get(child.spoke);
  child.child->Stop(1h);
  const ChildExit exit = Get(child.exit);
  EXPECT_EQ(exit.code, 7);
  EXPECT_EQ(exit.output, "inner\nouter\n");
}

TEST_F(ChildStopTest, KilledByTermIfItDoesNotCare) {
  Started child = Start(Shell("echo ready >&2; exec sleep 1000"));
  Get(child.spoke);
  child.child->Stop(1h);
  EXPECT_EQ(Get(child.exit).signal, SIGTERM);
}

TEST_F(ChildStopTest, Case17WholeGroupIsDeadWhenItHasEnded) {
  Started child = Start(Shell(kStubborn));
  Get(child.spoke);
  child.child->Stop(10ms);
  const ChildExit exit = Get(child.exit);
  EXPECT_EQ(exit.signal, SIGKILL);
  const auto pids = Pids(exit.output);
  ASSERT_EQ(pids.size(), 2U);
  EXPECT_FALSE(IsRunning(pids[0]));
  EXPECT_FALSE(IsRunning(pids[1]));
}

TEST_F(ChildStopTest, Case17AlsoWhenOnlyItsFirstProcessHeedsTerm) {
  Started child = Start(Shell(
      "sh -c 'trap \"\" TERM; echo $$; echo ready >&2; while :; do sleep 1000; done' & wait"));
  Get(child.spoke);
  child.child->Stop(10ms);
  const ChildExit exit = Get(child.exit);
  EXPECT_EQ(exit.signal, SIGTERM);
  const auto pids = Pids(exit.output);
  ASSERT_EQ(pids.size(), 1U);
  EXPECT_FALSE(IsRunning(pids[0]));
}

TEST_F(ChildStopTest, Case17AlsoWhenItIsALargeGroup) {
  Started child = Start(
      Shell("trap '' TERM; for i in $(seq 60); do sleep 1000 & echo $!; done; echo ready >&2; "
            "wait"));
  Get(child.spoke);
  child.child->Stop(0ms);
  const ChildExit exit = Get(child.exit);
  for (const pid_t pid : Pids(exit.output)) EXPECT_FALSE(IsRunning(pid));
  EXPECT_EQ(Pids(exit.output).size(), 60U);
}

TEST_F(ChildStopTest, OthersHaveTheGraceTooAfterTheFirstHasGone) {
  // Longer than output is awaited of a child that was not stopped.
  Started child = Start(
      Shell("sh -c 'sleep 1000 & trap \"sleep 0.4; echo cleaned up; exit\" TERM; echo ready >&2; "
            "wait' & wait"));
  Get(child.spoke);
  child.child->Stop(1h);
  EXPECT_EQ(Get(child.exit).output, "cleaned up\n");
}

TEST_F(ChildStopTest, LaterStopShortensTheGrace) {
  Started child = Start(Shell(kStubborn));
  Get(child.spoke);
  child.child->Stop(1h);
  child.child->Stop(0ms);
  EXPECT_EQ(Get(child.exit).signal, SIGKILL);
}

TEST_F(ChildStopTest, LaterStopDoesNotLengthenTheGrace) {
  Started child = Start(Shell(kStubborn));
  Get(child.spoke);
  child.child->Stop(10ms);
  child.child->Stop(std::chrono::nanoseconds::max());
  EXPECT_EQ(Get(child.exit).signal, SIGKILL);
}

TEST_F(ChildStopTest, StoppedRightAfterItsStart) {
  for (int i = 0; i < 20; ++i) {
    Started child = Start(Shell("trap '' TERM; while :; do sleep 1000; done"));
    child.child->Stop(0ms);
    EXPECT_THAT(Get(child.exit).signal, testing::AnyOf(SIGTERM, SIGKILL));
  }
}

TEST_F(ChildStopTest, StoppingOneThatHasEndedDoesNothing) {
  Started child = Start(Shell("exit 5"));
  EXPECT_EQ(Get(child.exit).code, 5);
  child.child->Stop(0ms);
  Settle();
}

TEST_F(ChildStopTest, GrandchildThatHoldsThePipesIsNotWaitedForForEver) {
  const ChildExit exit = Run("sleep 1000 & echo $!; exit 3");
  EXPECT_EQ(exit.code, 3);
  ASSERT_EQ(Pids(exit.output).size(), 1U);
  EXPECT_FALSE(IsRunning(Pids(exit.output)[0]));
}

TEST_F(ChildStopTest, GrandchildWithoutPipesDoesNotOutliveTheChild) {
  const ChildExit exit = Run("sleep 1000 >/dev/null 2>&1 & echo $!");
  ASSERT_EQ(Pids(exit.output).size(), 1U);
  EXPECT_FALSE(IsRunning(Pids(exit.output)[0]));
}

TEST_F(ChildStopTest, OutputWrittenRightAfterTheFirstHasGoneIsKept) {
  const ChildExit exit =
      Run("first=$$; { until read -r line </proc/$first/stat; case $line in *') Z '*) true;; "
          "*) false;; esac; do :; done; echo late; } & echo early");
  EXPECT_EQ(exit.code, 0);
  EXPECT_EQ(exit.output, "early\nlate\n");
}

TEST_F(ChildStopTest, ProcessThatLeftTheGroupIsNotWaitedFor) {
  const ChildExit exit = Run(
      "setsid sleep 1000 & until [ \"$(cut -d' ' -f6 /proc/$!/stat)\" = $! ]; do :; done; echo $!");
  ASSERT_EQ(Pids(exit.output).size(), 1U);
  EXPECT_TRUE(IsRunning(Pids(exit.output)[0]));
  ::kill(Pids(exit.output)[0], SIGKILL);
}

TEST_F(ChildStopTest, Case47TimedOutCommandsLeaveNothingBehind) {
  Run("true");
  Settle();
  const int before = OpenDescriptors();
  for (int round = 0; round < 10; ++round) {
    std::vector<Started> children;
    for (int i = 0; i < 20; ++i) {
      children.push_back(Start(Shell(i % 2 == 0 ? kStubborn : "exec sleep 1000")));
    }
    for (Started& child : children) child.child->Stop(1ms);
    for (Started& child : children) EXPECT_TRUE(Get(child.exit).signal);
  }
  Settle();
  EXPECT_FALSE(HasChildren());
  EXPECT_EQ(OpenDescriptors(), before);
}

TEST_F(ChildStopTest, DestroyedLoopLeavesNoChild) {
  const int before = OpenDescriptors();
  Started child = Start(Shell("sleep 1000 & echo $! $$ >&2; while :; do wait; done"));
  const auto pids = Pids(Get(child.spoke));
  loop_.reset();
  ASSERT_EQ(pids.size(), 2U);
  EXPECT_TRUE(Eventually([&] { return !IsRunning(pids[0]) && !IsRunning(pids[1]); }));
  EXPECT_FALSE(HasChildren());
  EXPECT_LT(OpenDescriptors(), before);
  EXPECT_THROW(child.exit.get(), std::future_error) << "done must not have been called";
}

TEST_F(ChildStopTest, LoopThatNeverRanLeavesNoChildEither) {
  {
    EventLoop idle;
    ASSERT_TRUE(idle.children().Start(Shell("sleep 1000"), [](ChildExit) { ADD_FAILURE(); }));
  }
  EXPECT_FALSE(HasChildren());
}

TEST_F(ChildStopTest, KillChildrenEndsAllAndRefusesMore) {
  Started child = Start(Shell(kStubborn));
  Get(child.spoke);
  loop_->KillChildren();
  EXPECT_EQ(Get(child.exit).signal, SIGKILL);
  EXPECT_THAT(ErrorOf(Shell("true")), testing::HasSubstr("shutting down"));
  EXPECT_FALSE(HasChildren());
}

// As process 1 of a container: here orphans come to this process because it asks for them.
class OrphanTest : public ChildTest {
 protected:
  OrphanTest() {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    loop_ = std::make_unique<EventLoop>(true);
    loop_->Start();
  }
  ~OrphanTest() override { ::prctl(PR_SET_CHILD_SUBREAPER, 0); }
};

TEST_F(OrphanTest, Case53ReapsOrphansAndLeavesItsOwnChildrenToTheirOwners) {
  std::vector<Started> children;
  for (int i = 0; i < 20; ++i) {
    children.push_back(Start(Shell(
        "setsid sleep 0.01 >/dev/null 2>&1 & until [ \"$(cut -d' ' -f6 /proc/$!/stat)\" = $! ]; "
        "do [ -e /proc/$!/stat ] || break; done 2>/dev/null; exit 3")));
  }
  for (Started& child : children) EXPECT_EQ(Get(child.exit).code, 3);
  EXPECT_TRUE(Eventually([] { return !HasChildren(); }));
}

TEST_F(OrphanTest, Case53ReapsKilledGroups) {
  for (int i = 0; i < 5; ++i) {
    Started child = Start(Shell(kStubborn));
    Get(child.spoke);
    child.child->Stop(0ms);
    EXPECT_EQ(Get(child.exit).signal, SIGKILL);
  }
  EXPECT_TRUE(Eventually([] { return !HasChildren(); }));
}

}  // namespace
}  // namespace workpool
