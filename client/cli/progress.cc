#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "output.h"

namespace workpool::cli {

Progress::Progress(bool wanted, std::uint64_t total)
    : drawn_(wanted && isatty(STDERR_FILENO) == 1), total_(total) {}

void Progress::Show(std::uint64_t done, std::uint64_t accepted, std::uint64_t rejected) {
  constexpr std::uint64_t kWidth = 24;
  const auto now = std::chrono::steady_clock::now();
  if (!drawn_ || total_ == 0 || (now < next_ && done < total_)) return;
  next_ = now + std::chrono::milliseconds(100);
  const double seconds = std::chrono::duration<double>(now - started_).count();
  const std::uint64_t filled = done * kWidth / total_;
  Tell(fmt::format("\r\033[K[{}{}] {}% {}/{}  accepted {}  rejected {}  {:.0f}/s",
                   std::string(filled, '#'), std::string(kWidth - filled, '.'), done * 100 / total_,
                   done, total_, accepted, rejected,
                   seconds > 0 ? static_cast<double>(done) / seconds : 0.0));
}

void Progress::Clear() {
  if (drawn_) Tell("\r\033[K");
}

}  // namespace workpool::cli
