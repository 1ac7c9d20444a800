#include "output.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/names.h"
#include "show.h"

namespace workpool::cli {

using client::StatusCode;

namespace {

// Why output was lost first; 0 if none was. Later writes may seem to succeed.
int write_error = 0;

void NoteFailure() {
  if (write_error == 0) write_error = errno == 0 ? EIO : errno;
}

}  // namespace

void Print(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) NoteFailure();
}

bool Flush() {
  errno = 0;
  if (std::fflush(stdout) != 0) NoteFailure();
  return write_error == 0;
}

void PrintJson(const nlohmann::ordered_json& value) {
  Print(value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  Flush();
}

void Tell(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

void Complain(std::string_view text) {
  Flush();
  Tell(fmt::format("workpool: {}\n", text));
}

void Warn(const Session& session, std::string_view text) {
  if (!session.json) return Complain(text);
  using Handler = nlohmann::ordered_json::error_handler_t;
  Tell(nlohmann::ordered_json{{"warning", text}}.dump(-1, ' ', false, Handler::replace) + "\n");
}

Exit ExitOf(const client::Error& error) {
  switch (error.code) {
    case StatusCode::kResourceExhausted:
      return error.reason.empty() ? Exit::kRefused : Exit::kRejected;
    case StatusCode::kNotFound: return Exit::kNotFound;
    case StatusCode::kInvalidArgument:
      return error.reason == "BAD_FIELD" ? Exit::kUsage : Exit::kRefused;
    case StatusCode::kUnavailable:
    case StatusCode::kDeadlineExceeded:
      return error.reason.empty() ? Exit::kUnreachable : Exit::kRefused;
    default: return Exit::kRefused;
  }
}

namespace {

// The call got no answer, or one that ends it as a lost connection would.
std::string LostText(const Session& session, const client::Error& error) {
  const std::string message = Clean(error.message);
  if (error.from_daemon) {
    return fmt::format("the daemon at {} ended the call: {}", session.server, message);
  }
  const bool late = error.code == StatusCode::kDeadlineExceeded;
  return fmt::format("{} {}: {}", late ? "no answer from" : "cannot reach the daemon at",
                     session.server, message);
}

void ComplainOfRefusal(const client::Error& error, std::string_view way_out) {
  std::string_view rest = error.message;
  for (auto end = rest.find('\n'); end != rest.npos; end = rest.find('\n')) {
    Complain(Clean(rest.substr(0, end)));
    rest.remove_prefix(end + 1);
  }
  std::string text = fmt::format("{} ({})", Clean(rest),
                                 error.reason.empty() ? client::NameOf(error.code) : error.reason);
  if (error.retry_after) {
    text += fmt::format(": try again in {}{}", DurationText(*error.retry_after), way_out);
  }
  Complain(text);
}

}  // namespace

Exit Report(const Session& session, const client::Error& error, std::string_view way_out) {
  const Exit exit = ExitOf(error);
  if (session.json) {
    nlohmann::ordered_json what = {{"code", client::NameOf(error.code)},
                                   {"reason", error.reason},
                                   {"message", error.message},
                                   {"server", session.server}};
    if (error.retry_after) what["retry_after_ms"] = error.retry_after->count();
    using Handler = nlohmann::ordered_json::error_handler_t;
    Tell(nlohmann::ordered_json{{"error", what}}.dump(-1, ' ', false, Handler::replace) + "\n");
  } else if (exit == Exit::kUnreachable) {
    Complain(LostText(session, error));
  } else {
    ComplainOfRefusal(error, way_out);
  }
  return exit;
}

Exit Conclude(Exit exit) {
  if (Flush() || write_error == EPIPE) return exit;
  Complain(fmt::format("the output is lost: {}", std::strerror(write_error)));
  return exit == Exit::kDone ? Exit::kRefused : exit;
}

std::string Clean(std::string_view text, std::size_t max_bytes) {
  std::string clean = ToValidUtf8(text, max_bytes);
  for (char& c : clean) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return clean;
}

}  // namespace workpool::cli
