// The HTTP request parser on any bytes.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "http/request.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const workpool::http::ParsedRequest parsed = workpool::http::ParseHttpRequest(bytes);
  WORKPOOL_CHECK(parsed.consumed <= size);
  if (parsed.status == workpool::http::ParseStatus::kComplete) {
    WORKPOOL_CHECK(!parsed.request.method.empty());
    // What follows a head must not change how it is read.
    const auto alone = workpool::http::ParseHttpRequest(bytes.substr(0, parsed.consumed));
    WORKPOOL_CHECK(alone.status == workpool::http::ParseStatus::kComplete);
    WORKPOOL_CHECK(alone.request.path == parsed.request.path);
  }
  return 0;
}
