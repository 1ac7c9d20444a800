#include "runtime/child_pipes.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <string>

namespace workpool {
namespace {

// A pipe whose end of ours does not block. The loop does not run here.
class ChildPipesTest : public testing::Test {
 protected:
  ChildPipesTest() {
    std::signal(SIGPIPE, SIG_IGN);
    int fds[2];
    EXPECT_EQ(::pipe2(fds, O_CLOEXEC | O_NONBLOCK), 0);
    read_ = OwnedFd(fds[0]);
    write_ = OwnedFd(fds[1]);
  }
  void Write(const std::string& text) {
    EXPECT_EQ(::write(write_.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  std::string Read() {
    std::string text(1 << 20, '\0');
    const ssize_t size = ::read(read_.get(), text.data(), text.size());
    return size < 0 ? "nothing" : text.substr(0, static_cast<std::size_t>(size));
  }

  Reactor reactor_;
  OwnedFd read_;
  OwnedFd write_;
};

TEST_F(ChildPipesTest, DrainHandsOnWhatIsThereAndDoesNotWaitForTheEnd) {
  std::string seen;
  OutputPipe pipe(
      reactor_, std::move(read_), [&](std::string_view bytes) { seen += bytes; },
      [] { ADD_FAILURE() << "told of an end"; });
  Write("left over");
  EXPECT_FALSE(pipe.ended());
  pipe.Drain();
  EXPECT_EQ(seen, "left over");
  EXPECT_TRUE(pipe.ended());
  pipe.Drain();
}

TEST_F(ChildPipesTest, InputIsClosedWhenAllIsWritten) {
  InputPipe pipe(reactor_, std::move(write_), "input");
  pipe.Start();
  EXPECT_EQ(Read(), "input");
  EXPECT_EQ(Read(), "");
}

TEST_F(ChildPipesTest, InputWaitsWhileThePipeIsFull) {
  InputPipe pipe(reactor_, std::move(write_), std::string(3 << 20, 'x'));
  pipe.Start();
  EXPECT_GT(Read().size(), 1U);
  EXPECT_EQ(Read(), "nothing");
}

TEST_F(ChildPipesTest, InputThatNobodyReadsIsNoError) {
  read_.Reset();
  InputPipe pipe(reactor_, std::move(write_), "input");
  pipe.Start();
}

}  // namespace
}  // namespace workpool
