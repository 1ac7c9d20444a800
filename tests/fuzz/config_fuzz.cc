// Any bytes as a config file: refused with a message, or a config whose print reads back the same.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "app/config_printer.h"
#include "app/config_reader.h"
#include "base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const workpool::KnownHandlers known{{"echo"}, {"resize"}};
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto config = workpool::ParseConfig(text, "fuzz", known);
  if (!config) {
    WORKPOOL_CHECK(config.error().message.starts_with("fuzz:"));
    return 0;
  }
  const std::string printed = workpool::PrintConfig(*config, 2);
  const auto again = workpool::ParseConfig(printed, "fuzz", known);
  WORKPOOL_CHECK(again.has_value());
  WORKPOOL_CHECK(workpool::PrintConfig(*again, 2) == printed);
  return 0;
}
