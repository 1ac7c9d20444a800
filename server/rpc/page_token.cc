#include "rpc/page_token.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>

namespace workpool::rpc {
namespace {

constexpr std::size_t kDigits = 16;

void Mix(std::string_view bytes, std::uint64_t& hash) {
  for (const char byte : bytes) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 0x100000001b3;
  }
}

// FNV-1a over the id and the filter: against mistakes, not against forgery, which gains nothing.
std::uint64_t Check(JobId before, const v1::JobFilter& filter) {
  std::uint64_t hash = 0xcbf29ce484222325;
  Mix(fmt::format("{:016x}", before), hash);
  Mix(filter.SerializeAsString(), hash);
  return hash;
}

bool ReadHex(std::string_view text, std::uint64_t& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out, 16);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::string MakePageToken(JobId before, const v1::JobFilter& filter) {
  return fmt::format("{:016x}{:016x}", before, Check(before, filter));
}

Result<JobId> ReadPageToken(std::string_view token, const v1::JobFilter& filter) {
  if (token.empty()) return 0;
  JobId before = 0;
  std::uint64_t check = 0;
  const bool read = token.size() == 2 * kDigits && ReadHex(token.substr(0, kDigits), before) &&
                    ReadHex(token.substr(kDigits), check);
  if (!read || before == 0 || check != Check(before, filter)) {
    return Fail(ErrorCode::kBadField,
                "page_token: not the next_page_token of a page with the same filter");
  }
  return before;
}

}  // namespace workpool::rpc
