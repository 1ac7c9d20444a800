// How a message and its fields look in the log, without time and level: for people and as members
// of a JSON object. Whatever bytes come in, one line of valid UTF-8 goes out.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "base/log.h"

namespace workpool {

using LogFields = std::initializer_list<LogField>;

// `job failed job=17 caller="a b"`
std::string FormatLogText(std::string_view message, LogFields fields);

// `"message":"job failed","job":17,"caller":"a b"`. Whole numbers above 2^53 are strings, because
// many readers of JSON would round them.
std::string FormatLogJson(std::string_view message, LogFields fields);

std::string_view NameOf(LogLevel level);  // "debug", "info", "warn", "error"

}  // namespace workpool
