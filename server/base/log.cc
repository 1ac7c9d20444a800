#include "base/log.h"

#include <atomic>

namespace workpool {
namespace {

std::atomic<LogSink*> g_sink{nullptr};

}  // namespace

LogSink* SetLogSink(LogSink* sink) { return g_sink.exchange(sink, std::memory_order_acq_rel); }

bool LogEnabled(LogLevel level) {
  const LogSink* sink = g_sink.load(std::memory_order_acquire);
  return sink != nullptr && sink->Enabled(level);
}

void Log(LogLevel level, std::string_view message, std::initializer_list<LogField> fields) {
  LogSink* sink = g_sink.load(std::memory_order_acquire);
  if (sink != nullptr && sink->Enabled(level)) sink->Write(level, message, fields);
}

}  // namespace workpool
