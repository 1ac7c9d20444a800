#include "http/connection.h"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>

#include "http/request.h"
#include "http/response.h"

namespace workpool::http {
namespace {

// One client that never stops sending must not keep the thread from the others.
constexpr int kStepsATurn = 16;

bool WouldBlock() { return errno == EAGAIN || errno == EWOULDBLOCK; }

}  // namespace

Connection::Connection(Descriptor socket, const HttpRoutes& routes, const HttpLimits& limits,
                       SteadyTime now)
    : socket_(std::move(socket)),
      routes_(routes),
      limits_(limits),
      deadline_(now + limits.request_time) {}

short Connection::events() const { return state_ == State::kWriting ? POLLOUT : POLLIN; }

Connection::Cost Connection::cost() const {
  if (state_ == State::kWriting) return Cost::kAnswer;
  const bool asking = state_ == State::kReading && (!answered_ || !input_.empty());
  return asking ? Cost::kRequest : Cost::kNothing;
}

void Connection::Proceed(SteadyTime now) {
  bool go_on = true;
  for (int step = 0; go_on && step < kStepsATurn; ++step) {
    switch (state_) {
      case State::kReading: go_on = Read(now); break;
      case State::kWriting: go_on = Write(now); break;
      case State::kLingering: go_on = Linger(); break;
      case State::kDone: go_on = false; break;
    }
  }
}

bool Connection::Read(SteadyTime now) {
  std::array<char, 4096> chunk;
  const ssize_t got = recv(socket_.get(), chunk.data(), chunk.size(), 0);
  if (got < 0 && errno == EINTR) return true;
  if (got < 0 && WouldBlock()) return false;
  if (got <= 0) {
    state_ = State::kDone;
    return false;
  }
  // The first byte after a pause begins a new request, and its time.
  if (input_.empty()) deadline_ = now + limits_.request_time;
  input_.append(chunk.data(), static_cast<std::size_t>(got));
  Answer(now);
  return true;
}

void Connection::Answer(SteadyTime now) {
  const ParsedRequest parsed = ParseHttpRequest(input_);
  switch (parsed.status) {
    case ParseStatus::kIncomplete:
      if (input_.size() > limits_.request_bytes) Refuse(431, now);
      return;
    case ParseStatus::kBadRequest: return Refuse(400, now);
    case ParseStatus::kVersionUnsupported: return Refuse(505, now);
    case ParseStatus::kComplete: break;
  }
  if (parsed.consumed > limits_.request_bytes) return Refuse(431, now);
  input_.erase(0, parsed.consumed);
  const HttpRequest& request = parsed.request;
  Send(WireForm(AnswerRequest(request, routes_), request.method == "HEAD", request.keep_alive),
       request.keep_alive, now);
}

void Connection::Refuse(int status, SteadyTime now) {
  Send(WireForm(PlainResponse(status), false, false), false, now);
}

void Connection::Send(std::string wire, bool keep_alive, SteadyTime now) {
  output_ = std::move(wire);
  sent_ = 0;
  keep_alive_ = keep_alive;
  deadline_ = now + limits_.request_time;
  state_ = State::kWriting;
}

bool Connection::Write(SteadyTime now) {
  const ssize_t sent =
      send(socket_.get(), output_.data() + sent_, output_.size() - sent_, MSG_NOSIGNAL);
  if (sent < 0 && errno == EINTR) return true;
  if (sent < 0 && WouldBlock()) return false;
  if (sent < 0) {
    state_ = State::kDone;
    return false;
  }
  sent_ += static_cast<std::size_t>(sent);
  if (sent_ == output_.size()) Next(now);
  return true;
}

void Connection::Next(SteadyTime now) {
  output_ = {};
  answered_ = true;
  if (!keep_alive_) {
    shutdown(socket_.get(), SHUT_WR);
    state_ = State::kLingering;
    return;
  }
  state_ = State::kReading;
  deadline_ = now + (input_.empty() ? limits_.idle_time : limits_.request_time);
  // The client may have sent its next request already.
  if (!input_.empty()) Answer(now);
}

bool Connection::Linger() {
  std::array<char, 4096> chunk;
  const ssize_t got = recv(socket_.get(), chunk.data(), chunk.size(), 0);
  if (got > 0 || (got < 0 && errno == EINTR)) return true;
  if (got < 0 && WouldBlock()) return false;
  state_ = State::kDone;
  return false;
}

}  // namespace workpool::http
