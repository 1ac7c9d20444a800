// The control port: what a transport may ask of the daemon as a whole. `app` implements it. Thread
// safe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"

namespace workpool {

struct ServerInfo {
  std::string version;
  WallTime started_at;
  std::string store;
  std::string config_file;  // empty: none
  std::uint64_t max_payload = 0;
  std::uint64_t max_result = 0;
  std::uint64_t max_message = 0;
  bool shutting_down = false;
  double cores = 0;  // that the daemon may use
};

struct ReloadReport {
  std::vector<std::string> applied;        // one line a change that is in force now
  std::vector<std::string> needs_restart;  // one line a change that only a restart brings
};

class ServerControl {
 public:
  virtual ~ServerControl() = default;
  virtual ServerInfo Info() const = 0;
  // Reads the config file again; may block on that file. A file with an error changes nothing:
  // kBadConfig with file:line:column and the rule. Without a file: kWrongState.
  virtual Result<ReloadReport> Reload() = 0;
};

}  // namespace workpool
