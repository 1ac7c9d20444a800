// Answers requests: what each path gives, and how an answer looks on the wire.
#pragma once

#include <string>

#include "http/http_server.h"
#include "http/request.h"

namespace workpool::http {

struct HttpResponse {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body{};
  std::string allow{};  // the Allow header, where not empty
};

// Calls the route that the path names; never throws.
HttpResponse AnswerRequest(const HttpRequest& request, const HttpRoutes& routes);

// A plain answer that names its status: "404 Not Found".
HttpResponse PlainResponse(int status);

// The bytes to send. With `head_only` the body is left out, its length is still told.
std::string WireForm(const HttpResponse& response, bool head_only, bool keep_alive);

}  // namespace workpool::http
