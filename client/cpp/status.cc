#include "status.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

namespace workpool::client {

namespace {

std::string_view Trailing(const grpc::ClientContext& context, const char* key) {
  const auto& metadata = context.GetServerTrailingMetadata();
  const auto found = metadata.find(key);
  if (found == metadata.end()) return {};
  return {found->second.data(), found->second.size()};
}

}  // namespace

Error ErrorOf(const grpc::Status& status, const grpc::ClientContext& context) {
  Error error{static_cast<StatusCode>(status.error_code()),
              std::string(Trailing(context, "workpool-reason")),
              status.error_message(),
              {}};
  // gRPC tells only here who made a status.
  error.from_daemon = !error.reason.empty() ||
                      context.debug_error_string().find("received from peer") != std::string::npos;
  const std::string_view push_back = Trailing(context, "grpc-retry-pushback-ms");
  std::int64_t ms = 0;
  const auto parsed = std::from_chars(push_back.data(), push_back.data() + push_back.size(), ms);
  if (parsed.ec == std::errc() && ms >= 0) error.retry_after = std::chrono::milliseconds(ms);
  return error;
}

std::unexpected<Error> Refuse(StatusCode code, std::string message) {
  return std::unexpected<Error>(Error{code, {}, std::move(message), {}});
}

bool IsQueueFull(const Error& error) {
  return error.code == StatusCode::kResourceExhausted && error.reason == "QUEUE_FULL";
}

std::chrono::milliseconds PushBackOf(const Error& error) {
  using std::chrono::milliseconds;
  return std::max(error.retry_after.value_or(milliseconds(10)), milliseconds(1));
}

}  // namespace workpool::client
