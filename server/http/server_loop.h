// The loop of the server's thread: polls the listener and the connections, and keeps the limits.
// Run on one thread; Stop from any.
#pragma once

#include <poll.h>

#include <list>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "http/acceptor.h"
#include "http/connection.h"
#include "http/http_server.h"

namespace workpool::http {

class ServerLoop {
 public:
  // `wake` is an eventfd.
  ServerLoop(Listener listener, Descriptor wake, HttpRoutes routes, const HttpLimits& limits);

  const std::string& address() const { return acceptor_.address(); }

  // Serves until Stop; then every connection is closed.
  void Run();
  void Stop();

 private:
  bool Poll();  // false once stopped
  int TimeoutMs(SteadyTime now) const;
  bool Accepting(SteadyTime now) const;
  void AcceptAll(SteadyTime now);
  void CloseOver(SteadyTime now);
  void CloseCheapest();
  void Close(std::list<Connection>::iterator connection);

  const HttpRoutes routes_;
  const HttpLimits limits_;
  Descriptor wake_;
  Acceptor acceptor_;
  std::list<Connection> connections_;
  std::vector<pollfd> polled_;
};

}  // namespace workpool::http
