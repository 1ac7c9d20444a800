// Names in a message.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace workpool {

// `"a", "b"`, each made printable; after the first ten only how many more there are.
std::string NameList(const std::vector<std::string_view>& names);

}  // namespace workpool
