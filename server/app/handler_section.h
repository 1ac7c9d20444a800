// The sections [handlers.NAME] of the config file.
#pragma once

#include <vector>

#include "app/config.h"
#include "app/config_reader.h"
#include "app/table_reader.h"

namespace workpool {

// `config` has the server section and the pools already.
std::vector<HandlerSettings> ReadHandlers(TableReader& handlers, const Config& config,
                                          const KnownHandlers& known);

}  // namespace workpool
