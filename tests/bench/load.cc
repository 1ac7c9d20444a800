#include "load.h"

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "rate.h"
#include "workpool/v1/workpool.grpc.pb.h"

namespace workpool::bench {
namespace {

constexpr std::size_t kPayloadBytes = 64;

struct Progress {
  std::atomic<std::uint64_t> jobs{0};
  std::atomic<bool> stop{false};
  std::atomic<bool> refused{false};
};

void Fill(v1::Work& work) {
  work.set_handler("noop");
  work.set_payload(std::string(kPayloadBytes, 'x'));
}

bool Accepted(const v1::PostWorkResponse& response) { return response.id() != 0; }

template <typename Results>
bool AllAccepted(const Results& results) {
  for (const auto& result : results) {
    if (result.has_refusal()) return false;
  }
  return true;
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

// Keeps the items of `load.outstanding` messages of one stream unanswered until told to stop.
class StreamLoop {
 public:
  StreamLoop(const Load& load, v1::WorkPool::Stub& stub, Progress& progress)
      : room_(static_cast<std::int64_t>(load.outstanding) * load.batch),
        batch_(load.batch),
        progress_(progress) {
    for (int i = 0; i < load.batch; ++i) Fill(*request_.add_work());
    stream_ = stub.AsyncPostWorkStream(&context_, &queue_, TagOf(kStart));
  }

  void Run() {
    void* tag = nullptr;
    bool ok = false;
    while (queue_.Next(&tag, &ok) &&
           Handle(static_cast<Tag>(reinterpret_cast<intptr_t>(tag)), ok)) {
      Advance();
    }
  }

 private:
  enum Tag : std::intptr_t { kStart = 1, kRead, kWrite, kDone, kFinish };
  static void* TagOf(Tag tag) { return reinterpret_cast<void*>(tag); }

  // False at the stream's end.
  bool Handle(Tag tag, bool ok) {
    if (tag == kFinish) return false;
    if (tag == kWrite) writing_ = false;
    if (tag == kRead && ok) Count();
    if (tag == kRead && !ok) {
      if (!closing_) progress_.refused = true;
      closing_ = true;
      stream_->Finish(&status_, TagOf(kFinish));
    } else if (tag == kStart || tag == kRead) {
      stream_->Read(&response_, TagOf(kRead));
      started_ = true;
    }
    return true;
  }

  void Count() {
    if (!AllAccepted(response_.results())) progress_.refused = true;
    unanswered_ -= response_.results_size();
    progress_.jobs += static_cast<std::uint64_t>(response_.results_size());
  }

  void Advance() {
    if (!started_ || writing_ || closing_) return;
    if (progress_.stop || progress_.refused) {
      closing_ = true;
      stream_->WritesDone(TagOf(kDone));
    } else if (unanswered_ + batch_ <= room_) {
      writing_ = true;
      unanswered_ += batch_;
      request_.set_first_sequence(sequence_);
      sequence_ += static_cast<std::uint64_t>(batch_);
      stream_->Write(request_, TagOf(kWrite));
    }
  }

  const std::int64_t room_;
  const int batch_;
  Progress& progress_;
  grpc::CompletionQueue queue_;
  grpc::ClientContext context_;
  grpc::Status status_;
  v1::PostWorkStreamRequest request_;
  v1::PostWorkStreamResponse response_;
  std::unique_ptr<
      grpc::ClientAsyncReaderWriter<v1::PostWorkStreamRequest, v1::PostWorkStreamResponse>>
      stream_;
  std::uint64_t sequence_ = 1;
  std::int64_t unanswered_ = 0;
  bool started_ = false, writing_ = false, closing_ = false;
};

void Drive(const Load& load, v1::WorkPool::Stub& stub, Progress& progress) {
  if (load.call == Call::kStream) {
    StreamLoop(load, stub, progress).Run();
  } else if (load.call == Call::kBatch) {
    v1::PostWorkBatchRequest request;
    for (int i = 0; i < load.batch; ++i) Fill(*request.add_work());
    CallLoop<v1::PostWorkBatchRequest, v1::PostWorkBatchResponse>(
        load, request, progress, [&](auto* context, const auto& message, auto* queue) {
          return stub.AsyncPostWorkBatch(context, message, queue);
        });
  } else {
    v1::PostWorkRequest request;
    Fill(*request.mutable_work());
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
    threads.emplace_back([&] {
      grpc::ChannelArguments arguments;
      arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);  // a connection of its own
      const auto stub = v1::WorkPool::NewStub(
          grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments));
      Drive(load, *stub, progress);
    });
  }
  const double rate = Rate(seconds, [&] { return progress.jobs.load(); });
  progress.stop = true;
  threads.clear();
  if (progress.refused) throw std::runtime_error("a post was refused by " + address);
  return rate;
}

}  // namespace workpool::bench
