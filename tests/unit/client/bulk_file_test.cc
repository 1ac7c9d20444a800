#include "bulk_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "options.h"

namespace workpool::cli {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

class BulkFileTest : public ::testing::Test {
 protected:
  ~BulkFileTest() override { std::filesystem::remove(path_); }
  void Write(const std::string& text) { std::ofstream(path_, std::ios::binary) << text; }

  const std::string path_ = ::testing::TempDir() + "bulk_file_test." +
                            ::testing::UnitTest::GetInstance()->current_test_info()->name();
  client::Work defaults_{.handler = "echo"};
};

TEST_F(BulkFileTest, ReadsLineByLineAndCountsBlankOnes) {
  Write("{\"payload\":\"a\"}\n\n  \r\n{\"payload\":\"b\"}\r\n{\"payload\":\"c\"}");
  BulkFile file(path_, defaults_);
  EXPECT_EQ(file.Next()->payload, "a");
  EXPECT_EQ(file.line(), 1U);
  EXPECT_EQ(file.Next()->payload, "b");
  EXPECT_EQ(file.line(), 4U);
  EXPECT_EQ(file.Next()->payload, "c");
  EXPECT_FALSE(file.Next());
  EXPECT_EQ(file.failure(), "");
}

TEST_F(BulkFileTest, SaysWhereALineIsWrongAndStops) {
  Write("{}\n{\"x\":1}\n{}\n");
  BulkFile file(path_, defaults_);
  EXPECT_TRUE(file.Next());
  EXPECT_FALSE(file.Next());
  EXPECT_THAT(file.failure(), HasSubstr(path_ + ":2: unknown key"));
  EXPECT_FALSE(file.Next());
}

TEST_F(BulkFileTest, TakesLinesOfAnyLengthUpToTheBound) {
  for (const std::size_t size : {65534U, 65535U, 65536U, 131070U, 200000U}) {
    const std::string line = "{\"payload\":\"" + std::string(size - 14, 'a') + "\"}";
    Write(line + "\n\n" + line);
    BulkFile file(path_, defaults_);
    EXPECT_EQ(file.Next()->payload.size(), size - 14);
    EXPECT_EQ(file.Next()->payload.size(), size - 14);
    EXPECT_EQ(file.line(), 3U);
    EXPECT_FALSE(file.Next());
    EXPECT_EQ(file.failure(), "");
  }
}

TEST_F(BulkFileTest, ALineWithoutEndIsRefused) {
  BulkFile file("/dev/zero", defaults_);
  EXPECT_FALSE(file.Next());
  EXPECT_EQ(file.failure(), "/dev/zero:1: longer than 67108864 bytes");
  EXPECT_FALSE(file.Next());
}

TEST_F(BulkFileTest, APayloadWithoutEndIsRefused) {
  std::string failure;
  EXPECT_FALSE(ReadAll("/dev/zero", failure, 1000000));
  EXPECT_THAT(failure, HasSubstr("cannot read /dev/zero: more than 1000000 bytes"));
  Write(std::string(100000, 'a'));
  failure.clear();
  EXPECT_FALSE(ReadAll(path_, failure, 99999));
  failure.clear();
  EXPECT_EQ(ReadAll(path_, failure, 100000)->size(), 100000U);
}

TEST_F(BulkFileTest, SaysWhyItCannotBeRead) {
  BulkFile missing(path_, defaults_);
  EXPECT_FALSE(missing.Next());
  EXPECT_THAT(missing.failure(), EndsWith("No such file or directory"));
  BulkFile folder(::testing::TempDir(), defaults_);
  EXPECT_FALSE(folder.Next());
  EXPECT_THAT(folder.failure(), EndsWith("Is a directory"));
}

TEST_F(BulkFileTest, AnEmptyFileHasNoJobs) {
  Write("");
  BulkFile file(path_, defaults_);
  EXPECT_FALSE(file.Next());
  EXPECT_EQ(file.failure(), "");
}

}  // namespace
}  // namespace workpool::cli
