// The thread that serves the post streams of this process's clients.
#pragma once

#include <grpcpp/completion_queue.h>

#include <atomic>
#include <memory>
#include <thread>

namespace workpool::client {

// One for all clients: gRPC lets one thread at a time wait for the sockets of a process. A second
// one, also of gRPC's own, would take turns with it, and each turn wakes a thread for every
// message.
//
// Thread safe.
class Poller {
 public:
  // What the tags of the queue point to.
  class Event {
   public:
    virtual void Happen(bool ok) = 0;

   protected:
    ~Event() = default;
  };

  // The one that is in use, or a new one. The last to let go of it, who must not be its thread,
  // waits for the thread's end; nothing may be under way on the queue then.
  static std::shared_ptr<Poller> Shared();

  Poller();
  ~Poller();
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  grpc::CompletionQueue& queue() { return queue_; }
  // Shows its thread what the caller has done up to now; before the first use of a new event. The
  // queue does so too, but ThreadSanitizer cannot look into gRPC.
  void Publish() { published_.fetch_add(1, std::memory_order_release); }

 private:
  void Serve();

  grpc::CompletionQueue queue_;
  std::atomic<unsigned> published_ = 0;
  std::jthread thread_;
};

}  // namespace workpool::client
