#include "app/server_section.h"

#include <fmt/format.h>

#include "app/address.h"
#include "base/names.h"

namespace workpool {
namespace {

using std::chrono::hours;
using std::chrono::nanoseconds;

constexpr std::uint64_t kKiB = std::uint64_t{1} << 10;
constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

void ReadListen(TableReader& table, ServerSettings& server) {
  table.Text("listen", server.listen);
  table.Text("http", server.http);
  table.Flag("insecure", server.insecure);
  if (server.http.empty()) server.http = kHttpOff;
  const auto check = [&](std::string_view key, const std::string& address, bool allow_unix) {
    const auto fine = CheckListen(address, server.insecure, allow_unix);
    if (!fine) table.Complain(key, fine.error().message);
  };
  check("listen", server.listen, true);
  if (server.http != kHttpOff) check("http", server.http, false);
}

void ReadLimits(TableReader& table, ServerSettings& server) {
  table.Size("max_message", server.max_message, 64 * kKiB, kGiB);
  table.Size("max_payload", server.max_payload, 1, kGiB);
  table.Size("max_result", server.max_result, 1, kGiB);
  if (server.max_payload >= server.max_message) {
    table.Complain("max_payload", "must be less than max_message");
  }
  table.Table("stream_window", [&](TableReader& window) {
    window.Number("items", server.stream_window_items, 1, 1'000'000);
    window.Size("bytes", server.stream_window_bytes, 64 * kKiB, kGiB);
  });
}

void ReadLog(TableReader& table, LogSettings& log) {
  table.Choice<LogFormat>(
      "format", log.format,
      {{"auto", LogFormat::kAuto}, {"text", LogFormat::kText}, {"json", LogFormat::kJson}});
  table.Choice<LogLevel>("level", log.level,
                         {{"debug", LogLevel::kDebug},
                          {"info", LogLevel::kInfo},
                          {"warn", LogLevel::kWarn},
                          {"error", LogLevel::kError}});
}

}  // namespace

void ReadServer(TableReader& table, ServerSettings& server) {
  ReadListen(table, server);
  table.Duration("grace", server.grace, nanoseconds(0), hours(24));
  table.Choice<ShutdownMode>("shutdown", server.shutdown,
                             {{"drain", ShutdownMode::kDrain}, {"stop", ShutdownMode::kStop}});
  ReadLimits(table, server);
  table.Flag("builtin_handlers", server.builtin_handlers);
  table.Table("log", [&](TableReader& log) { ReadLog(log, server.log); });
}

void ReadStore(TableReader& table) {
  std::string kind = "memory";
  if (table.Text("kind", kind) && kind != "memory") {
    const bool later = kind == "disk" || kind == "postgres";
    table.Complain("kind",
                   fmt::format("\"{}\" is not {}; the only kind is \"memory\"", Printable(kind),
                               later ? "served by this version yet" : "a kind of store"));
  }
  table.Later({"path"});
}

}  // namespace workpool
