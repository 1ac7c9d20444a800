#include "line_socket.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>

namespace workpool::bench {

LineSocket::LineSocket(int port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  if (connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    close(fd_);
    throw std::runtime_error("cannot connect");
  }
  const int on = 1;
  setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

LineSocket::~LineSocket() { close(fd_); }

void LineSocket::Flush() {
  for (std::string_view rest = out_; !rest.empty();) {
    const ssize_t sent = send(fd_, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent <= 0) throw std::runtime_error("the server closed the connection");
    rest.remove_prefix(static_cast<std::size_t>(sent));
  }
  out_.clear();
}

std::string_view LineSocket::Line() {
  for (std::size_t scanned = 0;;) {
    const auto end = buffered().find('\n', scanned);
    if (end != std::string_view::npos) {
      auto line = buffered().substr(0, end);
      begin_ += end + 1;
      if (line.ends_with('\r')) line.remove_suffix(1);
      return line;
    }
    scanned = buffered().size();
    Fill();
  }
}

std::string_view LineSocket::Bytes(std::size_t count) {
  while (buffered().size() < count) Fill();
  const auto bytes = buffered().substr(0, count);
  begin_ += count;
  return bytes;
}

void LineSocket::Fill() {
  if (begin_ > 0) {
    std::memmove(in_.data(), in_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == in_.size()) in_.resize(in_.size() * 2);
  const ssize_t size = recv(fd_, in_.data() + end_, in_.size() - end_, 0);
  if (size <= 0) throw std::runtime_error("the server closed the connection");
  end_ += static_cast<std::size_t>(size);
}

}  // namespace workpool::bench
