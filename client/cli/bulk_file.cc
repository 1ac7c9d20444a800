#include "bulk_file.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "bulk_line.h"
#include "output.h"

namespace workpool::cli {

BulkFile::BulkFile(std::string path, const client::Work& defaults)
    : path_(std::move(path)), defaults_(defaults) {
  std::error_code error;
  if (std::filesystem::is_directory(path_, error)) {
    failure_ = fmt::format("cannot read {}: {}", Clean(path_), std::strerror(EISDIR));
    return;
  }
  file_.open(path_, std::ios::binary);
  if (!file_) failure_ = fmt::format("cannot read {}: {}", Clean(path_), std::strerror(errno));
}

bool BulkFile::ReadLine() {
  constexpr std::size_t kBlock = 65536;
  std::array<char, kBlock> block;
  text_.clear();
  bool goes_on = true;
  while (goes_on && text_.size() <= kMaxBulkLine) {
    file_.getline(block.data(), kBlock);
    const auto got = static_cast<std::size_t>(file_.gcount());
    // A block that is full before the line ends is a failure to getline.
    goes_on = file_.fail() && !file_.eof() && got == kBlock - 1;
    if (goes_on) file_.clear();
    const bool ended = file_.good() && !goes_on;
    text_.append(block.data(), ended ? got - 1 : got);
  }
  if (text_.empty() && !file_.good()) return false;
  ++line_;
  if (text_.size() <= kMaxBulkLine) return true;
  failure_ = fmt::format("{}:{}: longer than {} bytes", Clean(path_), line_, kMaxBulkLine);
  return false;
}

std::optional<client::Work> BulkFile::Next() {
  while (failure_.empty() && ReadLine()) {
    if (text_.find_first_not_of(" \t\r") == std::string::npos) continue;
    auto work = ParseBulkLine(text_, defaults_);
    if (work) return std::move(*work);
    failure_ = fmt::format("{}:{}: {}", Clean(path_), line_, Clean(work.error()));
  }
  if (failure_.empty() && file_.bad()) {
    failure_ = fmt::format("cannot read {}: {}", Clean(path_), std::strerror(errno));
  }
  return std::nullopt;
}

}  // namespace workpool::cli
