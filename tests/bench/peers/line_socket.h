// A blocking loopback connection with buffers, for protocols that are spoken directly.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace workpool::bench {

// Not thread safe. Failures, also the peer's end of the connection, throw std::runtime_error.
class LineSocket {
 public:
  explicit LineSocket(int port);
  ~LineSocket();
  LineSocket(const LineSocket&) = delete;
  LineSocket& operator=(const LineSocket&) = delete;

  // Into the buffer; Flush sends it.
  void Put(std::string_view bytes) { out_.append(bytes); }
  void Flush();

  // What has been read and not yet taken.
  std::string_view buffered() const { return {in_.data() + begin_, end_ - begin_}; }
  bool has_line() const { return buffered().find('\n') != std::string_view::npos; }
  // The next line without its CR LF; valid until the next read.
  std::string_view Line();
  // Exactly so many bytes; valid until the next read.
  std::string_view Bytes(std::size_t count);

 private:
  void Fill();

  int fd_;
  std::string out_;
  std::string in_ = std::string(65536, '\0');
  std::size_t begin_ = 0, end_ = 0;
};

}  // namespace workpool::bench
