#include "app/config_printer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <utility>

#include "app/log_format.h"
#include "app/pool_section.h"
#include "base/units.h"

namespace workpool {
namespace {

constexpr const char* kBuiltinKey = "builtin_handlers";

// A TOML basic string.
std::string Quote(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      quoted += fmt::format("\\u{:04X}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string Quote(std::chrono::nanoseconds duration) { return Quote(FormatDuration(duration)); }

std::string QuoteSize(std::uint64_t bytes) { return Quote(FormatSize(bytes)); }

std::string_view NameOf(LogFormat format) {
  switch (format) {
    case LogFormat::kAuto: return "auto";
    case LogFormat::kText: return "text";
    case LogFormat::kJson: return "json";
  }
  return "auto";
}

class Printer {
 public:
  void Section(std::string_view name) {
    text_ += fmt::format("{}[{}]\n", text_.empty() ? "" : "\n", name);
  }
  template <typename T>
  void Key(std::string_view name, const T& value) {
    text_ += fmt::format("{} = {}\n", name, value);
  }
  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
};

using Keys = std::vector<std::pair<std::string, std::string>>;

Keys KeysOf(const ServerSettings& server) {
  const auto flag = [](bool value) { return value ? "true" : "false"; };
  return {
      {"listen", Quote(server.listen)},
      {"http", Quote(server.http)},
      {"insecure", flag(server.insecure)},
      {"grace", Quote(server.grace)},
      {"shutdown", Quote(server.shutdown == ShutdownMode::kDrain ? "drain" : "stop")},
      {"max_message", QuoteSize(server.max_message)},
      {"max_payload", QuoteSize(server.max_payload)},
      {"max_result", QuoteSize(server.max_result)},
      {"stream_window", fmt::format("{{ items = {}, bytes = {} }}", server.stream_window_items,
                                    QuoteSize(server.stream_window_bytes))},
      {kBuiltinKey, flag(server.builtin_handlers)},
      {"log", fmt::format("{{ format = \"{}\", level = \"{}\" }}", NameOf(server.log.format),
                          NameOf(server.log.level))},
  };
}

void Print(Printer& printer, const ServerSettings& server) {
  printer.Section("server");
  for (const auto& [name, value] : KeysOf(server)) printer.Key(name, value);
}

std::string RetentionTable(const Retention& keep) {
  return fmt::format("{{ age = {}, jobs = {}, bytes = {} }}", Quote(keep.age), keep.jobs,
                     QuoteSize(keep.bytes));
}

void Print(Printer& printer, const PoolSettings& pool, double cores) {
  const bool plain = pool.workers.fixed > 0 || pool.workers.sizing != Sizing::kFixed;
  const std::string remark = plain ? "" : fmt::format("  # {} here", pool.workers.Resolve(cores));
  printer.Section("pools." + Quote(pool.name));
  printer.Key("workers", FormatWorkers(pool.workers) + remark);
  printer.Key("capacity", pool.capacity);
  printer.Key("capacity_bytes", QuoteSize(pool.capacity_bytes));
  printer.Key("when_full", Quote(pool.when_full == WhenFull::kReject ? "reject" : "wait"));
  printer.Key("max_wait", Quote(pool.max_wait));
  printer.Key("max_waiting", pool.max_waiting);
  printer.Key("keep", RetentionTable(pool.keep.finished));
  printer.Key("keep_dead", RetentionTable(pool.keep.dead));
}

void PrintCommand(Printer& printer, const HandlerSettings& handler) {
  std::vector<std::string> words;
  for (const std::string& word : handler.exec) words.push_back(Quote(word));
  printer.Key("exec", fmt::format("[{}]", fmt::join(words, ", ")));
  if (!handler.cwd.empty()) printer.Key("cwd", Quote(handler.cwd));
  std::vector<std::string> variables;
  for (const auto& [name, value] : handler.env) {
    variables.push_back(fmt::format("{} = {}", Quote(name), Quote(value)));
  }
  if (!variables.empty()) printer.Key("env", fmt::format("{{ {} }}", fmt::join(variables, ", ")));
  printer.Key("no_retry_exit", handler.no_retry_exit);
}

void Print(Printer& printer, const HandlerSettings& handler) {
  printer.Section("handlers." + Quote(handler.name));
  printer.Key("pool", Quote(handler.pool));
  if (!handler.exec.empty()) PrintCommand(printer, handler);
  printer.Key("timeout", Quote(handler.timeout));
  printer.Key("kill_grace", Quote(handler.kill_grace));
  printer.Key("max_active", handler.max_active);
}

}  // namespace

std::string PrintConfig(const Config& config, double cores) {
  Printer printer;
  Print(printer, config.server);
  printer.Section("store");
  printer.Key("kind", Quote("memory"));
  for (const PoolSettings& pool : config.pools) Print(printer, pool, cores);
  for (const HandlerSettings& handler : config.handlers) Print(printer, handler);
  return printer.Take();
}

std::vector<std::string> ServerChanges(const ServerSettings& running,
                                       const ServerSettings& wanted) {
  const Keys before = KeysOf(running);
  const Keys after = KeysOf(wanted);
  std::vector<std::string> changes;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto& [name, value] = before[i];
    if (name == kBuiltinKey || value == after[i].second) continue;
    changes.push_back(fmt::format("server.{}: {} -> {}", name, value, after[i].second));
  }
  return changes;
}

}  // namespace workpool
