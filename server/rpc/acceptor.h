// Accepts connections below the limit of file descriptors and hands them over. When the table is
// full, connections wait in the kernel's queue until others have gone; the rest of the process
// always keeps a reserve for its files and children.
#pragma once

#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include "rpc/listener.h"

namespace workpool::rpc {

// How many descriptors connections leave to the rest of the process.
rlim_t DescriptorReserve(rlim_t limit);

class Acceptor {
 public:
  // Owns the socket from then on. Called on the acceptor's thread.
  using Take = std::function<void(UniqueFd socket)>;

  // Starts at once. `listener` must outlive it.
  Acceptor(const Listener& listener, Take take);
  // Stops as Stop does.
  ~Acceptor();

  // Accepts no more; when it returns, `take` is not called any more.
  void Stop();

 private:
  void Loop();
  void AcceptAll(int listening);
  bool TableIsFull() const;
  void WaitForDescriptors();

  const Listener& listener_;
  const Take take_;
  const UniqueFd wake_;
  std::atomic<bool> stopping_{false};
  // Of the thread.
  bool full_ = false;
  std::optional<std::chrono::steady_clock::time_point> warned_at_;
  std::thread thread_;
};

}  // namespace workpool::rpc
