#include "handlers/stderr_lines.h"

#include <algorithm>
#include <utility>

namespace workpool {

StderrLines::StderrLines(std::function<void(std::string_view)> append, std::size_t max_bytes)
    : append_(std::move(append)), max_bytes_(max_bytes) {}

void StderrLines::Write(std::string_view bytes) {
  if (appended_ > max_bytes_) bytes = SkipLines(bytes);
  WriteLines(bytes);
}

void StderrLines::WriteLines(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::size_t size = std::min({end, bytes.size(), kMaxLine - line_.size()});
    line_ += bytes.substr(0, size);
    const bool ended = size == end;
    bytes.remove_prefix(ended ? size + 1 : size);
    if (ended || line_.size() == kMaxLine) EndLine();
  }
}

// A command may write lines as fast as a pipe takes them: those that nobody keeps must cost no work
// for each. Only what the last one says is wanted.
std::string_view StderrLines::SkipLines(std::string_view bytes) {
  const std::size_t begin = bytes.find('\n') + 1;
  const std::size_t end = bytes.rfind('\n') + 1;
  if (begin == end) return bytes;
  WriteLines(bytes.substr(0, begin));  // the end of a line that has begun
  const std::string_view lines = bytes.substr(begin, end - begin);
  const std::size_t ink = lines.find_last_not_of(" \t\r\n");
  if (ink != std::string_view::npos) {
    const std::size_t line = lines.rfind('\n', ink) + 1;
    const std::size_t part = line + (ink - line) / kMaxLine * kMaxLine;
    last_ = lines.substr(part, std::min(lines.find('\n', ink) - part, kMaxLine));
  }
  return bytes.substr(end);
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
