#include "runtime/reactor.h"

#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/post.hpp>
#include <asio/steady_timer.hpp>
#include <cstdint>
#include <utility>

#include "runtime/run_context.h"

namespace workpool {

struct Reactor::Impl {
  asio::io_context context{1};
  // Keeps Run from returning while nothing is pending.
  asio::executor_work_guard<asio::io_context::executor_type> work{context.get_executor()};
};

Reactor::Reactor() : impl_(std::make_unique<Impl>()) {}
Reactor::~Reactor() = default;

void Reactor::Run() { RunContext(impl_->context, "a task of the event loop threw"); }

void Reactor::Stop() { impl_->context.stop(); }

void Reactor::Post(std::move_only_function<void()> task) {
  asio::post(impl_->context, std::move(task));
}

struct FdWatch::Impl {
  asio::posix::stream_descriptor descriptor;
  // Pending waits see by its absence that the watch is gone.
  std::shared_ptr<std::function<void()>> on_ready;

  void Wait(asio::posix::descriptor_base::wait_type type) {
    descriptor.async_wait(type, [weak = std::weak_ptr(on_ready)](const asio::error_code& error) {
      const auto callback = weak.lock();
      if (callback && !error) (*callback)();
    });
  }
};

FdWatch::FdWatch(Reactor& reactor, OwnedFd fd, std::function<void()> on_ready)
    : impl_(new Impl{asio::posix::stream_descriptor(reactor.impl_->context, fd.get()),
                     std::make_shared<std::function<void()>>(std::move(on_ready))}) {
  fd.Release();
}
FdWatch::~FdWatch() = default;

int FdWatch::fd() const { return impl_->descriptor.native_handle(); }
void FdWatch::WaitReadable() { impl_->Wait(asio::posix::descriptor_base::wait_read); }
void FdWatch::WaitWritable() { impl_->Wait(asio::posix::descriptor_base::wait_write); }

struct LoopTimer::Impl {
  asio::steady_timer timer;
  std::shared_ptr<std::function<void()>> on_expiry;
  // A wait whose expiry was already under way when the timer was set anew is known by its number.
  std::uint64_t round = 0;
};

LoopTimer::LoopTimer(Reactor& reactor, std::function<void()> on_expiry)
    : impl_(new Impl{asio::steady_timer(reactor.impl_->context),
                     std::make_shared<std::function<void()>>(std::move(on_expiry))}) {}
LoopTimer::~LoopTimer() = default;

void LoopTimer::Set(SteadyTime when) {
  Cancel();
  impl_->timer.expires_at(when);
  impl_->timer.async_wait([this, weak = std::weak_ptr(impl_->on_expiry),
                           round = impl_->round](const asio::error_code& error) {
    const auto callback = weak.lock();
    if (callback && !error && round == impl_->round) (*callback)();
  });
}

void LoopTimer::Cancel() {
  ++impl_->round;
  impl_->timer.cancel();
}

}  // namespace workpool
