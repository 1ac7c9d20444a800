// Commands that could not be started are named before the first job finds out.
#include "app/program_check.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

namespace workpool {
namespace {

class ProgramCheckTest : public ::testing::Test {
 protected:
  ProgramCheckTest() {
    std::string folder = ::testing::TempDir() + "program_check_XXXXXX";
    folder_ = ::mkdtemp(folder.data());
    Write("runs", 0755);
    Write("text", 0644);
  }
  ~ProgramCheckTest() override { std::filesystem::remove_all(folder_); }

  void Write(const std::string& name, mode_t mode) const {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path) << "#!/bin/sh\n";
    ::chmod(path.c_str(), mode);
  }

  // Nothing where all is well.
  static std::string Check(const std::string& program, const std::string& cwd = "",
                           const std::string& path = "") {
    HandlerSettings handler;
    handler.name = "up";
    handler.exec = {program};
    handler.cwd = cwd;
    if (!path.empty()) handler.env = {{"PATH", path}};
    return Check(handler);
  }
  static std::string Check(const HandlerSettings& handler) {
    Config config;
    config.handlers = {handler};
    const auto lines = MissingPrograms(config);
    return lines.empty() ? "" : lines.front();
  }

  std::string folder_;
};

TEST_F(ProgramCheckTest, SaysNothingOfProgramsThatAreThere) {
  EXPECT_EQ(Check("sh"), "");
  EXPECT_EQ(Check("/bin/sh"), "");
  EXPECT_EQ(Check("runs", "", folder_), "");
  EXPECT_EQ(Check("./runs", folder_), "");
  HandlerSettings no_command;
  no_command.name = "echo";
  EXPECT_EQ(Check(no_command), "");
}

TEST_F(ProgramCheckTest, ANameWithoutASlashIsLookedUpInThePathOfTheCommand) {
  EXPECT_EQ(Check("runs"),
            "handlers.up: its jobs will fail: cannot start \"runs\": No such file or directory "
            "(looked up in PATH /usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)");
  EXPECT_EQ(Check("text", "", folder_),
            "handlers.up: its jobs will fail: cannot start \"text\": Permission denied (looked up "
            "in PATH " +
                folder_ + ")");
}

TEST_F(ProgramCheckTest, ANameWithASlashIsAFileSeenFromTheCommandsFolder) {
  EXPECT_EQ(Check("/none/such"),
            "handlers.up: its jobs will fail: cannot start \"/none/such\": No such file or "
            "directory");
  EXPECT_EQ(Check("./none", folder_),
            "handlers.up: its jobs will fail: cannot start \"./none\": No such file or directory "
            "(looked for in cwd " +
                folder_ + ")");
  for (const std::string& file : {folder_ + "/text", folder_}) {
    EXPECT_EQ(Check(file),
              "handlers.up: its jobs will fail: cannot start \"" + file + "\": Permission denied");
  }
}

TEST_F(ProgramCheckTest, ItsFolderMustBeThereToo) {
  EXPECT_EQ(Check("sh", "/none"),
            "handlers.up: its jobs will fail: its cwd \"/none\": No such file or directory");
  EXPECT_EQ(Check("sh", folder_ + "/text"),
            "handlers.up: its jobs will fail: its cwd \"" + folder_ + "/text\": Not a directory");
}

}  // namespace
}  // namespace workpool
