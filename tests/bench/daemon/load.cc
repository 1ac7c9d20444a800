#include "load.h"

#include <grpcpp/grpcpp.h>

#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "connection.h"
#include "load_progress.h"
#include "rate.h"
#include "stream_loop.h"
#include "workpool/v1/workpool.grpc.pb.h"

namespace workpool::bench {
namespace {

bool Accepted(const v1::PostWorkResponse& response) { return response.id() != 0; }

bool Accepted(const v1::RunWorkResponse& response) {
  return response.job().state() == v1::JOB_STATE_SUCCEEDED;
}

bool Accepted(const v1::PostWorkBatchResponse& response) { return AllAccepted(response.results()); }

// Keeps `load.outstanding` calls of one kind under way until told to stop.
template <typename Request, typename Response, typename Start>
void CallLoop(const Load& load, const Request& request, Progress& progress, const Start& start) {
  struct Pending {
    grpc::ClientContext context;
    Response response;
    grpc::Status status;
    std::unique_ptr<grpc::ClientAsyncResponseReader<Response>> reader;
  };
  grpc::CompletionQueue queue;
  const auto post = [&] {
    auto pending = std::make_unique<Pending>();
    pending->reader = start(&pending->context, request, &queue);
    auto* tag = pending.release();  // owned by the queue until it is answered
    tag->reader->Finish(&tag->response, &tag->status, tag);
  };
  int under_way = 0;
  for (; under_way < load.outstanding; ++under_way) post();
  void* tag = nullptr;
  bool ok = false;
  while (under_way > 0 && queue.Next(&tag, &ok)) {
    const std::unique_ptr<Pending> pending(static_cast<Pending*>(tag));
    if (!pending->status.ok() || !Accepted(pending->response)) progress.refused = true;
    progress.jobs += static_cast<std::uint64_t>(load.batch);
    if (progress.stop || progress.refused) {
      --under_way;
    } else {
      post();
    }
  }
}

void Drive(const Load& load, v1::WorkPool::Stub& stub, Progress& progress) {
  if (load.call == Call::kStream) {
    StreamLoop(load, stub, progress).Run();
  } else if (load.call == Call::kBatch) {
    v1::PostWorkBatchRequest request;
    for (int i = 0; i < load.batch; ++i) Fill(*request.add_work(), load.payload);
    CallLoop<v1::PostWorkBatchRequest, v1::PostWorkBatchResponse>(
        load, request, progress, [&](auto* context, const auto& message, auto* queue) {
          return stub.AsyncPostWorkBatch(context, message, queue);
        });
  } else if (load.call == Call::kRun) {
    v1::RunWorkRequest request;
    Fill(*request.mutable_work(), load.payload);
    CallLoop<v1::RunWorkRequest, v1::RunWorkResponse>(
        load, request, progress, [&](auto* context, const auto& message, auto* queue) {
          return stub.AsyncRunWork(context, message, queue);
        });
  } else {
    v1::PostWorkRequest request;
    Fill(*request.mutable_work(), load.payload);
    CallLoop<v1::PostWorkRequest, v1::PostWorkResponse>(
        load, request, progress, [&](auto* context, const auto& message, auto* queue) {
          return stub.AsyncPostWork(context, message, queue);
        });
  }
}

}  // namespace

double JobsPerSecond(const std::string& address, const Load& load, double seconds) {
  Progress progress;
  std::vector<std::jthread> threads;
  for (int i = 0; i < load.clients; ++i) {
    threads.emplace_back([&] { Drive(load, *NewConnection(address), progress); });
  }
  const double rate = Rate(seconds, [&] { return progress.jobs.load(); });
  progress.stop = true;
  threads.clear();
  if (progress.refused) throw std::runtime_error("a post was refused by " + address);
  return rate;
}

void PostJobs(const std::string& address, std::int64_t jobs) {
  constexpr int kBatch = 1000;
  const auto stub = NewConnection(address);
  v1::PostWorkBatchRequest request;
  for (int i = 0; i < kBatch; ++i) Fill(*request.add_work(), Load{}.payload);
  for (std::int64_t posted = 0; posted < jobs; posted += kBatch) {
    grpc::ClientContext context;
    v1::PostWorkBatchResponse response;
    const auto status = stub->PostWorkBatch(&context, request, &response);
    if (!status.ok() || !Accepted(response)) {
      throw std::runtime_error("a post was refused by " + address);
    }
  }
}

}  // namespace workpool::bench
