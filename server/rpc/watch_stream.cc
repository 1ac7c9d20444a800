#include "rpc/watch_stream.h"

#include <algorithm>
#include <utility>

#include "base/names.h"
#include "rpc/status.h"
#include "rpc/time_convert.h"

namespace workpool::rpc {
namespace {

constexpr std::chrono::nanoseconds kShortest = std::chrono::milliseconds(100);
constexpr std::chrono::nanoseconds kLongest = std::chrono::hours(1);
constexpr std::chrono::nanoseconds kDefault = std::chrono::seconds(1);

class RefusedWatch final : public grpc::ServerWriteReactor<v1::WatchStatsResponse> {
 public:
  explicit RefusedWatch(const grpc::Status& status) { Finish(status); }

 private:
  void OnDone() override { delete this; }
};

}  // namespace

Result<WatchSpec> WatchSpecFromProto(const Dispatcher& dispatcher,
                                     const v1::WatchStatsRequest& request) {
  WatchSpec spec{kDefault, request.pool()};
  if (request.has_interval()) {
    auto interval = FromProto("interval", request.interval());
    if (!interval) return std::unexpected(std::move(interval.error()));
    spec.interval = *interval;
  }
  if (spec.interval < kShortest || spec.interval > kLongest) {
    return Fail(ErrorCode::kBadField, "interval: is from 100 ms to 1 h");
  }
  if (!spec.pool.empty()) {
    if (auto ok = CheckName("pool", spec.pool); !ok) return std::unexpected(std::move(ok.error()));
    auto pool = dispatcher.Pool(spec.pool);
    if (!pool) return std::unexpected(std::move(pool.error()));
  }
  return spec;
}

WatchStream::WatchStream(Dispatcher& dispatcher, LiveCalls& live, WatchSpec spec)
    : live_(live),
      interval_(spec.interval),
      watch_(dispatcher.Watch()),
      rates_(std::move(spec.pool)),
      next_(SteadyTime::clock::now()) {
  live_.Enter();
}

WatchStream* WatchStream::Launch(Dispatcher& dispatcher, LiveCalls& live, WatchSpec spec) {
  auto stream = std::make_shared<WatchStream>(dispatcher, live, std::move(spec));
  WatchStream* raw = stream.get();
  raw->self_ = stream;
  live.Add(stream);
  raw->Send();
  return raw;
}

void WatchStream::Send() {
  message_.Clear();
  rates_.Write(watch_->Read(), SteadyTime::clock::now(), std::chrono::system_clock::now(),
               message_);
  StartWrite(&message_);
}

void WatchStream::OnWriteDone(bool ok) {
  if (ok) return WaitForNext();
  Finish({grpc::StatusCode::CANCELLED, "the client does not read"});
}

// A watch that has
// fallen behind skips readings instead of sending them in a row.
void WatchStream::WaitForNext() {
  const auto now = SteadyTime::clock::now();
  next_ = std::max(next_ + interval_, now);
  MutexLock lock(mutex_);
  if (ending_) {
    lock.Unlock();
    return Finish(grpc::Status::OK);
  }
  const gpr_timespec due = gpr_time_add(
      gpr_now(GPR_CLOCK_MONOTONIC),
      gpr_time_from_nanos(std::chrono::nanoseconds(next_ - now).count(), GPR_TIMESPAN));
  alarm_.Set(due, [this](bool rang) { OnAlarm(rang); });
}

// The alarm keeps this callback for good, so it holds no reference; self_ keeps the stream until
// Finish.
void WatchStream::OnAlarm(bool rang) {
  if (rang) return Send();
  Finish(grpc::Status::OK);
}

void WatchStream::End() {
  MutexLock lock(mutex_);
  ending_ = true;
  alarm_.Cancel();
}

void WatchStream::OnDone() {
  const std::shared_ptr<WatchStream> self = std::move(self_);
  live_.Remove(this);
  live_.Leave();
}

grpc::ServerWriteReactor<v1::WatchStatsResponse>* RefuseWatch(grpc::CallbackServerContext& context,
                                                              const Error& error) {
  return new RefusedWatch(ToStatus(error, context));
}

}  // namespace workpool::rpc
