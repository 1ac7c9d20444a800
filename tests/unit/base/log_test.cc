#include "base/log.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace workpool {
namespace {

class RecordingSink final : public LogSink {
 public:
  bool Enabled(LogLevel level) const override { return level >= LogLevel::kWarn; }
  void Write(LogLevel, std::string_view message, std::initializer_list<LogField> fields) override {
    lines.push_back(std::string(message) + "/" + std::to_string(fields.size()));
  }
  std::vector<std::string> lines;
};

TEST(Log, GoesToTheSinkThatIsInstalledAndEnabled) {
  RecordingSink sink;
  Log(LogLevel::kError, "before");
  EXPECT_EQ(SetLogSink(&sink), nullptr);
  Log(LogLevel::kInfo, "too low");
  Log(LogLevel::kError, "failed", {{"job", std::uint64_t{7}}, {"pool", std::string_view("p")}});
  EXPECT_EQ(SetLogSink(nullptr), &sink);
  Log(LogLevel::kError, "after");
  EXPECT_EQ(sink.lines, std::vector<std::string>{"failed/2"});
}

}  // namespace
}  // namespace workpool
