// Where the config comes from: a file or the defaults, with what the command line overrides.
#pragma once

#include <string>

#include "app/config.h"
#include "app/config_reader.h"
#include "app/options.h"
#include "base/error.h"

namespace workpool {

// Constant after construction, thus thread safe.
class ConfigSource {
 public:
  ConfigSource(Options options, KnownHandlers known);

  const std::string& file() const { return options_.config_file; }  // empty: none

  // Reads the file again. Errors are kBadConfig, as ReadConfigFile's.
  Result<Config> Load() const;

 private:
  Options options_;
  KnownHandlers known_;
};

}  // namespace workpool
