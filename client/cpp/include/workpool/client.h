// Posts work to a workpool daemon and follows it.
#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "workpool/client/error.h"
#include "workpool/client/job.h"
#include "workpool/client/options.h"
#include "workpool/client/work.h"

namespace workpool::client {

class PostStream;

template <typename T>
using Callback = std::move_only_function<void(Result<T>)>;
using BatchResult = std::vector<Result<Posted>>;

// Names a gathered post, for Abandon.
struct PostTicket {
  std::uint32_t lane = 0;
  std::uint64_t sequence = 0;
};

// One connection to one daemon, made at the first call and again when it was lost.
//
// Thread safety: every member may be called from any thread at once, but for Close and the
// destructor, which must not be called from a callback of any client.
// Callbacks run on threads of the library, for the posts to one pool one after the other; on the
// caller's, before the call returns, if nothing was sent: the client is closed, or the work breaks
// a rule of CheckWork. The answers to gathered posts come on one thread, whichever client posted:
// callbacks must not block and must not throw. They may post. Each is called exactly once, none
// after Close.
class Client {
 public:
  explicit Client(ClientOptions options = {});
  // Ends what is under way with CANCELLED; call Close first to let it finish.
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Posting job by job, fast: what is posted while a message is on its way to the daemon is
  // gathered into the next one. There is one stream for each pool and when_full; items of one keep
  // their order. Nothing bounds how many posts wait for an answer but the caller's own counting.
  // When a stream breaks, its posts without an answer end with UNAVAILABLE (they may have been
  // accepted) and the next post opens a new one.
  PostTicket PostAsync(Work work, Callback<Posted> done, const PostOptions& options = {});
  std::future<Result<Posted>> PostAsync(Work work, const PostOptions& options = {});

  // The caller no longer wants this post: it ends with CANCELLED unless it is accepted already. One
  // that has ended is left alone.
  void Abandon(PostTicket ticket);

  // Posts one job and answers when it is accepted; a call of its own.
  Result<Posted> Post(const Work& work, const CallOptions& options = {});

  // Posts one job and answers when it has finished. The job goes on when the call ends before.
  Result<Job> PostAndWait(const Work& work, const CallOptions& options = {});

  // Posts up to 10,000 jobs in one call; answers an outcome for each, in order.
  Result<BatchResult> PostBatch(std::span<const Work> work, const CallOptions& options = {});
  void PostBatchAsync(std::span<const Work> work, Callback<BatchResult> done,
                      const CallOptions& options = {});

  // A stream whose messages the caller forms. It must not outlive the client.
  std::unique_ptr<PostStream> OpenStream();

  // Posts a job and answers with its final state, whatever that is. The timeout bounds the job too,
  // and a call that ends early cancels it; with `detach` neither.
  Result<Job> Run(const Work& work, const CallOptions& options = {}, bool detach = false);
  void RunAsync(const Work& work, Callback<Job> done, const CallOptions& options = {},
                bool detach = false);

  Result<Job> Get(std::uint64_t id, bool with_payload = false, const CallOptions& options = {});

  // Answers when the job has finished.
  Result<Job> Wait(std::uint64_t id, const CallOptions& options = {});
  void WaitAsync(std::uint64_t id, Callback<Job> done, const CallOptions& options = {});

  // Newest first; at most `page_size` (1 to 1000, 0 the daemon's default), perhaps fewer.
  Result<JobPage> List(const JobFilter& filter = {}, std::uint32_t page_size = 0,
                       const std::string& page_token = {}, const CallOptions& options = {});

  Result<Cancelled> Cancel(std::span<const std::uint64_t> ids, const CallOptions& options = {});
  // All unfinished jobs that match; an empty filter is refused.
  Result<Cancelled> Cancel(const JobFilter& filter, const CallOptions& options = {});
  Result<Cancelled> CancelAll(const CallOptions& options = {});

  // Refuses further posts, sends what is gathered, and returns when every asynchronous call has
  // ended (each within its timeout). Later calls fail with CANCELLED. May be called twice.
  void Close();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace workpool::client
