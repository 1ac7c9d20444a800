#include "rpc/listener.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "unit/rpc/sockets.h"

namespace workpool::rpc {
namespace {

std::string FailureOf(const std::string& address) {
  const auto listener = OpenListener(address);
  if (listener) return "";
  EXPECT_EQ(listener.error().code, ErrorCode::kInternal);
  return listener.error().message;
}

TEST(Listener, PortZeroSaysWhichPortItGot) {
  const auto listener = OpenListener("127.0.0.1:0");
  ASSERT_TRUE(listener) << listener.error().message;
  EXPECT_EQ(listener->address.find("127.0.0.1:"), 0U);
  EXPECT_GT(PortOf(listener->address), 0);
  EXPECT_TRUE(ConnectTcp(PortOf(listener->address)).valid());
}

// Case 55: a taken port is an error, also when its owner set SO_REUSEADDR as we do.
TEST(Listener, ATakenPortIsAnErrorThatNamesIt) {
  const auto first = OpenListener("127.0.0.1:0");
  ASSERT_TRUE(first);
  EXPECT_EQ(FailureOf(first->address),
            "cannot listen on " + first->address + ": Address already in use");
}

TEST(Listener, APortIsFreeAgainAtOnce) {
  std::string address;
  {
    const auto first = OpenListener("127.0.0.1:0");
    ASSERT_TRUE(first);
    address = first->address;
    const UniqueFd client = ConnectTcp(PortOf(address));
    const UniqueFd server(::accept(first->sockets[0].get(), nullptr, nullptr));
    ASSERT_TRUE(server.valid());
  }
  EXPECT_TRUE(OpenListener(address));
}

TEST(Listener, ANameListensOnItsAddressesWithOnePort) {
  const auto listener = OpenListener("localhost:0");
  ASSERT_TRUE(listener) << listener.error().message;
  EXPECT_GE(listener->sockets.size(), 1U);
  EXPECT_TRUE(ConnectTcp(PortOf(listener->address)).valid());
}

TEST(Listener, BracketsHoldAnAddressOfVersionSix) {
  const auto listener = OpenListener("[::1]:0");
  if (!listener) GTEST_SKIP() << listener.error().message;
  EXPECT_EQ(listener->address.find("[::1]:"), 0U);
}

TEST(Listener, WhatIsNoAddressIsRefusedWithTheForm) {
  for (const std::string bad : {"", "7650", ":7650", "host:", "127.0.0.1:x", "127.0.0.1:99999x"}) {
    EXPECT_NE(FailureOf(bad).find("cannot listen on " + bad + ": "), std::string::npos) << bad;
  }
}

TEST(Listener, DescriptorsAreNotInherited) {
  const auto listener = OpenListener("127.0.0.1:0");
  ASSERT_TRUE(listener);
  EXPECT_NE(::fcntl(listener->sockets[0].get(), F_GETFD) & FD_CLOEXEC, 0);
}

TEST(UnixListener, IsThereAndGoesAway) {
  const TempDir dir;
  const std::string path = dir / "s";
  {
    const auto listener = OpenListener("unix:" + path);
    ASSERT_TRUE(listener) << listener.error().message;
    EXPECT_EQ(listener->address, "unix:" + path);
    EXPECT_TRUE(ConnectUnix(path).valid());
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(UnixListener, AStaleSocketIsReplaced) {
  const TempDir dir;
  const std::string path = dir / "s";
  {
    auto dead = OpenListener("unix:" + path);
    ASSERT_TRUE(dead);
    std::filesystem::rename(path, path + ".kept");  // so that its end leaves it, as a kill does
  }
  std::filesystem::rename(path + ".kept", path);
  ASSERT_TRUE(std::filesystem::exists(path));
  const auto listener = OpenListener("unix:" + path);
  ASSERT_TRUE(listener) << listener.error().message;
  EXPECT_TRUE(ConnectUnix(path).valid());
}

TEST(UnixListener, ALiveSocketIsAnErrorAndStays) {
  const TempDir dir;
  const std::string path = dir / "s";
  const auto first = OpenListener("unix:" + path);
  ASSERT_TRUE(first);
  EXPECT_NE(FailureOf("unix:" + path).find("another process answers on it"), std::string::npos);
  EXPECT_TRUE(ConnectUnix(path).valid());
}

TEST(UnixListener, AnotherFileIsNotTouched) {
  const TempDir dir;
  const std::string path = dir / "s";
  std::ofstream(path) << "precious";
  EXPECT_NE(FailureOf("unix:" + path).find("no socket"), std::string::npos);
  EXPECT_EQ(std::filesystem::file_size(path), 8U);
  std::filesystem::remove(path);
}

TEST(UnixListener, ANewOwnersFileIsNotRemoved) {
  const TempDir dir;
  const std::string path = dir / "s";
  {
    const auto listener = OpenListener("unix:" + path);
    ASSERT_TRUE(listener);
    std::filesystem::remove(path);
    std::ofstream(path) << "new";
  }
  EXPECT_TRUE(std::filesystem::exists(path));
  std::filesystem::remove(path);
}

TEST(UnixListener, APathThatIsTooLongIsRefusedWithTheRule) {
  EXPECT_NE(FailureOf("unix:/tmp/" + std::string(200, 'x')).find("107 bytes"), std::string::npos);
  EXPECT_NE(FailureOf("unix:").find("107 bytes"), std::string::npos);
  EXPECT_NE(FailureOf("unix:/no/such/folder/s").find("No such file"), std::string::npos);
}

}  // namespace
}  // namespace workpool::rpc
