// Jobs, pools and the rest as JSON and as text for people.
#pragma once

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "workpool/client/job.h"
#include "workpool/client/pool.h"

namespace workpool::cli {

// Ids are decimal strings, instants RFC 3339 in UTC, durations seconds. Bytes are a string where
// they are valid UTF-8, else base64 under `<name>_base64`.
nlohmann::ordered_json JsonOf(const client::Job& job);
nlohmann::ordered_json JsonOf(const client::Pool& pool);
nlohmann::ordered_json JsonOf(const client::PoolStats& stats);
nlohmann::ordered_json JsonOf(const client::HandlerInfo& handler);
nlohmann::ordered_json JsonOf(const client::ServerInfo& info);

std::string InstantText(client::WallTime at);
// Rounded to three digits: "1.25s", "340us"; "-" for none.
std::string DurationText(const std::optional<std::chrono::nanoseconds>& duration);

std::string JobText(const client::Job& job);
std::string JobsTable(const std::vector<client::Job>& jobs);
std::string PoolsTable(const std::vector<client::Pool>& pools);
std::string HandlersTable(const std::vector<client::HandlerInfo>& handlers);
std::string InfoText(const client::ServerInfo& info);

// What a pool does just now: "serving", "paused", "draining", "removed", joined where several hold.
std::string StateOf(const client::Pool& pool);

}  // namespace workpool::cli
