// Options that several commands take.
#pragma once

#include <CLI/App.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exit_status.h"
#include "output.h"
#include "workpool/client/options.h"
#include "workpool/client/work.h"

namespace workpool::cli {

// What a parsed command line asks for.
using Action = std::function<Exit()>;

// What every command is made with; the command sets `action` when it was chosen.
struct Frame {
  CLI::App& app;
  const Session& session;
  Action& action;
};

// A duration such as "30s"; anything else is a usage error that names the option and the rule.
CLI::Option* AddDuration(CLI::App& command, const std::string& name,
                         std::optional<std::chrono::nanoseconds>& target,
                         const std::string& description);

// The fields of a post but its handler and payload.
void AddWorkOptions(CLI::App& command, client::Work& work);

// A usage error if it has a bound on the wait for room and says not to wait for room.
void CheckRoomWait(const client::Work& work);

// Checks a job id given on the command line.
CLI::Option* AddIds(CLI::App& command, std::vector<std::uint64_t>& ids, bool many);

// A whole number within bounds; anything else is a usage error that names the option and the rule.
CLI::Option* AddNumber(CLI::App& command, const std::string& name,
                       std::function<void(std::uint64_t)> set, std::uint64_t min, std::uint64_t max,
                       const std::string& description);

// Empty for "host:port", "[v6]:port" or "unix:path"; else the rule.
std::string CheckServer(const std::string& server);

client::ClientOptions OptionsOf(const Session& session);

// The largest payload that any daemon can be configured to take.
inline constexpr std::size_t kMaxPayload = std::size_t{1} << 30U;

// All of a file, or of standard input for "-". A failure is the system's reason, or that there are
// more than `max_bytes`, of which then not many more are read.
std::optional<std::string> ReadAll(const std::string& path, std::string& failure,
                                   std::size_t max_bytes = kMaxPayload);

}  // namespace workpool::cli
