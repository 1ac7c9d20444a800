#include "http/http_server.h"

#include <fmt/format.h>
#include <sys/eventfd.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <thread>
#include <utility>

#include "http/listener.h"
#include "http/server_loop.h"

namespace workpool {
namespace {

class RunningServer final : public HttpServer {
 public:
  RunningServer(http::Listener listener, http::Descriptor wake, HttpRoutes routes,
                const HttpLimits& limits)
      : loop_(std::move(listener), std::move(wake), std::move(routes), limits),
        thread_([this] { loop_.Run(); }) {}

  ~RunningServer() override {
    loop_.Stop();
    thread_.join();
  }

  std::string address() const override { return loop_.address(); }

 private:
  http::ServerLoop loop_;
  std::thread thread_;
};

// Scrapers, or whoever plays with this port, must not take the descriptors that jobs and their
// clients need.
HttpLimits WithinDescriptors(HttpLimits limits) {
  rlimit descriptors{};
  if (getrlimit(RLIMIT_NOFILE, &descriptors) != 0) return limits;
  const rlim_t share = std::max<rlim_t>(descriptors.rlim_cur / 8, 2);
  limits.connections = static_cast<std::size_t>(std::min<rlim_t>(limits.connections, share));
  return limits;
}

}  // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::Start(const std::string& listen, HttpRoutes routes,
                                                      const HttpLimits& limits) {
  Result<http::Listener> listener = http::Listen(listen);
  if (!listener) return std::unexpected(listener.error());
  http::Descriptor wake(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (!wake.valid()) {
    return Fail(ErrorCode::kInternal, fmt::format("cannot listen on {}: {}", listen,
                                                  std::generic_category().message(errno)));
  }
  return std::make_unique<RunningServer>(*std::move(listener), std::move(wake), std::move(routes),
                                         WithinDescriptors(limits));
}

}  // namespace workpool
