// What the service manager hears.
#include "app/notify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <string>

namespace workpool {
namespace {

// A manager that listens at an abstract address of its own.
class Manager {
 public:
  Manager() : fd_(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un any{};
    any.sun_family = AF_UNIX;
    bind(fd_, reinterpret_cast<sockaddr*>(&any), sizeof(any.sun_family));
    const timeval bound{10, 0};
    setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &bound, sizeof(bound));
  }
  ~Manager() { close(fd_); }

  std::string Address() const {
    sockaddr_un own{};
    socklen_t length = sizeof(own);
    getsockname(fd_, reinterpret_cast<sockaddr*>(&own), &length);
    return "@" + std::string(own.sun_path + 1, length - offsetof(sockaddr_un, sun_path) - 1);
  }
  std::string Hear() const {
    std::array<char, 256> datagram{};
    const ssize_t size = recv(fd_, datagram.data(), datagram.size(), 0);
    return size < 0 ? "" : std::string(datagram.data(), static_cast<std::size_t>(size));
  }

 private:
  const int fd_;
};

TEST(Notifier, TellsEachStage) {
  const Manager manager;
  const Notifier notifier(manager.Address());
  notifier.Ready();
  EXPECT_EQ(manager.Hear(), "READY=1\n");
  notifier.Reloading();
  EXPECT_THAT(manager.Hear(), testing::MatchesRegex("RELOADING=1\nMONOTONIC_USEC=[0-9]+\n"));
  notifier.Stopping();
  EXPECT_EQ(manager.Hear(), "STOPPING=1\n");
}

TEST(Notifier, IsSilentWhenNobodyListens) {
  Notifier("").Ready();
  Notifier("/no/such/socket").Ready();
  Notifier(std::string(500, 'x')).Ready();
}

TEST(Notifier, FindsTheSocketInTheEnvironment) {
  const Manager manager;
  setenv("NOTIFY_SOCKET", manager.Address().c_str(), 1);
  Notifier::FromEnvironment().Ready();
  unsetenv("NOTIFY_SOCKET");
  EXPECT_EQ(manager.Hear(), "READY=1\n");
  Notifier::FromEnvironment().Ready();
}

}  // namespace
}  // namespace workpool
