// The process runs out of descriptors while clients connect.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>

#include <chrono>
#include <ctime>
#include <deque>
#include <vector>

#include "http/http_server.h"
#include "unit/http/client.h"

namespace workpool::http {
namespace {

const char kRequest[] = "GET /healthz HTTP/1.1\r\n\r\n";

std::chrono::nanoseconds ProcessorTime() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

class DescriptorsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    getrlimit(RLIMIT_NOFILE, &before_);
    auto started = HttpServer::Start("127.0.0.1:0",
                                     {.metrics = [] { return ""; }, .ready = [] { return true; }});
    ASSERT_TRUE(started);
    server_ = *std::move(started);
  }
  void TearDown() override {
    taken_.clear();
    setrlimit(RLIMIT_NOFILE, &before_);
  }

  void TakeAllDescriptors() {
    const rlimit few{.rlim_cur = 64, .rlim_max = before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &few);
    for (int fd = open("/dev/null", O_RDONLY); fd >= 0; fd = open("/dev/null", O_RDONLY)) {
      taken_.emplace_back(fd);
    }
  }

  static bool ReadableWithin(const HttpClient& client, int milliseconds) {
    pollfd entry{.fd = client.fd(), .events = POLLIN, .revents = 0};
    return poll(&entry, 1, milliseconds) > 0;
  }

  rlimit before_{};
  std::deque<Descriptor> taken_;
  std::unique_ptr<HttpServer> server_;
};

// Case 50 for this port: it takes no more than its share of the table.
TEST_F(DescriptorsTest, ManyClientsLeaveDescriptorsForOthers) {
  const rlimit few{.rlim_cur = 64, .rlim_max = before_.rlim_max};
  setrlimit(RLIMIT_NOFILE, &few);
  server_.reset();
  auto started = HttpServer::Start("127.0.0.1:0",
                                   {.metrics = [] { return ""; }, .ready = [] { return true; }});
  ASSERT_TRUE(started);
  server_ = *std::move(started);
  setrlimit(RLIMIT_NOFILE, &before_);
  std::vector<HttpClient> clients;
  clients.reserve(9);
  for (int i = 0; i < 9; ++i) clients.emplace_back(server_->address());
  for (HttpClient& client : clients) {
    ASSERT_TRUE(client.Connect());
    ASSERT_TRUE(client.Send("GET"));  // and not yet the rest
  }
  ASSERT_TRUE(clients[8].Send(" /healthz HTTP/1.1\r\n\r\n"));
  EXPECT_TRUE(clients[8].Receive());  // in the place of the first
  EXPECT_TRUE(clients[0].AtEnd());
}

TEST_F(DescriptorsTest, OneClientAtATimeIsStillServed) {
  std::vector<HttpClient> clients;
  clients.reserve(5);
  for (int i = 0; i < 5; ++i) clients.emplace_back(server_->address());
  TakeAllDescriptors();
  for (HttpClient& client : clients) {
    ASSERT_TRUE(client.Connect());
    ASSERT_TRUE(client.Send(kRequest));
    const auto answer = client.Receive();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 200);
    // The server closes its end; the client's descriptor stays taken.
    shutdown(client.fd(), SHUT_WR);
  }
}

TEST_F(DescriptorsTest, WaitsWithoutSpinningAndRecovers) {
  HttpClient first(server_->address());
  HttpClient second(server_->address());
  TakeAllDescriptors();
  ASSERT_TRUE(first.Connect());
  ASSERT_TRUE(first.Send(kRequest));
  ASSERT_TRUE(first.Receive());
  ASSERT_TRUE(second.Connect());
  ASSERT_TRUE(second.Send(kRequest));
  const auto before = ProcessorTime();
  EXPECT_FALSE(ReadableWithin(second, 300));
  EXPECT_LT(ProcessorTime() - before, std::chrono::milliseconds(100));
  taken_.clear();
  EXPECT_TRUE(second.Receive());
}

}  // namespace
}  // namespace workpool::http
