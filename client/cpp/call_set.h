// The asynchronous calls that are under way, so that closing can wait for them.
//
// It owns their contexts, and waiting for them ends only when these are destroyed: a context keeps
// the channel alive, and gRPC must not lose its last channel on one of its own threads.
#pragma once

#include <grpcpp/client_context.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>

#include "base/mutex.h"

namespace workpool::client {

// Thread safe.
class CallSet {
 public:
  // A number for Leave; nothing once the set is closed.
  std::optional<std::uint64_t> Enter(std::shared_ptr<grpc::ClientContext> context);
  // The call's callback has returned. Destroys the context.
  void Leave(std::uint64_t id);

  // No more may enter.
  void Close();
  // Asks every call to end now.
  void CancelAll();
  // Blocks until all have left.
  void WaitEmpty();

 private:
  Mutex mutex_;
  CondVar emptied_;
  bool closed_ GUARDED_BY(mutex_) = false;
  std::uint64_t last_id_ GUARDED_BY(mutex_) = 0;
  std::size_t alive_ GUARDED_BY(mutex_) = 0;
  std::unordered_map<std::uint64_t, std::shared_ptr<grpc::ClientContext>> calls_ GUARDED_BY(mutex_);
};

}  // namespace workpool::client
