// The sections [server] and [store] of the config file.
#pragma once

#include "app/config.h"
#include "app/table_reader.h"

namespace workpool {

void ReadServer(TableReader& table, ServerSettings& server);
void ReadStore(TableReader& table);

}  // namespace workpool
