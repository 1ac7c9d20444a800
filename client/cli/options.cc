#include "options.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/un.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <new>

#include "base/bounds.h"
#include "base/names.h"
#include "base/units.h"

namespace workpool::cli {

namespace {

[[noreturn]] void Wrong(const std::string& option, const std::string& rule) {
  throw CLI::ValidationError(option, rule);
}

template <typename Number>
std::optional<Number> NumberIn(std::string_view text) {
  Number number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

bool IsHost(std::string_view host) {
  return !host.empty() && host.size() <= 253 && std::ranges::all_of(host, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_';
  });
}

bool IsV6(const std::string& host) {
  in6_addr address{};
  // "%eth0" may follow: it says where a link-local address is.
  return inet_pton(AF_INET6, host.substr(0, host.find('%')).c_str(), &address) == 1;
}

bool IsHostAndPort(std::string_view server) {
  const std::size_t colon = server.rfind(':');
  if (colon == std::string_view::npos) return false;
  const auto port = NumberIn<std::uint16_t>(server.substr(colon + 1));
  const std::string_view host = server.substr(0, colon);
  const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  return port && *port > 0 &&
         (bracketed ? IsV6(std::string(host.substr(1, host.size() - 2))) : IsHost(host));
}

bool IsUnixAddress(std::string_view server) {
  constexpr std::string_view kPrefix = "unix:";
  return server.starts_with(kPrefix) && server.size() > kPrefix.size() &&
         server.size() - kPrefix.size() < sizeof(sockaddr_un::sun_path);
}

// False if that failed; `bytes` may hold a block more than `max_bytes`.
bool ReadInto(std::string& bytes, std::FILE* file, std::size_t max_bytes) {
  std::array<char, 65536> block;
  while (bytes.size() <= max_bytes) {
    const std::size_t got = std::fread(block.data(), 1, block.size(), file);
    if (got == 0) break;
    bytes.append(block.data(), got);
  }
  return std::ferror(file) == 0;
}

void AddMetadata(client::Work& work, const std::string& pair) {
  const std::size_t equals = pair.find('=');
  if (equals == std::string::npos || equals == 0) {
    Wrong("--meta", fmt::format("\"{}\" must be key=value", Printable(pair)));
  }
  work.metadata[pair.substr(0, equals)] = pair.substr(equals + 1);
}

void SetWhenFull(client::Work& work, const std::string& word) {
  if (word == "reject") {
    work.when_full = client::WhenFull::kReject;
  } else if (word == "wait") {
    work.when_full = client::WhenFull::kWait;
  } else {
    Wrong("--when-full", fmt::format("\"{}\" must be reject or wait", Printable(word)));
  }
}

}  // namespace

CLI::Option* AddDuration(CLI::App& command, const std::string& name,
                         std::optional<std::chrono::nanoseconds>& target,
                         const std::string& description) {
  return command
      .add_option_function<std::string>(
          name,
          [&target, name](const std::string& text) {
            const auto duration = ParseDuration(text);
            if (!duration) Wrong(name, duration.error().message);
            target = *duration;
          },
          description)
      ->type_name("DURATION");
}

CLI::Option* AddNumber(CLI::App& command, const std::string& name,
                       std::function<void(std::uint64_t)> set, std::uint64_t min, std::uint64_t max,
                       const std::string& description) {
  return command
      .add_option_function<std::string>(
          name,
          [name, set = std::move(set), min, max](const std::string& text) {
            const auto number = NumberIn<std::uint64_t>(text);
            if (!number || *number < min || *number > max) {
              Wrong(name, fmt::format("\"{}\" must be a whole number from {} to {}",
                                      Printable(text), min, max));
            }
            set(*number);
          },
          description)
      ->type_name(fmt::format("{}..{}", min, max));
}

void AddWorkOptions(CLI::App& command, client::Work& work) {
  command.add_option("--pool", work.pool, "the pool (default: the handler's)");
  command
      .add_option_function<std::string>(
          "--priority",
          [&work](const std::string& text) {
            const auto priority = NumberIn<std::uint32_t>(text);
            if (!priority || *priority > 9) {
              Wrong("--priority", fmt::format("\"{}\" must be 0 to 9", Printable(text)));
            }
            work.priority = *priority;
          },
          "0 to 9, 9 is most urgent (default 5)")
      ->type_name("0..9");
  AddNumber(
      command, "--weight",
      [&work](std::uint64_t weight) { work.weight = static_cast<std::uint32_t>(weight); }, 1,
      kMaxWorkers, "how many of the pool's workers the job takes (default 1)");
  AddDuration(command, "--timeout", work.timeout, "bound on the handler's run");
  command.add_option("--caller", work.caller, "who posts, for the daemon's logs");
  command.add_option("--content-type", work.content_type, "media type of the payload");
  command
      .add_option_function<std::vector<std::string>>(
          "--meta",
          [&work](const std::vector<std::string>& pairs) {
            for (const std::string& pair : pairs) AddMetadata(work, pair);
          },
          "a key=value pair for the handler; may be repeated")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command
      .add_option_function<std::string>(
          "--when-full", [&work](const std::string& word) { SetWhenFull(work, word); },
          "what a full pool does with the post (default: its own setting)")
      ->type_name("reject|wait");
  AddDuration(command, "--wait-timeout", work.wait_timeout,
              "longest wait for room, where the pool or --when-full says to wait");
}

void CheckRoomWait(const client::Work& work) {
  if (!work.wait_timeout || work.when_full != client::WhenFull::kReject) return;
  Wrong("--wait-timeout", "bounds the wait for room, so it does not go with --when-full reject");
}

CLI::Option* AddIds(CLI::App& command, std::vector<std::uint64_t>& ids, bool many) {
  return command
      .add_option_function<std::vector<std::string>>(
          many ? "ids" : "id",
          [&ids](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) {
              const auto id = NumberIn<std::uint64_t>(text);
              if (!id || *id == 0 || *id >> 63U != 0) {
                Wrong("id", fmt::format("\"{}\" must be a whole number from 1 to 2^63-1",
                                        Printable(text)));
              }
              ids.push_back(*id);
            }
          },
          many ? "the jobs' ids" : "the job's id")
      ->expected(1, many ? 1'000'000 : 1)
      ->type_name("ID");
}

std::string CheckServer(const std::string& server) {
  if (IsUnixAddress(server) || IsHostAndPort(server)) return "";
  return fmt::format("\"{}\" must be HOST:PORT, [V6]:PORT or unix:PATH, the port from 1 to 65535",
                     Printable(server));
}

client::ClientOptions OptionsOf(const Session& session) {
  client::ClientOptions options;
  options.server = session.server;
  return options;
}

std::optional<std::string> ReadAll(const std::string& path, std::string& failure,
                                   std::size_t max_bytes) {
  std::FILE* const file = path == "-" ? stdin : std::fopen(path.c_str(), "rbe");
  std::string bytes;
  try {
    if (file == nullptr || !ReadInto(bytes, file, max_bytes)) failure = std::strerror(errno);
  } catch (const std::bad_alloc&) {
    failure = "it does not fit into memory";
  }
  if (bytes.size() > max_bytes) {
    failure = fmt::format("more than {} bytes, the largest payload there can be", max_bytes);
  }
  if (file != nullptr && file != stdin) std::fclose(file);
  if (failure.empty()) return bytes;
  failure = fmt::format("cannot read {}: {}", Clean(path), failure);
  return std::nullopt;
}

}  // namespace workpool::cli
