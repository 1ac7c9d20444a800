#include "http/request.h"

#include <algorithm>

namespace workpool::http {
namespace {

constexpr std::string_view kEndOfHead = "\r\n\r\n";

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool EqualIgnoringCase(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, Lower, Lower);
}

bool IsTokenChar(char c) {
  constexpr std::string_view kOthers = "!#$%&'*+-.^_`|~";
  return (c >= '0' && c <= '9') || (Lower(c) >= 'a' && Lower(c) <= 'z') ||
         kOthers.find(c) != std::string_view::npos;
}

bool IsToken(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, IsTokenChar);
}

bool IsVisible(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c > ' ' && c < 127; });
}

std::string_view Trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// Cuts the part before `separator` off the front of `text`; all of it where there is none.
std::string_view CutFront(std::string_view& text, std::string_view separator) {
  const auto at = text.find(separator);
  const std::string_view front = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view{} : text.substr(at + separator.size());
  return front;
}

bool ListHas(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    if (EqualIgnoringCase(Trim(CutFront(list, ",")), word)) return true;
  }
  return false;
}

std::string_view PathOf(std::string_view target) {
  constexpr std::string_view kScheme = "http://";
  if (EqualIgnoringCase(target.substr(0, kScheme.size()), kScheme)) {
    const auto slash = target.find('/', kScheme.size());
    target = slash == std::string_view::npos ? "/" : target.substr(slash);
  }
  return target.substr(0, target.find('?'));
}

ParseStatus ParseRequestLine(std::string_view line, ParsedRequest& parsed) {
  const std::string_view method = CutFront(line, " ");
  const std::string_view target = CutFront(line, " ");
  if (!IsToken(method) || !IsVisible(target) || !line.starts_with("HTTP/")) {
    return ParseStatus::kBadRequest;
  }
  if (line != "HTTP/1.1" && line != "HTTP/1.0") return ParseStatus::kVersionUnsupported;
  parsed.request.method = method;
  parsed.request.path = PathOf(target);
  parsed.request.keep_alive = line == "HTTP/1.1";
  return ParseStatus::kComplete;
}

struct HeaderFacts {
  bool close = false;
  bool keep_alive = false;
  bool body = false;
};

bool ParseHeader(std::string_view line, HeaderFacts& facts) {
  if (line.find(':') == std::string_view::npos) return false;
  const std::string_view name = CutFront(line, ":");
  const std::string_view value = Trim(line);
  if (!IsToken(name)) return false;
  if (EqualIgnoringCase(name, "connection")) {
    facts.close |= ListHas(value, "close");
    facts.keep_alive |= ListHas(value, "keep-alive");
  }
  facts.body |= EqualIgnoringCase(name, "transfer-encoding") ||
                (EqualIgnoringCase(name, "content-length") && value != "0");
  return true;
}

}  // namespace

ParsedRequest ParseHttpRequest(std::string_view bytes) {
  ParsedRequest parsed;
  const auto end = bytes.find(kEndOfHead);
  if (end == std::string_view::npos) return parsed;
  std::string_view head = bytes.substr(0, end);
  parsed.consumed = end + kEndOfHead.size();
  parsed.status = ParseRequestLine(CutFront(head, "\r\n"), parsed);
  HeaderFacts facts;
  while (parsed.status == ParseStatus::kComplete && !head.empty()) {
    if (!ParseHeader(CutFront(head, "\r\n"), facts)) parsed.status = ParseStatus::kBadRequest;
  }
  parsed.request.keep_alive =
      (parsed.request.keep_alive || facts.keep_alive) && !facts.close && !facts.body;
  return parsed;
}

}  // namespace workpool::http
