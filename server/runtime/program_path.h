// Which file a program's name means.
#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace workpool {

// A name with a slash is the file itself. Any other is looked up in `path` (folders parted by
// colons; those that are not absolute are passed over). On failure an errno: EACCES if a file of
// that name is there and may not be run, else ENOENT.
std::expected<std::string, int> FindProgram(const std::string& name, std::string_view path);

// 0 if the file is there and may be run, else an errno.
int WhyNotRun(const std::string& file);

}  // namespace workpool
