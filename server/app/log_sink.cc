#include "app/log_sink.h"

#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <unistd.h>

#include <string>

#include "app/log_format.h"

namespace workpool {
namespace {

using StreamSink = spdlog::sinks::stdout_sink_base<spdlog::details::console_mutex>;

bool WantsJson(LogFormat format, std::FILE* stream) {
  if (format != LogFormat::kAuto) return format == LogFormat::kJson;
  return isatty(fileno(stream)) == 0;
}

class SpdlogSink final : public LogSink {
 public:
  SpdlogSink(const LogSettings& settings, std::FILE* stream)
      : level_(settings.level),
        json_(WantsJson(settings.format, stream)),
        logger_("workpoold", std::make_shared<StreamSink>(stream)) {
    logger_.set_level(spdlog::level::trace);
    if (json_) {
      logger_.set_pattern(R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ",%v})", spdlog::pattern_time_type::utc);
    } else {
      logger_.set_pattern("%Y-%m-%d %H:%M:%S.%e %v");
    }
  }

  bool Enabled(LogLevel level) const override { return level >= level_; }

  void Write(LogLevel level, std::string_view message, LogFields fields) override {
    const std::string line =
        json_ ? fmt::format("\"level\":\"{}\",{}", NameOf(level), FormatLogJson(message, fields))
              : fmt::format("{:5} {}", NameOf(level), FormatLogText(message, fields));
    logger_.info(spdlog::string_view_t(line));
  }

 private:
  const LogLevel level_;
  const bool json_;
  spdlog::logger logger_;  // synchronises itself
};

}  // namespace

std::unique_ptr<LogSink> MakeLogSink(const LogSettings& settings, std::FILE* stream) {
  return std::make_unique<SpdlogSink>(settings, stream);
}

ScopedLog::ScopedLog(const LogSettings& settings, std::FILE* stream)
    : sink_(MakeLogSink(settings, stream)), before_(SetLogSink(sink_.get())) {}

ScopedLog::~ScopedLog() { SetLogSink(before_); }

}  // namespace workpool
