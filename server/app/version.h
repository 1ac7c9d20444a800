// The version of this build, as --version and workpool_build_info show it.
#pragma once

#include <string_view>

namespace workpool {

std::string_view Version();

}  // namespace workpool
