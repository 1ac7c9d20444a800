#include "app/config_reader.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>
#include <vector>

#include "app/handler_section.h"
#include "app/key_depth.h"
#include "app/pool_section.h"
#include "app/problems.h"
#include "app/server_section.h"
#include "app/table_reader.h"

namespace workpool {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{1} << 20;

Config ReadSections(const toml::table& file, const KnownHandlers& known, Problems& problems) {
  Config config;
  TableReader reader(file, "", problems);
  reader.Table("server", [&](TableReader& table) { ReadServer(table, config.server); });
  reader.Table("store", ReadStore);
  reader.Table("pools", [&](TableReader& table) { config.pools = ReadPools(table); });
  if (config.pools.empty()) config.pools = DefaultConfig().pools;
  reader.Table("handlers",
               [&](TableReader& table) { config.handlers = ReadHandlers(table, config, known); });
  reader.Finish();
  return config;
}

std::unexpected<Error> SystemFailure(const std::string& file, int error) {
  return Fail(ErrorCode::kBadConfig,
              fmt::format("{}: cannot be read: {}", file, std::generic_category().message(error)));
}

}  // namespace

Result<Config> ParseConfig(std::string_view text, const std::string& file,
                           const KnownHandlers& known) {
  Problems problems;
  if (const auto deep = FindDeepKey(text)) {
    problems.Add(*deep, fmt::format("a key has at most {} parts with dots between", kMaxKeyParts));
    return Fail(ErrorCode::kBadConfig, problems.Format(file));
  }
  Config config;
  try {
    config = ReadSections(toml::parse(text), known, problems);
  } catch (const toml::parse_error& error) {
    const auto& at = error.source().begin;
    problems.Add({at.line, at.column}, fmt::format("no TOML: {}", error.description()));
  }
  if (!problems.empty()) return Fail(ErrorCode::kBadConfig, problems.Format(file));
  return config;
}

Result<Config> ReadConfigFile(const std::string& file, const KnownHandlers& known) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "re"),
                                                               &std::fclose);
  if (stream == nullptr) return SystemFailure(file, errno);
  std::string text(kMaxFileBytes + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), stream.get()));
  if (std::ferror(stream.get()) != 0) return SystemFailure(file, errno);
  if (text.size() > kMaxFileBytes) {
    return Fail(ErrorCode::kBadConfig, fmt::format("{}: is over 1 MiB, no config file", file));
  }
  return ParseConfig(text, file, known);
}

}  // namespace workpool
