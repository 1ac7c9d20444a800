// Which addresses are local, and what is refused without `insecure`.
#include "app/address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace workpool {
namespace {

using testing::HasSubstr;

class LocalAddress : public testing::TestWithParam<std::string> {};
TEST_P(LocalAddress, NeedsNoPermission) { EXPECT_TRUE(CheckListen(GetParam(), false, true)); }
INSTANTIATE_TEST_SUITE_P(All, LocalAddress,
                         testing::Values("127.0.0.1:7650", "127.0.0.1:0", "127.255.3.4:1",
                                         "localhost:65535", "[::1]:7650", "[0:0:0:0:0:0:0:1]:1",
                                         "unix:/run/workpool/grpc.sock"));

class RemoteAddress : public testing::TestWithParam<std::string> {};
TEST_P(RemoteAddress, IsRefusedUnlessInsecure) {
  const auto refused = CheckListen(GetParam(), false, true);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("insecure = true"));
  EXPECT_TRUE(CheckListen(GetParam(), true, true));
}
// Names that only look local must not pass as such.
INSTANTIATE_TEST_SUITE_P(All, RemoteAddress,
                         testing::Values("0.0.0.0:7650", "[::]:7650", "[::ffff:127.0.0.1]:1",
                                         "10.0.0.1:1", "128.0.0.1:1", "example.com:1",
                                         "localhost.example.com:1", "127.0.0.1.example.com:1"));

class BadAddress : public testing::TestWithParam<std::string> {};
TEST_P(BadAddress, IsRefusedEvenWithInsecure) {
  const auto refused = CheckListen(GetParam(), true, true);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kBadField);
}
INSTANTIATE_TEST_SUITE_P(All, BadAddress,
                         testing::Values("", ":", ":7650", "7650", "127.0.0.1",
                                         "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1",
                                         "127.0.0.1:7x", "127.1:7650", "1.2.3.999:1", "::1:7650",
                                         "[::1]", "[::1:1", "[127.0.0.1]:1", "a b:1",
                                         "http://localhost:1", "unix:relative", "unix:", "*:7650",
                                         std::string("local\0host:1", 12),
                                         "unix:/" + std::string(200, 'x')));

TEST(ListenAddress, IsTakenApart) {
  const auto v6 = ParseListenAddress("[::1]:7650");
  ASSERT_TRUE(v6);
  EXPECT_EQ(v6->host, "::1");
  EXPECT_EQ(v6->port, 7650);
  const auto path = ParseListenAddress("unix:/a:b");
  ASSERT_TRUE(path);
  EXPECT_EQ(path->host, "/a:b");
}

}  // namespace
}  // namespace workpool
