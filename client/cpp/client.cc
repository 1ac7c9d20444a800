// A client's life, and the posts that gather.
#include "workpool/client.h"

#include <algorithm>
#include <utility>

#include "client_impl.h"
#include "post_stream_impl.h"

namespace workpool::client {

namespace {

// How long before its deadline a wait for room ends, so that the reason is known.
std::chrono::nanoseconds Margin(std::chrono::nanoseconds timeout) {
  return std::min<std::chrono::nanoseconds>(timeout / 10, std::chrono::milliseconds(100));
}

}  // namespace

Client::Client(ClientOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}

Client::~Client() {
  impl_->closed = true;
  impl_->calls.Close();
  impl_->calls.CancelAll();
  impl_->gatherer.Cancel();
  impl_->calls.WaitEmpty();
}

void Client::Close() {
  impl_->closed = true;
  impl_->calls.Close();
  impl_->gatherer.Close();
  impl_->calls.WaitEmpty();
}

PostTicket Client::PostAsync(Work work, Callback<Posted> done, const PostOptions& options) {
  if (const auto checked = CheckWork(work); !checked) {
    done(std::unexpected(checked.error()));
    return {};
  }
  const auto timeout = options.timeout.value_or(impl_->options.timeout);
  const auto margin = Margin(timeout);
  Pending pending;
  pending.done = std::move(done);
  pending.deadline = RoughDeadlineIn(timeout);
  if (pending.deadline != kNever) {
    pending.soft_deadline = pending.deadline - margin;
    if (work.when_full == WhenFull::kWait) {
      work.wait_timeout = std::min(work.wait_timeout.value_or(timeout), timeout - margin);
    }
  }
  if (const unsigned attempts = options.attempts.value_or(impl_->options.attempts); attempts > 1) {
    pending.again = std::make_unique<Again>(Again{work, attempts - 1});
  }
  return impl_->gatherer.Post(std::move(work), std::move(pending));
}

std::future<Result<Posted>> Client::PostAsync(Work work, const PostOptions& options) {
  std::promise<Result<Posted>> promise;
  auto future = promise.get_future();
  PostAsync(
      std::move(work),
      [answer = std::move(promise)](Result<Posted> outcome) mutable {
        answer.set_value(std::move(outcome));
      },
      options);
  return future;
}

void Client::Abandon(PostTicket ticket) { impl_->gatherer.Abandon(ticket); }

std::unique_ptr<PostStream> Client::OpenStream() {
  return std::make_unique<PostStream>(std::make_unique<PostStream::Impl>(impl_->stub));
}

}  // namespace workpool::client
