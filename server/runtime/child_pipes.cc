#include "runtime/child_pipes.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace workpool {
namespace {

// What one pipe may hand on before others have their turn, and what an unprivileged process can
// make a pipe hold at most.
constexpr std::size_t kTurnBytes = std::size_t{256} << 10;
constexpr std::size_t kPipeBytes = std::size_t{1} << 20;

bool MustWait(int error) { return error == EAGAIN || error == EWOULDBLOCK; }

}  // namespace

InputPipe::InputPipe(Reactor& reactor, OwnedFd fd, std::string data) : data_(std::move(data)) {
  watch_.emplace(reactor, std::move(fd), [this] { Write(); });
}

void InputPipe::Start() { Write(); }

void InputPipe::Write() {
  while (written_ < data_.size()) {
    const ssize_t size = ::write(watch_->fd(), data_.data() + written_, data_.size() - written_);
    if (size >= 0) {
      written_ += static_cast<std::size_t>(size);
    } else if (MustWait(errno)) {
      return watch_->WaitWritable();
    } else if (errno != EINTR) {
      break;
    }
  }
  std::string().swap(data_);
  watch_.reset();
}

OutputPipe::OutputPipe(Reactor& reactor, OwnedFd fd, Sink sink, std::function<void()> on_end)
    : sink_(std::move(sink)), on_end_(std::move(on_end)) {
  watch_.emplace(reactor, std::move(fd), [this] { Read(); });
}

void OutputPipe::Start() { watch_->WaitReadable(); }

void OutputPipe::Read() {
  if (ReadUpTo(kTurnBytes)) return watch_->WaitReadable();
  watch_.reset();
  on_end_();
}

void OutputPipe::Drain() {
  if (!watch_) return;
  ReadUpTo(kPipeBytes);
  watch_.reset();
}

bool OutputPipe::ReadUpTo(std::size_t bytes) {
  std::array<char, std::size_t{64} << 10> buffer;
  for (std::size_t total = 0; total < bytes;) {
    const ssize_t size = ::read(watch_->fd(), buffer.data(), buffer.size());
    if (size > 0) {
      total += static_cast<std::size_t>(size);
      sink_({buffer.data(), static_cast<std::size_t>(size)});
    } else if (size < 0 && errno == EINTR) {
      continue;
    } else {
      return size < 0 && MustWait(errno);
    }
  }
  return true;
}

}  // namespace workpool
