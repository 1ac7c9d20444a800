// The logging front: what the floors below `app` use to say something, without knowing spdlog.
// `app` installs a sink; until then messages are dropped. Thread safe; a sink must not block for
// long and must not throw.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>

namespace workpool {

enum class LogLevel { kDebug, kInfo, kWarn, kError };

// A named value beside the message: a column for a collector, `name=value` for people.
struct LogField {
  std::string_view name;
  std::variant<std::string_view, std::int64_t, std::uint64_t, double, bool> value;
};

class LogSink {
 public:
  virtual ~LogSink() = default;
  virtual bool Enabled(LogLevel level) const = 0;
  virtual void Write(LogLevel level, std::string_view message,
                     std::initializer_list<LogField> fields) = 0;
};

// The sink must outlive every call of Log; nullptr removes it. Returns the one before.
LogSink* SetLogSink(LogSink* sink);

// Whether a message of that level would be written: for who counts those that are.
bool LogEnabled(LogLevel level);

void Log(LogLevel level, std::string_view message, std::initializer_list<LogField> fields = {});

}  // namespace workpool
