#include "http/response.h"

#include <fmt/format.h>

#include <string_view>

namespace workpool::http {
namespace {

std::string_view PhraseOf(int status) {
  switch (status) {
    case 200: return "OK";
    case 400: return "Bad Request";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 431: return "Request Header Fields Too Large";
    case 503: return "Service Unavailable";
    case 505: return "HTTP Version Not Supported";
    default: return "Internal Server Error";
  }
}

HttpResponse AnswerPath(const std::string& path, const HttpRoutes& routes) {
  if (path == "/metrics") {
    return {.content_type = "text/plain; version=0.0.4; charset=utf-8", .body = routes.metrics()};
  }
  if (path == "/healthz") return {.body = "ok\n"};
  if (path == "/readyz") {
    const bool ready = routes.ready();
    return {.status = ready ? 200 : 503, .body = ready ? "ready\n" : "not ready\n"};
  }
  return PlainResponse(404);
}

}  // namespace

HttpResponse PlainResponse(int status) {
  return {.status = status, .body = fmt::format("{} {}\n", status, PhraseOf(status))};
}

HttpResponse AnswerRequest(const HttpRequest& request, const HttpRoutes& routes) {
  if (request.method != "GET" && request.method != "HEAD") {
    HttpResponse response = PlainResponse(405);
    response.allow = "GET, HEAD";
    return response;
  }
  try {
    return AnswerPath(request.path, routes);
  } catch (...) {
    return PlainResponse(500);
  }
}

std::string WireForm(const HttpResponse& response, bool head_only, bool keep_alive) {
  std::string wire = fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n"
      "Connection: {}\r\n",
      response.status, PhraseOf(response.status), response.content_type, response.body.size(),
      keep_alive ? "keep-alive" : "close");
  if (!response.allow.empty()) wire += fmt::format("Allow: {}\r\n", response.allow);
  wire += "\r\n";
  if (!head_only) wire += response.body;
  return wire;
}

}  // namespace workpool::http
