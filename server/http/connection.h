// One client's connection: reads requests, sends answers, one after the other, without blocking.
// Not thread safe: the server's thread drives it.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "base/clock.h"
#include "http/descriptor.h"
#include "http/http_server.h"

namespace workpool::http {

class Connection {
 public:
  // Takes over a connected non-blocking socket. `routes` and `limits` must outlive this.
  Connection(Descriptor socket, const HttpRoutes& routes, const HttpLimits& limits, SteadyTime now);

  int fd() const { return socket_.get(); }
  // What poll should wait for: POLLIN or POLLOUT.
  short events() const;
  // When the server should close it, unless it has got further by then.
  SteadyTime deadline() const { return deadline_; }
  // What closing it to make room would cost its client, the least first: nothing between requests
  // or after the last answer, a request that has not come, an answer that has not been taken.
  enum class Cost { kNothing, kRequest, kAnswer };
  Cost cost() const;
  // It is over: to be destroyed.
  bool done() const { return state_ == State::kDone; }
  // Gives the socket away; only destruction may follow.
  Descriptor TakeSocket() { return std::move(socket_); }

  // After poll has reported something.
  void Proceed(SteadyTime now);

 private:
  enum class State {
    kReading,
    kWriting,
    kLingering,  // all is sent; what the client still sends is thrown away, so that it gets our end
    kDone,
  };

  // Each does one step and returns false when it would block.
  bool Read(SteadyTime now);
  bool Write(SteadyTime now);
  bool Linger();

  void Answer(SteadyTime now);
  void Send(std::string wire, bool keep_alive, SteadyTime now);
  void Refuse(int status, SteadyTime now);
  void Next(SteadyTime now);

  Descriptor socket_;
  const HttpRoutes& routes_;
  const HttpLimits& limits_;
  State state_ = State::kReading;
  SteadyTime deadline_;
  std::string input_;
  std::string output_;
  std::size_t sent_ = 0;
  bool keep_alive_ = false;
  bool answered_ = false;  // a request, at least
};

}  // namespace workpool::http
