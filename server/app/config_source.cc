#include "app/config_source.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "app/address.h"

namespace workpool {
namespace {

Result<void> Override(std::string_view option, const std::optional<std::string>& value,
                      const ServerSettings& server, std::string& setting) {
  if (!value) return {};
  const bool is_http = &setting == &server.http;
  setting = value->empty() && is_http ? kHttpOff : *value;
  if (is_http && setting == kHttpOff) return {};
  const auto fine = CheckListen(setting, server.insecure, !is_http);
  if (fine) return {};
  return Fail(ErrorCode::kBadConfig, fmt::format("{}: {}", option, fine.error().message));
}

}  // namespace

ConfigSource::ConfigSource(Options options, KnownHandlers known)
    : options_(std::move(options)), known_(std::move(known)) {}

Result<Config> ConfigSource::Load() const {
  Result<Config> config =
      file().empty() ? Result<Config>(DefaultConfig()) : ReadConfigFile(file(), known_);
  if (!config) return config;
  ServerSettings& server = config->server;
  for (const auto& applied : {Override("--listen", options_.listen, server, server.listen),
                              Override("--http", options_.http, server, server.http)}) {
    if (!applied) return std::unexpected(applied.error());
  }
  return config;
}

}  // namespace workpool
