#include "handlers/stderr_lines.h"

#include <algorithm>
#include <utility>

namespace workpool {

StderrLines::StderrLines(std::function<void(std::string_view)> append, std::size_t max_bytes)
    : append_(std::move(append)), max_bytes_(max_bytes) {}

void StderrLines::Write(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::size_t size = std::min({end, bytes.size(), kMaxLine - line_.size()});
    line_ += bytes.substr(0, size);
    const bool ended = size == end;
    bytes.remove_prefix(ended ? size + 1 : size);
    if (ended || line_.size() == kMaxLine) EndLine();
  }
}

void StderrLines::Finish() {
  if (!line_.empty()) EndLine();
}

void StderrLines::EndLine() {
  if (appended_ <= max_bytes_) {
    append_(line_);
    appended_ += line_.size() + 1;
  }
  if (line_.find_first_not_of(" \t\r") != std::string::npos) last_ = line_;
  line_.clear();
}

}  // namespace workpool
