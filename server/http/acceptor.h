// Accepts connections, also when the process has run out of descriptors: one is held in reserve and
// lent to a connection then. Not thread safe.
#pragma once

#include <string>

#include "base/clock.h"
#include "http/descriptor.h"
#include "http/listener.h"

namespace workpool::http {

class Acceptor {
 public:
  explicit Acceptor(Listener listener);

  int fd() const { return listener_.socket.get(); }
  const std::string& address() const { return listener_.address; }

  // The next connection, or an invalid descriptor: then there is none, or no descriptor for one,
  // and `paused_until` says when to try again.
  Descriptor Accept(SteadyTime now);
  // Polling the listener before this would only spin.
  SteadyTime paused_until() const { return paused_until_; }

  // Closes a connection's socket; its descriptor becomes the reserve if that has been lent.
  void Close(Descriptor socket);

 private:
  void Refill();
  void Pause(SteadyTime now, int error);

  Listener listener_;
  Descriptor reserve_;
  SteadyTime paused_until_{};
  bool short_of_descriptors_ = false;  // said in the log already
};

}  // namespace workpool::http
