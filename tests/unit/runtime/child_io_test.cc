// What a child is given, and what is taken from it.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "unit/runtime/child_fixture.h"

namespace workpool {
namespace {

using ChildIoTest = ChildTest;

std::string Megabytes(std::size_t count) {
  std::string text;
  text.reserve(count << 20);
  for (unsigned n = 0; text.size() < count << 20; ++n) text += std::to_string(n) + "\n";
  text.resize(count << 20);
  return text;
}

TEST_F(ChildIoTest, Case9ExitOfZeroWithNoOutput) {
  const ChildExit exit = Run("exit 0");
  EXPECT_EQ(exit.code, 0);
  EXPECT_FALSE(exit.signal);
  EXPECT_EQ(exit.output, "");
  EXPECT_FALSE(exit.output_truncated);
}

TEST_F(ChildIoTest, Case9KilledFromOutside) {
  Started child = Start(Shell("echo $$ >&2; exec sleep 1000"));
  child.child.reset();  // destroying the handle does not stop it
  ::kill(std::stoi(Get(child.spoke)), SIGKILL);
  const ChildExit exit = Get(child.exit);
  EXPECT_EQ(exit.signal, SIGKILL);
  EXPECT_FALSE(exit.code);
}

TEST_F(ChildIoTest, PassesInputAndOutputWhole) {
  ChildSpec spec = Shell("cat");
  spec.input = Megabytes(3);
  const std::string input = spec.input;
  EXPECT_TRUE(Run(std::move(spec)).output == input);
}

TEST_F(ChildIoTest, Case48WritesTenMegabytesToBothAndReadsNothing) {
  ChildSpec spec = Shell("head -c 10000000 /dev/zero; head -c 10000000 /dev/zero >&2; exit 4");
  spec.input = Megabytes(3);
  spec.max_output = 1000;
  std::size_t errors = 0;
  spec.on_stderr = [&errors](std::string_view bytes) { errors += bytes.size(); };
  std::promise<ChildExit> done;
  auto future = done.get_future();
  ASSERT_TRUE(loop_->children().Start(
      std::move(spec), [&done](ChildExit exit) { done.set_value(std::move(exit)); }));
  const ChildExit exit = Get(future);
  EXPECT_EQ(exit.code, 4);
  EXPECT_EQ(exit.output, std::string(1000, '\0'));
  EXPECT_TRUE(exit.output_truncated);
  EXPECT_EQ(errors, 10000000U);
}

TEST_F(ChildIoTest, OutputOfExactlyTheLimitIsNotTruncated) {
  ChildSpec spec = Shell("printf 12345");
  spec.max_output = 5;
  const ChildExit exit = Run(std::move(spec));
  EXPECT_EQ(exit.output, "12345");
  EXPECT_FALSE(exit.output_truncated);
}

TEST_F(ChildIoTest, Case48SlowReader) {
  ChildSpec spec = Shell(
      "i=0; while [ $i -lt 48 ]; do "
      "dd bs=65536 count=1 iflag=fullblock 2>/dev/null; i=$((i+1)); done");
  spec.input = Megabytes(3);
  const std::string input = spec.input;
  EXPECT_TRUE(Run(std::move(spec)).output == input);
}

TEST_F(ChildIoTest, Case48ClosesStdinAtOnce) {
  ChildSpec spec = Shell("exec <&-; echo done");
  spec.input = Megabytes(3);
  EXPECT_EQ(Run(std::move(spec)).output, "done\n");
}

TEST_F(ChildIoTest, EnvironmentIsTheGivenOneOnly) {
  ::setenv("WORKPOOL_TEST_SECRET", "of the daemon", 1);
  ChildSpec spec;
  spec.argv = {"env"};
  spec.env = {{"PATH", "/usr/bin:/bin"}, {"A", "with = and\nnewline"}};
  spec.max_output = 1000;
  EXPECT_EQ(Run(std::move(spec)).output, "PATH=/usr/bin:/bin\nA=with = and\nnewline\n");
}

TEST_F(ChildIoTest, RunsInItsFolder) {
  ChildSpec spec = Shell("pwd");
  spec.cwd = "/usr";
  EXPECT_EQ(Run(std::move(spec)).output, "/usr\n");
}

TEST_F(ChildIoTest, FolderIsTheDaemonsUnlessGiven) {
  EXPECT_EQ(Run("pwd -P").output, Run("readlink /proc/$PPID/cwd").output);
}

TEST_F(ChildIoTest, InheritsNoDescriptorButItsThree) {
  // One that a library forgot to mark close-on-exec.
  const int leak = ::fcntl(STDIN_FILENO, F_DUPFD, 100);
  ASSERT_GE(leak, 100);
  const ChildExit exit = Run("for n in /proc/$$/fd/*; do echo ${n##*/}; done");
  ::close(leak);
  // The shell's own look into the folder may be among them.
  EXPECT_THAT(exit.output, testing::AnyOf("0\n1\n2\n", "0\n1\n2\n3\n"));
}

TEST_F(ChildIoTest, HasNoSignalBlockedOrIgnored) {
  // The two signals that glibc keeps to itself, 32 and 33, are its own affair.
  // Not by a shell, because shells clear the mask themselves.
  ChildSpec spec = Shell("");
  spec.argv = {"sed", "-nE", "s/^Sig(Blk|Ign):.*(.{8})/\\2/p", "/proc/self/status"};
  const ChildExit exit = Run(std::move(spec));
  for (std::istringstream masks(exit.output); masks;) {
    unsigned long mask = 0;
    masks >> std::hex >> mask;
    EXPECT_EQ(mask & 0x7fffffffUL, 0U) << exit.output;
  }
  EXPECT_EQ(exit.output.size(), 18U);
}

TEST_F(ChildIoTest, LeadsAGroupOfItsOwn) {
  const auto pids = Pids(Run("cut -d' ' -f1,5 /proc/$$/stat").output);
  ASSERT_EQ(pids.size(), 2U);
  EXPECT_EQ(pids[0], pids[1]);
}

TEST_F(ChildIoTest, ManyAtOnceFromManyThreads) {
  std::vector<std::jthread> posters;
  for (int thread = 0; thread < 4; ++thread) {
    posters.emplace_back([this, thread] {
      for (int n = 0; n < 10; ++n) {
        const std::string text = std::to_string(thread) + "/" + std::to_string(n);
        ChildSpec spec = Shell("read -r line; echo $line");
        spec.input = text + "\n";
        EXPECT_EQ(Run(std::move(spec)).output, text + "\n");
      }
    });
  }
}

}  // namespace
}  // namespace workpool
