// WatchStats: a reading now and after each interval, without a thread of its own.
#pragma once

#include <grpcpp/alarm.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "base/mutex.h"
#include "jobs/dispatcher.h"
#include "rpc/live_calls.h"
#include "rpc/pool_rates.h"
#include "workpool/v1/admin.pb.h"

namespace workpool::rpc {

struct WatchSpec {
  std::chrono::nanoseconds interval;
  std::string pool;
};

// kBadField for an interval that is not from 100 ms to 1 h and for a name that breaks the rule for
// names, kUnknownPool for a pool that is not there.
Result<WatchSpec> WatchSpecFromProto(const Dispatcher& dispatcher,
                                     const v1::WatchStatsRequest& request);

class WatchStream final : public grpc::ServerWriteReactor<v1::WatchStatsResponse>,
                          public EndlessCall,
                          public std::enable_shared_from_this<WatchStream> {
 public:
  WatchStream(Dispatcher& dispatcher, LiveCalls& live, WatchSpec spec);

  static WatchStream* Launch(Dispatcher& dispatcher, LiveCalls& live, WatchSpec spec);

 private:
  void OnWriteDone(bool ok) override;
  void OnCancel() override { End(); }
  void OnDone() override;
  bool InternalInlineable() override { return true; }  // see Call
  void End() override;

  void Send();
  void WaitForNext();
  void OnAlarm(bool rang);

  LiveCalls& live_;
  const std::chrono::nanoseconds interval_;
  const std::unique_ptr<PoolWatch> watch_;
  std::shared_ptr<WatchStream> self_;  // until gRPC is done

  // Of whoever is about to write: reading, writing and waiting follow one another.
  PoolRates rates_;
  v1::WatchStatsResponse message_;
  SteadyTime next_;

  Mutex mutex_;
  grpc::Alarm alarm_ GUARDED_BY(mutex_);
  bool ending_ GUARDED_BY(mutex_) = false;
};

// Ends at once with `error`.
grpc::ServerWriteReactor<v1::WatchStatsResponse>* RefuseWatch(grpc::CallbackServerContext& context,
                                                              const Error& error);

}  // namespace workpool::rpc
