// The parser of a line of jobs: any bytes are a job or an error with a rule, never a crash.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "bulk_line.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  const auto work = workpool::cli::ParseBulkLine(line, {});
  WORKPOOL_CHECK(work || !work.error().empty());
  WORKPOOL_CHECK(!work || !work->priority || *work->priority <= 9);
  return 0;
}
