// The daemon's log: one line a message, on one stream, as text or JSON. The only place that sees
// spdlog.
#pragma once

#include <cstdio>
#include <memory>

#include "app/config.h"
#include "base/log.h"

namespace workpool {

// `stream` must outlive the sink. kAuto is text on a terminal and JSON elsewhere. Each line is
// flushed; a reader that does not read holds up whoever logs.
std::unique_ptr<LogSink> MakeLogSink(const LogSettings& settings, std::FILE* stream);

// Makes a sink the process's log while it is in scope.
class ScopedLog {
 public:
  ScopedLog(const LogSettings& settings, std::FILE* stream);
  ~ScopedLog();
  ScopedLog(const ScopedLog&) = delete;
  ScopedLog& operator=(const ScopedLog&) = delete;

 private:
  std::unique_ptr<LogSink> sink_;
  LogSink* before_;
};

}  // namespace workpool
