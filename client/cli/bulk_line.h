// One line of a file of jobs.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "workpool/client/work.h"

namespace workpool::cli {

// Takes an object with any of payload (text), payload_base64 or payload_json, pool, priority,
// timeout, caller, content_type, metadata, when_full, wait_timeout. What it does not say is as in
// `defaults`. An unknown or repeated key, a wrong type or value is an error that says which rule
// was broken. Never throws.
std::expected<client::Work, std::string> ParseBulkLine(std::string_view line,
                                                       const client::Work& defaults);

}  // namespace workpool::cli
