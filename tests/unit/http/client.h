// A blocking HTTP client for tests: sends bytes as they are given and reads whole answers. A
// receive that takes longer than eight seconds fails.
#pragma once

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "http/descriptor.h"

namespace workpool::http {

struct HttpAnswer {
  int status = 0;
  std::string head;
  std::string body;

  bool Has(const std::string& line) const { return head.find(line + "\r\n") != std::string::npos; }
};

class HttpClient {
 public:
  // Of the address's family; does not connect, so that it can be made before descriptors run out.
  explicit HttpClient(const std::string& address) {
    const auto colon = address.rfind(':');
    std::string host = address.substr(0, colon);
    if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
    if (getaddrinfo(host.c_str(), address.c_str() + colon + 1, &hints, &target_) != 0) std::abort();
    socket_.Reset(socket(target_->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const timeval bound{.tv_sec = 8, .tv_usec = 0};
    setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &bound, sizeof bound);
  }
  HttpClient(HttpClient&& other) noexcept
      : socket_(std::move(other.socket_)),
        target_(std::exchange(other.target_, nullptr)),
        received_(std::move(other.received_)) {}
  ~HttpClient() {
    if (target_ != nullptr) freeaddrinfo(target_);
  }

  int fd() const { return socket_.get(); }
  bool Connect() { return connect(fd(), target_->ai_addr, target_->ai_addrlen) == 0; }
  bool Send(const std::string& bytes) {
    return send(fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(bytes.size());
  }

  // Nothing when the connection ends before a whole answer has come.
  std::optional<HttpAnswer> Receive(bool head_only = false) {
    while (received_.find("\r\n\r\n") == std::string::npos) {
      if (!More()) return std::nullopt;
    }
    HttpAnswer answer;
    const auto end = received_.find("\r\n\r\n") + 4;
    answer.head = received_.substr(0, end);
    answer.status = std::atoi(answer.head.substr(answer.head.find(' ')).c_str());
    received_.erase(0, end);
    const std::size_t length = head_only ? 0 : LengthOf(answer.head);
    while (received_.size() < length) {
      if (!More()) return std::nullopt;
    }
    answer.body = received_.substr(0, length);
    received_.erase(0, length);
    return answer;
  }

  // All has been read and the server has closed.
  bool AtEnd() { return received_.empty() && !More() && !timed_out_; }

 private:
  static std::size_t LengthOf(const std::string& head) {
    const std::string name = "Content-Length: ";
    const auto at = head.find(name);
    return at == std::string::npos ? 0 : std::strtoul(head.c_str() + at + name.size(), nullptr, 10);
  }

  bool More() {
    char chunk[65536];
    const ssize_t got = recv(fd(), chunk, sizeof chunk, 0);
    timed_out_ = got < 0 && errno == EAGAIN;
    if (got <= 0) return false;
    received_.append(chunk, static_cast<std::size_t>(got));
    return true;
  }

  Descriptor socket_;
  addrinfo* target_ = nullptr;
  std::string received_;
  bool timed_out_ = false;
};

}  // namespace workpool::http
