#include "base/name_list.h"

#include <algorithm>
#include <cstddef>

#include "base/names.h"

namespace workpool {

std::string NameList(const std::vector<std::string_view>& names) {
  constexpr std::size_t kMaxShown = 10;
  const std::size_t shown = std::min(names.size(), kMaxShown);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) text += ", ";
    text += "\"" + Printable(names[i]) + "\"";
  }
  if (names.size() > shown) text += " and " + std::to_string(names.size() - shown) + " more";
  return text;
}

}  // namespace workpool
