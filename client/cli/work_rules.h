// What holds for every post, whatever the daemon's config says.
#pragma once

#include <optional>
#include <string>

#include "workpool/client/work.h"

namespace workpool::cli {

// The first rule that the names or texts of `work` break, with the field's name; nothing if all is
// well. The daemon has the same rules.
std::optional<std::string> BrokenRule(const client::Work& work);

}  // namespace workpool::cli
