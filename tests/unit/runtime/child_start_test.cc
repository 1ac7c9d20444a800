// Case 49 and its kind: what cannot be started is said at once, with the system's reason.
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "unit/runtime/child_fixture.h"

namespace workpool {
namespace {

using testing::HasSubstr;

class ChildStartTest : public ChildTest {
 protected:
  ChildStartTest() {
    char folder[] = "/tmp/child_start_test.XXXXXX";
    folder_ = ::mkdtemp(folder);
  }
  ~ChildStartTest() override { std::filesystem::remove_all(folder_); }

  std::string Write(const std::string& name, const std::string& text, mode_t mode) {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path) << text;
    ::chmod(path.c_str(), mode);
    return path;
  }

  static ChildSpec Program(std::string name) {
    ChildSpec spec = Shell("");
    spec.argv = {std::move(name)};
    return spec;
  }

  std::string folder_;
};

TEST_F(ChildStartTest, Case49Missing) {
  EXPECT_EQ(ErrorOf(Program("/nonexistent/program")),
            "cannot start \"/nonexistent/program\": No such file or directory");
  EXPECT_EQ(ErrorOf(Program("no-such-program")),
            "cannot start \"no-such-program\": No such file or directory");
}

TEST_F(ChildStartTest, Case49NotExecutable) {
  const std::string path = Write("plain", "text", 0644);
  EXPECT_EQ(ErrorOf(Program(path)), "cannot start \"" + path + "\": Permission denied");
  ChildSpec spec = Program("plain");
  spec.env = {{"PATH", folder_}};
  EXPECT_EQ(ErrorOf(std::move(spec)), "cannot start \"plain\": Permission denied");
}

TEST_F(ChildStartTest, Case49MissingFolder) {
  ChildSpec spec = Shell("true");
  spec.cwd = "/nonexistent/folder";
  EXPECT_EQ(ErrorOf(std::move(spec)),
            "cannot start \"/bin/sh\": its folder \"/nonexistent/folder\": No such file or "
            "directory");
}

TEST_F(ChildStartTest, FolderThatIsAFile) {
  ChildSpec spec = Shell("true");
  spec.cwd = "/etc/passwd";
  EXPECT_THAT(ErrorOf(std::move(spec)), HasSubstr("\"/etc/passwd\": Not a directory"));
}

TEST_F(ChildStartTest, ProgramThatIsAFolder) {
  EXPECT_THAT(ErrorOf(Program("/usr")), HasSubstr("Permission denied"));
}

TEST_F(ChildStartTest, NeitherBinaryNorScript) {
  EXPECT_THAT(ErrorOf(Program(Write("odd", "neither", 0755))), HasSubstr("Exec format error"));
}

TEST_F(ChildStartTest, MissingInterpreterIsNamedAsTheCause) {
  EXPECT_THAT(ErrorOf(Program(Write("script", "#!/nonexistent/sh\n", 0755))),
              HasSubstr("No such file or directory (the interpreter"));
}

TEST_F(ChildStartTest, NothingToStart) {
  ChildSpec spec;
  EXPECT_THAT(ErrorOf(std::move(spec)), HasSubstr("no program is named"));
  EXPECT_THAT(ErrorOf(Program("")), HasSubstr("No such file or directory"));
}

TEST_F(ChildStartTest, NulBytesAreRefused) {
  ChildSpec spec = Shell("true");
  spec.env.emplace_back("A", std::string("a\0b", 3));
  EXPECT_THAT(ErrorOf(std::move(spec)), HasSubstr("NUL"));
  EXPECT_THAT(ErrorOf(Program(std::string("a\0b", 3))), HasSubstr("NUL"));
}

TEST_F(ChildStartTest, OutOfDescriptors) {
  // Three are left: too few for a child, enough for a sanitizer's own checks.
  std::vector<int> taken;
  for (int i = 0; i < 32; ++i) taken.push_back(::dup(STDIN_FILENO));
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  const rlimit few{static_cast<rlim_t>(taken.back()) + 1, before.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &few);
  for (int i = 0; i < 3; ++i, taken.pop_back()) ::close(taken.back());
  const std::string error = ErrorOf(Shell("true"));
  ::setrlimit(RLIMIT_NOFILE, &before);
  for (const int fd : taken) ::close(fd);
  EXPECT_THAT(error, HasSubstr("Too many open files"));
  EXPECT_EQ(Run("exit 3").code, 3);
}

TEST_F(ChildStartTest, FailedStartsLeaveNothingOpen) {
  Run("true");
  Settle();
  const int before = OpenDescriptors();
  ChildSpec spec = Shell("true");
  spec.cwd = "/nonexistent/folder";
  for (int i = 0; i < 20; ++i) {
    ErrorOf(Program("/nonexistent/program"));
    ErrorOf(spec);
  }
  EXPECT_EQ(OpenDescriptors(), before);
  EXPECT_FALSE(HasChildren());
}

TEST_F(ChildStartTest, PathOfTheChildDecides) {
  Write("workpool-test-tool", "#!/bin/sh\necho found\n", 0755);
  ChildSpec spec = Program("workpool-test-tool");
  spec.env = {{"PATH", "/nonexistent::relative:/usr:" + folder_ + ":/bin"}};
  EXPECT_EQ(Run(std::move(spec)).output, "found\n");
}

TEST_F(ChildStartTest, PathOfAScriptIsRelativeToItsFolder) {
  Write("tool", "#!/bin/sh\necho found\n", 0755);
  ChildSpec spec = Program("./tool");
  spec.cwd = folder_;
  EXPECT_EQ(Run(std::move(spec)).output, "found\n");
}

}  // namespace
}  // namespace workpool
