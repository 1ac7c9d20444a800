// A file of jobs, read line by line.
#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>

#include "workpool/client/work.h"

namespace workpool::cli {

// A longer line is not read to its end; payloads that do not fit go by --payload-file.
inline constexpr std::size_t kMaxBulkLine = 64 * 1024 * 1024;

class BulkFile {
 public:
  BulkFile(std::string path, const client::Work& defaults);

  // The next job; nothing at the end or after a failure. Lines of white space are passed over.
  std::optional<client::Work> Next();

  // The number of the line that Next read last.
  std::uint64_t line() const { return line_; }
  // "FILE:LINE: the rule", or why the file cannot be read; empty if all was well.
  const std::string& failure() const { return failure_; }

 private:
  // False at the end of the file or after a failure.
  bool ReadLine();

  const std::string path_;
  const client::Work& defaults_;
  std::ifstream file_;
  std::string text_;
  std::uint64_t line_ = 0;
  std::string failure_;
};

}  // namespace workpool::cli
