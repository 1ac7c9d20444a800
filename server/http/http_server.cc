#include "http/http_server.h"

#include <fmt/format.h>
#include <sys/eventfd.h>

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
                                         limits);
}

}  // namespace workpool
