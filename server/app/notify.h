// Tells the service manager how the daemon is: systemd's notification protocol, a datagram of
// NAME=VALUE lines to the socket named by NOTIFY_SOCKET.
#pragma once

#include <string>
#include <string_view>

namespace workpool {

// Thread safe. Failures are ignored: the daemon serves whether or not somebody listens.
class Notifier {
 public:
  // "/path", "@abstract", or empty: nobody listens.
  explicit Notifier(std::string socket);
  static Notifier FromEnvironment();

  void Ready() const;      // also: a reload is over
  void Reloading() const;  // until Ready
  void Stopping() const;

 private:
  void Send(std::string_view state) const;

  std::string socket_;
};

}  // namespace workpool
