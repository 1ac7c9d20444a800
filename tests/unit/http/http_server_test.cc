#include "http/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

#include "unit/http/client.h"

namespace workpool::http {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;

class HttpServerTest : public ::testing::Test {
 protected:
  void Start(const HttpLimits& limits = {}, const std::string& listen = "127.0.0.1:0") {
    auto started = HttpServer::Start(
        listen, {.metrics = [this] { return metrics_; }, .ready = [this] { return ready_.load(); }},
        limits);
    ASSERT_TRUE(started) << started.error().message;
    server_ = *std::move(started);
  }

  HttpClient Connect() {
    HttpClient client(server_->address());
    EXPECT_TRUE(client.Connect());
    return client;
  }

  HttpAnswer Ask(const std::string& head, bool head_only = false) {
    HttpClient client = Connect();
    EXPECT_TRUE(client.Send(head));
    return client.Receive(head_only).value_or(HttpAnswer{});
  }

  HttpAnswer Get(const std::string& path) {
    return Ask("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
  }

  std::string metrics_ = "workpool_queued 1\n";
  std::atomic<bool> ready_{true};
  std::unique_ptr<HttpServer> server_;
};

TEST_F(HttpServerTest, MetricsHaveTheTextFormatsType) {
  Start();
  const HttpAnswer answer = Get("/metrics");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, metrics_);
  EXPECT_TRUE(answer.Has("Content-Type: text/plain; version=0.0.4; charset=utf-8"));
}

TEST_F(HttpServerTest, ReadinessFollowsTheDaemon) {
  Start();
  EXPECT_EQ(Get("/readyz").status, 200);
  ready_ = false;
  EXPECT_EQ(Get("/readyz").status, 503);
  EXPECT_EQ(Get("/healthz").status, 200);
}

TEST_F(HttpServerTest, HeadTellsTheLengthAndSendsNoBody) {
  Start();
  HttpClient client = Connect();
  ASSERT_TRUE(client.Send("HEAD /metrics HTTP/1.1\r\nConnection: close\r\n\r\n"));
  const auto answer = client.Receive(true);
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->Has("Content-Length: " + std::to_string(metrics_.size())));
  EXPECT_TRUE(client.AtEnd());
}

TEST_F(HttpServerTest, OtherPathsAndMethodsAreRefused) {
  Start();
  EXPECT_EQ(Get("/").status, 404);
  EXPECT_EQ(Get("/metrics/").status, 404);
  const HttpAnswer answer = Ask("POST /metrics HTTP/1.1\r\nContent-Length: 2\r\n\r\nab");
  EXPECT_EQ(answer.status, 405);
  EXPECT_TRUE(answer.Has("Allow: GET, HEAD"));
}

TEST_F(HttpServerTest, BadRequestsAreAnsweredAndTheConnectionEnds) {
  Start({.request_bytes = 200});
  const std::pair<std::string, int> cases[] = {
      {"rubbish\r\n\r\n", 400},
      {"GET / HTTP/3.0\r\n\r\n", 505},
      {"GET / HTTP/1.1\r\nLong: " + std::string(300, 'x'), 431},
      {"GET / HTTP/1.1\r\nLong: " + std::string(300, 'x') + "\r\n\r\n", 431},
  };
  for (const auto& [head, status] : cases) {
    HttpClient client = Connect();
    ASSERT_TRUE(client.Send(head));
    const auto answer = client.Receive();
    ASSERT_TRUE(answer) << head;
    EXPECT_EQ(answer->status, status) << head;
    EXPECT_TRUE(client.AtEnd()) << head;
  }
}

TEST_F(HttpServerTest, WhatARouteThrowsIsAnswered) {
  auto started = HttpServer::Start(
      "127.0.0.1:0", {.metrics = []() -> std::string { throw std::runtime_error("no"); },
                      .ready = []() -> bool { throw 1; }});
  ASSERT_TRUE(started);
  server_ = *std::move(started);
  EXPECT_EQ(Get("/metrics").status, 500);
  EXPECT_EQ(Get("/readyz").status, 500);
  EXPECT_EQ(Get("/healthz").status, 200);
}

TEST_F(HttpServerTest, ConnectionServesManyRequestsAlsoSentAtOnce) {
  Start();
  HttpClient client = Connect();
  const std::string one = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
  ASSERT_TRUE(client.Send(one));
  EXPECT_EQ(client.Receive()->status, 200);
  ASSERT_TRUE(client.Send(one + one + "GET /none HTTP/1.1\r\n\r\n"));
  EXPECT_EQ(client.Receive()->status, 200);
  EXPECT_EQ(client.Receive()->status, 200);
  EXPECT_EQ(client.Receive()->status, 404);
}

TEST_F(HttpServerTest, RequestThatNeverEndsIsCutOff) {
  Start({.request_time = std::chrono::milliseconds(20)});
  HttpClient client = Connect();
  ASSERT_TRUE(client.Send("GET /metrics HTT"));
  EXPECT_TRUE(client.AtEnd());
}

