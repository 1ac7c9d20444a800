// Reads an HTTP/1.x request's head. Nothing of what a client sends is trusted.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace workpool::http {

struct HttpRequest {
  std::string method;
  std::string path;         // without query; what an absolute URI names, too
  bool keep_alive = false;  // the connection can serve another request after this one
};

enum class ParseStatus {
  kIncomplete,  // more bytes are needed
  kComplete,
  kBadRequest,          // no HTTP
  kVersionUnsupported,  // HTTP, and neither 1.0 nor 1.1
};

struct ParsedRequest {
  ParseStatus status = ParseStatus::kIncomplete;
  HttpRequest request;       // with kComplete
  std::size_t consumed = 0;  // bytes of the head, with kComplete
};

// Parses the head that `bytes` begins with. A request that announces a body is complete with
// keep_alive false: nobody here reads bodies.
ParsedRequest ParseHttpRequest(std::string_view bytes);

}  // namespace workpool::http
