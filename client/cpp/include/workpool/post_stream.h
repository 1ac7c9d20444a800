// A stream of posts whose messages the caller forms. For most programs Client::PostAsync does the
// same with less work.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "workpool/client/error.h"
#include "workpool/client/work.h"

namespace workpool::client {

struct StreamResult {
  std::uint64_t sequence = 0;
  Result<Posted> outcome;
};

// Thread safety: one thread may send while another reads. Both may block: Send while the daemon
// reads no further (too many items of the stream wait for room), Read until something was answered.
class PostStream {
 public:
  struct Impl;
  explicit PostStream(std::unique_ptr<Impl> impl);
  // Cancels the stream if it has not ended.
  ~PostStream();

  // Sends all of `work` as one message. Answers the sequence number of the first item; the others
  // count on from it. Fails when the stream has ended; Finish then says why. Fails with
  // INVALID_ARGUMENT, and sends none of them, if an item breaks a rule of CheckWork.
  Result<std::uint64_t> Send(std::span<const Work> work);

  // These items are no longer wanted: each ends with CANCELLED unless it is accepted already.
  Result<void> Abandon(std::span<const std::uint64_t> sequences);

  // No more will be sent; the daemon ends the stream once every item has its result.
  void DoneSending();

  // The next results, in the order in which items ended; nothing at the stream's end.
  std::optional<std::vector<StreamResult>> Read();

  // How the stream ended. Call it once, when Read has answered nothing or no more will be read.
  Result<void> Finish();

  // Ends the stream now. From any thread.
  void Cancel();

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace workpool::client