TEST_F(HttpServerTest, IdleConnectionIsClosedAfterItsTime) {
  Start({.idle_time = std::chrono::milliseconds(20)});
  HttpClient client = Connect();
  ASSERT_TRUE(client.Send("GET /healthz HTTP/1.1\r\n\r\n"));
  EXPECT_TRUE(client.Receive());
  EXPECT_TRUE(client.AtEnd());
}

TEST_F(HttpServerTest, ClientThatDoesNotReadHoldsUpNobody) {
  metrics_.assign(16 << 20, 'x');
  Start();
  HttpClient slow = Connect();
  ASSERT_TRUE(slow.Send("GET /metrics HTTP/1.1\r\n\r\n"));
  EXPECT_EQ(Get("/healthz").status, 200);
  const auto answer = slow.Receive();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->body.size(), metrics_.size());
}

TEST_F(HttpServerTest, NewConnectionTakesThePlaceOfTheOneIdleForLongest) {
  Start({.connections = 2});
  const std::string request = "GET /healthz HTTP/1.1\r\n\r\n";
  HttpClient first = Connect();
  ASSERT_TRUE(first.Send(request));
  EXPECT_TRUE(first.Receive());
  HttpClient second = Connect();
  ASSERT_TRUE(second.Send(request));
  EXPECT_TRUE(second.Receive());
  HttpClient third = Connect();
  ASSERT_TRUE(third.Send(request));
  EXPECT_TRUE(third.Receive());
  EXPECT_TRUE(first.AtEnd());
  ASSERT_TRUE(second.Send(request));
  EXPECT_TRUE(second.Receive());
}

// Clients that take every place and never get on: a new one is answered at once all the same, long
// before their time is over.
TEST_F(HttpServerTest, NobodyIsShutOutByClientsThatDoNotGetOn) {
  metrics_.assign(16 << 20, 'x');
  for (const char* sent :
       {"", "GET /healthz HTTP/1.1\r\nHost: x\r\n", "GET", "GET /metrics HTTP/1.1\r\n\r\n",
        "GET /metrics HTTP/1.1\r\n\r\nGET", "nonsense\r\n\r\n"}) {
    Start({.connections = 4, .request_time = std::chrono::hours(1)});
    std::vector<HttpClient> others;
    for (int i = 0; i < 40; ++i) {
      others.push_back(Connect());
      ASSERT_TRUE(others.back().Send(sent));
    }
    EXPECT_EQ(Get("/healthz").status, 200) << sent;
  }
}

TEST_F(HttpServerTest, TheOneThatHasWaitedLongestMakesRoom) {
  Start({.connections = 2, .request_time = std::chrono::hours(1)});
  const std::string request = "GET /healthz HTTP/1.1\r\n\r\n";
  HttpClient first = Connect();
  ASSERT_TRUE(first.Send("GET /heal"));
  HttpClient second = Connect();
  ASSERT_TRUE(second.Send("GET /heal"));
  HttpClient third = Connect();
  ASSERT_TRUE(third.Send(request));
  EXPECT_TRUE(third.Receive());
  EXPECT_TRUE(first.AtEnd());
  HttpClient fourth = Connect();  // takes the place of the third, which is idle
  ASSERT_TRUE(fourth.Send(request));
  EXPECT_TRUE(fourth.Receive());
  EXPECT_TRUE(third.AtEnd());
  ASSERT_TRUE(second.Send("thz HTTP/1.1\r\n\r\n"));
  EXPECT_TRUE(second.Receive());
}

TEST_F(HttpServerTest, StopsAtOnceWithConnectionsOpen) {
  Start();
  HttpClient idle = Connect();
  HttpClient half = Connect();
  ASSERT_TRUE(half.Send("GET /met"));
  const auto before = std::chrono::steady_clock::now();
  server_.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(1));
  EXPECT_TRUE(idle.AtEnd());
}

TEST_F(HttpServerTest, TakenPortIsNamedWithTheReason) {
  Start();
  const auto second = HttpServer::Start(server_->address(), {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kInternal);
  EXPECT_THAT(second.error().message,
              AllOf(HasSubstr(server_->address()), HasSubstr("Address already in use")));
}

TEST_F(HttpServerTest, AddressesThatAreNoneAreNamed) {
  for (const char* listen : {"", "localhost", ":80", "127.0.0.1:", "::1:80", "127.0.0.1:http",
                             "127.0.0.1:70000", "[::1:80", "203.0.113.1:0"}) {
    const auto started = HttpServer::Start(listen, {});
    ASSERT_FALSE(started) << listen;
    EXPECT_THAT(started.error().message, HasSubstr(listen));
  }
}

// On a machine without IPv6 the system's reason says so.
TEST_F(HttpServerTest, ServesIpv6) {
  auto started = HttpServer::Start("[::1]:0", {});
  if (!started) {
    EXPECT_THAT(started.error().message, AnyOf(HasSubstr("Cannot assign requested address"),
                                               HasSubstr("Address family not supported")));
    return;
  }
  server_ = *std::move(started);
  EXPECT_THAT(server_->address(), HasSubstr("[::1]:"));
  EXPECT_EQ(Get("/healthz").status, 200);
}

}  // namespace
}  // namespace workpool::http
