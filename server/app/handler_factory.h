// Makes the dispatcher's config from the file's.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "app/config.h"
#include "app/config_reader.h"
#include "handlers/sleeper.h"
#include "jobs/child_process.h"
#include "jobs/config.h"
#include "jobs/registry.h"

namespace workpool {

// The names that a config may use without an `exec`.
KnownHandlers KnownHandlersOf(const HandlerRegistry& registry);

// Not thread safe. A command whose settings have not changed keeps its handler object from one
// Convert to the next, so that a reload can tell what changed.
class HandlerFactory {
 public:
  // `runner` and `sleeper` must outlive all handlers that are made.
  HandlerFactory(const HandlerRegistry& registry, ChildRunner& runner, Sleeper& sleeper);

  DispatcherConfig Convert(const Config& config, double cores);

 private:
  struct Command {
    HandlerSettings settings;
    std::shared_ptr<Handler> handler;
  };

  HandlerConfig MakeCommand(const HandlerSettings& settings, std::uint64_t max_result);

  const std::map<std::string, std::shared_ptr<Handler>> cpp_;
  ChildRunner& runner_;
  Sleeper& sleeper_;
  std::map<std::string, Command> commands_;  // of the config before
};

}  // namespace workpool
