#include "app/table_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/names.h"
#include "base/units.h"

namespace workpool {
namespace {

Position PositionOf(const toml::source_region& region) {
  return {region.begin.line, region.begin.column};
}

std::string_view TypeName(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table: return "a table";
    case toml::node_type::array: return "an array";
    case toml::node_type::string: return "a string";
    case toml::node_type::integer: return "an integer";
    case toml::node_type::floating_point: return "a float";
    case toml::node_type::boolean: return "a boolean";
    case toml::node_type::date:
    case toml::node_type::time:
    case toml::node_type::date_time: return "a date or time";
    case toml::node_type::none: break;
  }
  return "nothing";
}

bool IsBareKey(std::string_view key) {
  return !key.empty() && std::ranges::all_of(key, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

std::string Suggestion(std::string_view word, const std::vector<std::string_view>& candidates) {
  const std::string_view near =
      Nearest(word, candidates.data(), candidates.data() + candidates.size());
  return near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near);
}

}  // namespace

TableReader::TableReader(const toml::table& table, std::string path, Problems& problems)
    : table_(table), path_(std::move(path)), problems_(problems) {}

Position TableReader::Where(std::string_view key) const {
  const toml::node* node = table_.get(key);
  return node == nullptr ? Where() : PositionOf(node->source());
}

Position TableReader::Where() const { return PositionOf(table_.source()); }

std::string TableReader::NameOf(std::string_view key) const {
  const std::string quoted =
      IsBareKey(key) ? std::string(key) : fmt::format("\"{}\"", Printable(key));
  return path_.empty() ? quoted : fmt::format("{}.{}", path_, quoted);
}

void TableReader::Complain(std::string_view key, std::string_view what) {
  problems_.Add(Where(key), fmt::format("{}: {}", NameOf(key), what));
}

void TableReader::WrongType(std::string_view key, std::string_view wanted) {
  Complain(key, fmt::format("is {}, must be {}", TypeName(*table_.get(key)), wanted));
}

std::string TableReader::NotOneOf(std::string_view word,
                                  const std::vector<std::string_view>& words) {
  return fmt::format("\"{}\" is not one of \"{}\"{}", Printable(word), fmt::join(words, "\", \""),
                     Suggestion(word, words));
}

const toml::node* TableReader::Raw(std::string_view key) {
  known_.push_back(key);
  return table_.get(key);
}

bool TableReader::Text(std::string_view key, std::string& out) {
  const toml::node* node = Raw(key);
  if (node == nullptr) return false;
  if (!node->is_string()) return WrongType(key, "a string"), false;
  const std::string& text = node->as_string()->get();
  if (text.find('\0') != std::string::npos) return Complain(key, "holds a NUL"), false;
  out = text;
  return true;
}

bool TableReader::Flag(std::string_view key, bool& out) {
  const toml::node* node = Raw(key);
  if (node == nullptr) return false;
  if (!node->is_boolean()) return WrongType(key, "true or false"), false;
  out = node->as_boolean()->get();
  return true;
}

bool TableReader::Number(std::string_view key, std::uint64_t& out, std::uint64_t min,
                         std::uint64_t max) {
  const toml::node* node = Raw(key);
  if (node == nullptr) return false;
  if (!node->is_integer()) {
    return WrongType(key, fmt::format("a whole number from {} to {}", min, max)), false;
  }
  const std::int64_t value = node->as_integer()->get();
  if (value < 0 || std::cmp_less(value, min) || std::cmp_greater(value, max)) {
    return Complain(key, fmt::format("{} is not from {} to {}", value, min, max)), false;
  }
  out = static_cast<std::uint64_t>(value);
  return true;
}

bool TableReader::Duration(std::string_view key, std::chrono::nanoseconds& out,
                           std::chrono::nanoseconds min, std::chrono::nanoseconds max) {
  std::string text;
  if (table_.contains(key) && !table_.get(key)->is_string()) {
    known_.push_back(key);
    return WrongType(key, "a duration such as \"30s\""), false;
  }
  if (!Text(key, text)) return false;
  const auto value = ParseDuration(text);
  if (!value) return Complain(key, value.error().message), false;
  if (*value < min || *value > max) {
    return Complain(key, fmt::format("\"{}\" is not from {} to {}", text, FormatDuration(min),
                                     FormatDuration(max))),
           false;
  }
  out = *value;
  return true;
}

bool TableReader::Size(std::string_view key, std::uint64_t& out, std::uint64_t min,
                       std::uint64_t max) {
  std::string text;
  if (table_.contains(key) && !table_.get(key)->is_string()) {
    known_.push_back(key);
    return WrongType(key, "a size such as \"64KiB\""), false;
  }
  if (!Text(key, text)) return false;
  const auto value = ParseSize(text);
  if (!value) return Complain(key, value.error().message), false;
  if (*value < min || *value > max) {
    return Complain(key, fmt::format("\"{}\" is not from {} to {}", text, FormatSize(min),
                                     FormatSize(max))),
           false;
  }
  out = *value;
  return true;
}

bool TableReader::Texts(std::string_view key, std::vector<std::string>& out) {
  const toml::node* node = Raw(key);
  if (node == nullptr) return false;
  if (!node->is_array()) return WrongType(key, "an array of strings"), false;
  std::vector<std::string> texts;
  for (const toml::node& item : *node->as_array()) {
    const bool fine = item.is_string() && item.as_string()->get().find('\0') == std::string::npos;
    if (!fine) {
      problems_.Add(PositionOf(item.source()),
                    fmt::format("{}: holds {}, must be an array of strings without NUL",
                                NameOf(key), TypeName(item)));
      return false;
    }
    texts.push_back(item.as_string()->get());
  }
  out = std::move(texts);
  return true;
}

void TableReader::Table(std::string_view key, const std::function<void(TableReader&)>& read) {
  const toml::node* node = Raw(key);
  if (node == nullptr) return;
  if (!node->is_table()) return WrongType(key, "a table");
  TableReader reader(*node->as_table(), NameOf(key), problems_);
  read(reader);
  reader.Finish();
}

void TableReader::EachTable(const std::function<void(std::string_view, TableReader&)>& read) {
  for (const auto& [key, node] : table_) {
    known_.push_back(key.str());
    if (!node.is_table()) {
      WrongType(key.str(), "a table");
      continue;
    }
    TableReader reader(*node.as_table(), NameOf(key.str()), problems_);
    read(key.str(), reader);
    reader.Finish();
  }
}

void TableReader::EachText(const std::function<void(std::string_view, const std::string&)>& read) {
  for (const auto& [key, node] : table_) {
    std::string text;
    if (Text(key.str(), text)) read(key.str(), text);
  }
}

void TableReader::Later(std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (Raw(key) != nullptr) Complain(key, "is not served by this version yet");
  }
}

void TableReader::Finish() {
  for (const auto& [key, node] : table_) {
    if (std::ranges::find(known_, key.str()) != known_.end()) continue;
    problems_.Add(PositionOf(key.source()), fmt::format("{}: unknown key{}", NameOf(key.str()),
                                                        Suggestion(key.str(), known_)));
  }
}

}  // namespace workpool
