// What a post stream does next: when it reads, what it writes, when it ends. Logic only, without
// gRPC. Not thread safe: its owner locks.
//
// - Results gather while a write is under way and go out together with the next.
// - Nothing is read while a message is being offered, while more items than the window wait, or
//   while too many results lie here because the client does not read them: then HTTP/2 flow control
//   reaches the client.
// - After the half-close, an error or the server's shutdown the stream ends as soon as every item
//   that was read has its result; after a cancel at once.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include "base/error.h"
#include "workpool/v1/workpool.pb.h"

namespace workpool::rpc {

struct StreamWindow {
  std::uint64_t items = 1000;
  std::uint64_t bytes = std::uint64_t{8} << 20;
};

class StreamFlow {
 public:
  enum class Step { kNone, kRead, kWrite, kFinish };

  explicit StreamFlow(const StreamWindow& window) : window_(window) {}

  // A message has come; until Offered, its items are being offered. False if the stream has ended
  // meanwhile: then the message is none of its business.
  bool BeginOffer(std::uint64_t items, std::uint64_t bytes);
  void EndOffer() { offering_ = false; }
  bool offering() const { return offering_; }
  // No message comes any more. With an error the stream ends with it, and the first one counts.
  void EndReads(std::optional<Error> error);
  void Cancel() { cancelled_ = true; }

  // Where to write the next result, of an item that counted `bytes`.
  v1::PostResult& AddResult(std::uint64_t bytes);
  void Written();

  // What to start now; it is then taken as started. The owner asks until the answer is kNone.
  Step Next();

  // With kWrite: stays in place until Written.
  const v1::PostWorkStreamResponse& message() const { return *outgoing_.front(); }
  // With kFinish.
  bool cancelled() const { return cancelled_; }
  const std::optional<Error>& error() const { return error_; }

 private:
  bool MayRead() const;
  bool AllDone() const;
  std::unique_ptr<v1::PostWorkStreamResponse> NewMessage();

  const StreamWindow window_;
  bool reading_ = false;
  bool offering_ = false;
  bool writing_ = false;
  bool reads_over_ = false;
  bool cancelled_ = false;
  bool finished_ = false;
  std::optional<Error> error_;
  std::uint64_t waiting_items_ = 0;
  std::uint64_t waiting_bytes_ = 0;
  std::deque<std::unique_ptr<v1::PostWorkStreamResponse>> outgoing_;
  // One that was written, empty: what its results take is used again.
  std::unique_ptr<v1::PostWorkStreamResponse> spare_;
};

}  // namespace workpool::rpc
