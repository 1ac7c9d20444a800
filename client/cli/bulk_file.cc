#include "bulk_file.h"

#include <fmt/format.h>

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

std::optional<client::Work> BulkFile::Next() {
  while (failure_.empty() && std::getline(file_, text_)) {
    ++line_;
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
