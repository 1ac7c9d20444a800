// What an operator's tools do to a daemon.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "workpool/client/error.h"
#include "workpool/client/options.h"
#include "workpool/client/pool.h"

namespace workpool::client {

// Thread safe; every call blocks until it is answered. An unknown pool is NOT_FOUND, reason
// UNKNOWN_POOL.
class Admin {
 public:
  explicit Admin(ClientOptions options = {});
  ~Admin();
  Admin(const Admin&) = delete;
  Admin& operator=(const Admin&) = delete;

  Result<std::vector<Pool>> Pools(const CallOptions& options = {});
  Result<Pool> GetPool(const std::string& pool, const CallOptions& options = {});
  Result<Pool> ResizePool(const std::string& pool, const Resize& resize,
                          const CallOptions& options = {});
  Result<Pool> PausePool(const std::string& pool, const CallOptions& options = {});
  // Ends a pause or a drain.
  Result<Pool> ResumePool(const std::string& pool, const CallOptions& options = {});
  // Answers when no job of the pool is left; without a timeout it waits as long as that takes. The
  // pool goes on draining when the call ends before.
  Result<Pool> DrainPool(const std::string& pool, const CallOptions& options = {});
  // Deletes the jobs that wait; answers how many.
  Result<std::uint64_t> PurgePool(const std::string& pool, const CallOptions& options = {});

  Result<std::vector<HandlerInfo>> Handlers(const CallOptions& options = {});
  Result<ServerInfo> Info(const CallOptions& options = {});
  Result<Reloaded> Reload(const CallOptions& options = {});

  // Calls `reading` on this thread with a reading now and after each interval (100 ms to 1 h), of
  // one pool or, with an empty name, of all. Ends well when `reading` answers false, with an error
  // when the stream ends otherwise. Only a timeout given in `options` counts.
  Result<void> WatchStats(std::chrono::nanoseconds interval, const std::string& pool,
                          const std::function<bool(const Stats&)>& reading,
                          const CallOptions& options = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace workpool::client
