#include "bulk_line.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "base/bounds.h"
#include "base/names.h"
#include "base/units.h"
#include "base64.h"

namespace workpool::cli {

namespace {

using Json = nlohmann::json;
using Failure = std::optional<std::string>;

// So that a line of brackets cannot exhaust the stack.
constexpr int kMaxDepth = 200;

std::string Rule(std::string_view key, std::string_view rule) {
  return fmt::format("\"{}\" must be {}", key, rule);
}

Failure SetText(std::string& target, std::string_view key, const Json& value) {
  if (!value.is_string()) return Rule(key, "a string");
  target = value.get_ref<const std::string&>();
  return {};
}

Failure SetPool(client::Work& work, const Json& value) {
  if (auto failure = SetText(work.pool, "pool", value)) return failure;
  if (const auto named = CheckName("pool", work.pool); !named) return named.error().message;
  return {};
}

Failure SetBase64(client::Work& work, const Json& value) {
  auto bytes = value.is_string() ? FromBase64(value.get_ref<const std::string&>()) : std::nullopt;
  if (!bytes) return Rule("payload_base64", "a string in base64, with its padding");
  work.payload = std::move(*bytes);
  return {};
}

Failure SetPriority(client::Work& work, const Json& value) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > 9) {
    return Rule("priority", "a whole number from 0 to 9");
  }
  work.priority = value.get<std::uint32_t>();
  return {};
}

Failure SetWeight(client::Work& work, const Json& value) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() < 1 ||
      value.get<std::uint64_t>() > kMaxWorkers) {
    return Rule("weight", fmt::format("a whole number from 1 to {}", kMaxWorkers));
  }
  work.weight = value.get<std::uint32_t>();
  return {};
}

Failure SetDuration(std::optional<std::chrono::nanoseconds>& target, std::string_view key,
                    const Json& value) {
  if (!value.is_string()) return Rule(key, "a string such as \"30s\"");
  const auto duration = ParseDuration(value.get_ref<const std::string&>());
  if (!duration) return fmt::format("\"{}\": {}", key, duration.error().message);
  target = *duration;
  return {};
}

Failure SetWhenFull(client::Work& work, const Json& value) {
  if (value == "reject") {
    work.when_full = client::WhenFull::kReject;
  } else if (value == "wait") {
    work.when_full = client::WhenFull::kWait;
  } else {
    return Rule("when_full", "\"reject\" or \"wait\"");
  }
  return {};
}

Failure SetMetadata(client::Work& work, const Json& value) {
  if (!value.is_object()) return Rule("metadata", "an object of strings");
  work.metadata.clear();
  for (const auto& [key, text] : value.items()) {
    if (!text.is_string()) return Rule("metadata", "an object of strings");
    work.metadata[key] = text.get_ref<const std::string&>();
  }
  return {};
}

struct Key {
  std::string_view name;
  Failure (*set)(client::Work&, const Json&);
};

constexpr std::array<Key, 12> kKeys = {{
    {"payload",
     [](client::Work& work, const Json& value) { return SetText(work.payload, "payload", value); }},
    {"payload_base64", SetBase64},
    {"payload_json",
     [](client::Work& work, const Json& value) {
       work.payload = value.dump();
       return Failure();
     }},
    {"pool", SetPool},
    {"priority", SetPriority},
    {"weight", SetWeight},
    {"timeout", [](client::Work& work,
                   const Json& value) { return SetDuration(work.timeout, "timeout", value); }},
    {"caller",
     [](client::Work& work, const Json& value) { return SetText(work.caller, "caller", value); }},
    {"content_type",
     [](client::Work& work, const Json& value) {
       return SetText(work.content_type, "content_type", value);
     }},
    {"metadata", SetMetadata},
    {"when_full", SetWhenFull},
    {"wait_timeout",
     [](client::Work& work, const Json& value) {
       return SetDuration(work.wait_timeout, "wait_timeout", value);
     }},
}};

Failure SetKey(client::Work& work, const std::string& name, const Json& value) {
  std::array<std::string_view, kKeys.size()> names;
  for (std::size_t i = 0; i < kKeys.size(); ++i) {
    if (kKeys[i].name == name) return kKeys[i].set(work, value);
    names[i] = kKeys[i].name;
  }
  const std::string_view near = Nearest(name, names.begin(), names.end());
  return fmt::format("unknown key \"{}\"{}", Printable(name),
                     near.empty() ? "" : fmt::format(", did you mean \"{}\"?", near));
}

// Parses `line`, and notes a key that stands twice in the outer object or brackets too deep.
Json ParseStrictly(std::string_view line, Failure& failure) {
  std::set<std::string> seen;
  const auto look = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > kMaxDepth && !failure) failure = fmt::format("nested deeper than {}", kMaxDepth);
    if (depth == 1 && event == Json::parse_event_t::key && !failure &&
        !seen.insert(parsed.get<std::string>()).second) {
      failure = fmt::format("\"{}\" stands twice", Printable(parsed.get<std::string>()));
    }
    return depth <= kMaxDepth;
  };
  try {
    return Json::parse(line, look);
  } catch (const Json::parse_error& error) {
    failure = fmt::format("not valid JSON at column {}", error.byte);
  } catch (const Json::exception&) {
    failure = "a number is out of range";
  }
  return {};
}

}  // namespace

std::expected<client::Work, std::string> ParseBulkLine(std::string_view line,
                                                       const client::Work& defaults) {
  Failure failure;
  const Json json = ParseStrictly(line, failure);
  if (!failure && !json.is_object()) failure = "must be a JSON object";
  if (failure) return std::unexpected(*failure);
  client::Work work = defaults;
  int payloads = 0;
  for (const auto& [name, value] : json.items()) {
    if (auto wrong = SetKey(work, name, value)) return std::unexpected(*wrong);
    payloads += name.starts_with("payload") ? 1 : 0;
  }
  if (payloads > 1) {
    return std::unexpected("only one of payload, payload_base64 and payload_json may be given");
  }
  if (json.contains("wait_timeout") && work.when_full == client::WhenFull::kReject) {
    return std::unexpected(
        R"("wait_timeout" does not go with "when_full": "reject" or --when-full reject)");
  }
  if (const auto checked = client::CheckWork(work); !checked) {
    return std::unexpected(checked.error().message);
  }
  return work;
}

}  // namespace workpool::cli
