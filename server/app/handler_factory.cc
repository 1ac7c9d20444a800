#include "app/handler_factory.h"

#include <utility>

#include "handlers/builtin.h"
#include "handlers/command.h"

namespace workpool {
namespace {

PoolConfig ConvertPool(const PoolSettings& pool, double cores) {
  PoolConfig converted;
  converted.name = pool.name;
  converted.limits = {.workers = pool.workers.Resolve(cores),
                      .capacity = pool.capacity,
                      .capacity_bytes = pool.capacity_bytes,
                      .max_waiting = pool.max_waiting};
  converted.sizing = pool.workers.sizing;
  converted.min_workers = pool.workers.min;
  converted.first_workers = Workers{}.Resolve(cores);  // the default of a fixed size
  converted.idle = pool.workers.idle;
  converted.when_full = pool.when_full;
  converted.max_wait = pool.max_wait;
  converted.keep = pool.keep;
  return converted;
}

// What exists without the config: built-in handlers, and over them the program's own.
std::map<std::string, HandlerConfig> HandlersInCode(
    bool builtin, Sleeper& sleeper, const std::map<std::string, std::shared_ptr<Handler>>& cpp) {
  std::map<std::string, HandlerConfig> handlers;
  if (builtin) {
    for (HandlerConfig& handler : BuiltinHandlers(sleeper)) {
      const std::string name = handler.name;
      handlers[name] = std::move(handler);
    }
  }
  for (const auto& [name, code] : cpp) {
    HandlerConfig handler;
    handler.name = name;
    handler.kind = HandlerKind::kCpp;
    handler.handler = code;
    handlers[name] = std::move(handler);
  }
  return handlers;
}

}  // namespace

KnownHandlers KnownHandlersOf(const HandlerRegistry& registry) {
  KnownHandlers known;
  for (const std::string_view name : kBuiltinNames) known.builtin.emplace(name);
  for (const auto& [name, handler] : registry.handlers()) known.cpp.insert(name);
  return known;
}

HandlerFactory::HandlerFactory(const HandlerRegistry& registry, ChildRunner& runner,
                               Sleeper& sleeper)
    : cpp_(registry.handlers()), runner_(runner), sleeper_(sleeper) {}

DispatcherConfig HandlerFactory::Convert(const Config& config, double cores) {
  DispatcherConfig converted;
  converted.max_payload = config.server.max_payload;
  converted.max_result = config.server.max_result;
  for (const PoolSettings& pool : config.pools) {
    converted.pools.push_back(ConvertPool(pool, cores));
  }
  auto handlers = HandlersInCode(config.server.builtin_handlers, sleeper_, cpp_);
  std::map<std::string, Command> commands;
  for (const HandlerSettings& settings : config.handlers) {
    HandlerConfig& handler = handlers[settings.name];
    if (!settings.exec.empty()) {
      handler = MakeCommand(settings, config.server.max_result);
      commands[settings.name] = {settings, handler.handler};
    }
    handler.pool = settings.pool;
    handler.timeout = settings.timeout;
    handler.kill_grace = settings.kill_grace;
    handler.max_active = settings.max_active;
  }
  commands_ = std::move(commands);
  for (auto& [name, handler] : handlers) converted.handlers.push_back(std::move(handler));
  return converted;
}

HandlerConfig HandlerFactory::MakeCommand(const HandlerSettings& settings,
                                          std::uint64_t max_result) {
  HandlerConfig handler;
  handler.name = settings.name;
  handler.kind = HandlerKind::kCommand;
  handler.exec = settings.exec;
  const auto before = commands_.find(settings.name);
  const bool same = before != commands_.end() && before->second.settings.SameCommand(settings);
  handler.handler = same ? before->second.handler
                         : MakeCommandHandler({.exec = settings.exec,
                                               .cwd = settings.cwd,
                                               .env = settings.env,
                                               .no_retry_exit = settings.no_retry_exit,
                                               .max_result = max_result},
                                              runner_);
  return handler;
}

}  // namespace workpool
