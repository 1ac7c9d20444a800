#include "http/request.h"

#include <gtest/gtest.h>

namespace workpool::http {
namespace {

ParsedRequest Parse(std::string_view head) { return ParseHttpRequest(head); }

TEST(RequestTest, ReadsMethodAndPath) {
  const ParsedRequest parsed = Parse("GET /metrics HTTP/1.1\r\nHost: here\r\n\r\n");
  EXPECT_EQ(parsed.status, ParseStatus::kComplete);
  EXPECT_EQ(parsed.request.method, "GET");
  EXPECT_EQ(parsed.request.path, "/metrics");
}

TEST(RequestTest, PathIsWithoutQueryAndAuthority) {
  EXPECT_EQ(Parse("GET /readyz?verbose=1 HTTP/1.1\r\n\r\n").request.path, "/readyz");
  EXPECT_EQ(Parse("GET HTTP://host:1/healthz?x HTTP/1.1\r\n\r\n").request.path, "/healthz");
  EXPECT_EQ(Parse("GET http://host HTTP/1.1\r\n\r\n").request.path, "/");
}

TEST(RequestTest, EveryPrefixIsIncomplete) {
  const std::string head = "GET / HTTP/1.1\r\nHost: here\r\n\r\n";
  for (std::size_t length = 0; length < head.size(); ++length) {
    EXPECT_EQ(Parse(head.substr(0, length)).status, ParseStatus::kIncomplete) << length;
  }
}

TEST(RequestTest, WhatFollowsTheHeadIsLeft) {
  const std::string first = "GET / HTTP/1.1\r\n\r\n";
  EXPECT_EQ(Parse(first + "GET /next HTTP/1.1\r\n\r\n").consumed, first.size());
}

TEST(RequestTest, ConnectionIsKeptAsTheVersionsSay) {
  EXPECT_TRUE(Parse("GET / HTTP/1.1\r\n\r\n").request.keep_alive);
  EXPECT_FALSE(Parse("GET / HTTP/1.1\r\nConnection: TE, Close\r\n\r\n").request.keep_alive);
  EXPECT_FALSE(Parse("GET / HTTP/1.0\r\n\r\n").request.keep_alive);
  EXPECT_TRUE(Parse("GET / HTTP/1.0\r\nconnection:keep-alive\r\n\r\n").request.keep_alive);
}

TEST(RequestTest, BodyEndsTheConnection) {
  EXPECT_FALSE(Parse("GET / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc").request.keep_alive);
  EXPECT_FALSE(Parse("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n").request.keep_alive);
  EXPECT_TRUE(Parse("GET / HTTP/1.1\r\nContent-Length: 0\r\n\r\n").request.keep_alive);
}

TEST(RequestTest, OtherVersionsAreNotServed) {
  EXPECT_EQ(Parse("GET / HTTP/2.0\r\n\r\n").status, ParseStatus::kVersionUnsupported);
  EXPECT_EQ(Parse("GET / HTTP/1.1 \r\n\r\n").status, ParseStatus::kVersionUnsupported);
}

TEST(RequestTest, WhatIsNoHttpIsRefused) {
  const char* const heads[] = {
      "\r\n\r\n",
      "GET\r\n\r\n",
      "GET /\r\n\r\n",
      "G(T / HTTP/1.1\r\n\r\n",
      "GET  HTTP/1.1\r\n\r\n",
      "GET /\x01 HTTP/1.1\r\n\r\n",
      "GET / HTTP/1.1\r\nno colon\r\n\r\n",
      "GET / HTTP/1.1\r\n: no name\r\n\r\n",
      "GET / HTTP/1.1\r\nbad name: x\r\n\r\n",
      "\x16\x03\x01 hello, this is TLS\r\n\r\n",
  };
  for (const char* head : heads) EXPECT_EQ(Parse(head).status, ParseStatus::kBadRequest) << head;
}

}  // namespace
}  // namespace workpool::http
