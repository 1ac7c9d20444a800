#include "runtime/process_group.h"

#include <unistd.h>

#include "unit/runtime/child_fixture.h"

namespace workpool {
namespace {

using ProcessGroupTest = ChildTest;

TEST_F(ProcessGroupTest, IsThereWhileAMemberRuns) {
  Started child = Start(Shell("echo $$ >&2; exec sleep 1000"));
  const pid_t group = std::stoi(Get(child.spoke));
  EXPECT_FALSE(GroupIsGone(group));
  SignalGroup(group, SIGKILL);
  EXPECT_EQ(Get(child.exit).signal, SIGKILL);
  EXPECT_TRUE(GroupIsGone(group));
  SignalGroup(group, SIGKILL);
}

TEST_F(ProcessGroupTest, IsGoneWhenOnlyUnreapedMembersAreLeft) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::setpgid(0, 0);
    ::_exit(0);
  }
  ::setpgid(child, child);
  EXPECT_TRUE(Eventually([child] { return !IsRunning(child); }));
  EXPECT_EQ(::kill(-child, 0), 0) << "to the system it still exists";
  EXPECT_TRUE(GroupIsGone(child));
  EXPECT_EQ(::waitpid(child, nullptr, 0), child);
}

}  // namespace
}  // namespace workpool
