// How long a post takes at half of the load that a daemon can bear. Calls start at fixed times,
// whether or not others are still under way, and a call's time counts from when it was to start.
#include <grpcpp/grpcpp.h>
#include <sys/prctl.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "bench.h"
#include "connection.h"
#include "daemon.h"
#include "load.h"
#include "load_progress.h"

namespace workpool::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kBench = "daemon-latency";
constexpr int kConnections = 4;

struct Pending {
  Clock::time_point start;
  grpc::ClientContext context;
  v1::PostWorkResponse response;
  grpc::Status status;
  std::unique_ptr<grpc::ClientAsyncResponseReader<v1::PostWorkResponse>> reader;
};

// Starts `calls` calls, one each `gap`, in turn on several connections.
void Start(const std::string& address, std::int64_t calls, std::chrono::nanoseconds gap,
           grpc::CompletionQueue& queue) {
  prctl(PR_SET_TIMERSLACK, 1UL);  // this thread's sleeps end when they should
  std::vector<std::unique_ptr<v1::WorkPool::Stub>> stubs;
  for (int i = 0; i < kConnections; ++i) stubs.push_back(NewConnection(address));
  v1::PostWorkRequest request;
  Fill(*request.mutable_work(), Load{}.payload);
  const auto first = Clock::now() + std::chrono::milliseconds(100);
  for (std::int64_t call = 0; call < calls; ++call) {
    auto pending = std::make_unique<Pending>();
    pending->start = first + call * gap;
    std::this_thread::sleep_until(pending->start);
    auto& stub = *stubs[static_cast<std::size_t>(call) % stubs.size()];
    pending->reader = stub.AsyncPostWork(&pending->context, request, &queue);
    auto* tag = pending.release();  // owned by the queue until it is answered
    tag->reader->Finish(&tag->response, &tag->status, tag);
  }
}

struct Percentiles {
  double p50 = 0, p99 = 0;
};

Percentiles Measure(const std::string& address, double calls_a_second, double seconds) {
  const auto calls = std::max<std::int64_t>(100, std::llround(calls_a_second * seconds));
  const std::chrono::nanoseconds gap(std::llround(1e9 / calls_a_second));
  grpc::CompletionQueue queue;
  const std::jthread starter([&] { Start(address, calls, gap, queue); });
  std::vector<double> microseconds;
  void* tag = nullptr;
  for (bool ok = false; std::ssize(microseconds) < calls && queue.Next(&tag, &ok);) {
    const std::unique_ptr<Pending> pending(static_cast<Pending*>(tag));
    if (!pending->status.ok()) throw std::runtime_error("a post was refused by " + address);
    microseconds.push_back(
        std::chrono::duration<double, std::micro>(Clock::now() - pending->start).count());
  }
  std::ranges::sort(microseconds);
  return {microseconds[microseconds.size() / 2], microseconds[microseconds.size() * 99 / 100]};
}

}  // namespace

void DaemonLatency(const Options& options, Report& report) {
  const Load saturated = {.call = Call::kUnary, .clients = kConnections, .outstanding = 16};
  const double half = JobsPerSecond(Daemon(options, {}).address(), saturated, options.seconds) / 2;
  std::vector<double> ours, ours_p50, empty, empty_p50;
  for (int run = 0; run < options.runs; ++run) {
    {
      const ServerProcess server({options.own_program, "serve-empty"});
      const auto measured = Measure(server.address(), half, options.seconds);
      empty.push_back(measured.p99);
      empty_p50.push_back(measured.p50);
    }
    const Daemon daemon(options, {});
    const auto measured = Measure(daemon.address(), half, options.seconds);
    ours.push_back(measured.p99);
    ours_p50.push_back(measured.p50);
  }
  const Parameters parameters = {{"clients", kConnections}, {"posts_per_s", std::llround(half)}};
  Figures figures = {MakeFigure(kBench, "empty-grpc", parameters, empty, "us p99"),
                     MakeFigure(kBench, "workpool", parameters, ours, "us p99")};
  figures[0].extras = {{"p50_us", Median(empty_p50)}};
  figures[1].extras = {{"p50_us", Median(ours_p50)}};
  Compare(figures[1], figures[0]);
  report.Add(figures);
}

}  // namespace workpool::bench
