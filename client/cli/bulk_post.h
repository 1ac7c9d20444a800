// Posting a job for each line of a file.
#pragma once

#include <string>
#include <string_view>

#include "output.h"
#include "workpool/client/work.h"

namespace workpool::cli {

// True if `--file` with this name means a list of jobs: it ends in ".jsonl".
bool IsBulkFile(std::string_view path);

struct BulkOptions {
  // The handler, and the values for what a line does not say.
  client::Work defaults;
  std::string path;
  // Posts that find no room are tried again, without end.
  bool retry = false;
};

// Checks the whole file first and posts nothing if a line is wrong.
Exit PostBulk(const Session& session, const BulkOptions& options);

}  // namespace workpool::cli
