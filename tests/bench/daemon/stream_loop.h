// Posts over one bidirectional stream.
#pragma once

#include <grpcpp/grpcpp.h>

#include "load.h"
#include "load_progress.h"
#include "workpool/v1/workpool.grpc.pb.h"

namespace workpool::bench {

// Keeps the items of `load.outstanding` messages of one stream unanswered until told to stop.
class StreamLoop {
 public:
  StreamLoop(const Load& load, v1::WorkPool::Stub& stub, Progress& progress)
      : room_(static_cast<std::int64_t>(load.outstanding) * load.batch),
        batch_(load.batch),
        progress_(progress) {
    for (int i = 0; i < load.batch; ++i) Fill(*request_.add_work(), load.payload);
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

}  // namespace workpool::bench
