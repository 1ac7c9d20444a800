#include "runtime/async_run.h"

#include <asio/bind_cancellation_slot.hpp>
#include <asio/cancellation_signal.hpp>
#include <asio/co_spawn.hpp>
#include <asio/error.hpp>
#include <asio/post.hpp>
#include <exception>
#include <optional>
#include <stop_token>
#include <system_error>
#include <utility>

namespace workpool {
namespace {

struct AsyncRun {
  AsyncRun(AsyncLoops::Strand on, std::shared_ptr<const AsyncFunction> what,
           std::shared_ptr<Attempt> which)
      : strand(std::move(on)), function(std::move(what)), attempt(std::move(which)) {}

  const AsyncLoops::Strand strand;
  const std::shared_ptr<const AsyncFunction> function;
  const std::shared_ptr<Attempt> attempt;
  asio::cancellation_signal cancel;  // of the strand; outlives the coroutine
};

// Asio's cancellation belongs to the strand, and a request to stop comes on any thread.
struct Stopper {
  std::shared_ptr<AsyncRun> run;
  void operator()() const {
    asio::post(run->strand, [run = run] { run->cancel.emit(asio::cancellation_type::all); });
  }
};

// Of the exception being handled. That a stop cut an operation short says nothing new.
Outcome OutcomeOf(const Attempt& attempt) {
  try {
    throw;
  } catch (const std::system_error& error) {
    const bool aborted = error.code() == asio::error::operation_aborted;
    if (aborted && attempt.stop_token().stop_requested()) return Outcome::Failure("", "STOPPED");
    return Outcome::OfException();
  } catch (...) {
    return Outcome::OfException();
  }
}

asio::awaitable<void> Drive(std::shared_ptr<AsyncRun> run) {
  Attempt& attempt = *run->attempt;
  std::optional<Outcome> outcome;
  {
    const std::stop_callback<Stopper> watcher(attempt.stop_token(), Stopper{run});
    try {
      outcome = co_await (*run->function)(attempt.job(), attempt);
    } catch (...) {
      outcome = OutcomeOf(attempt);
    }
  }
  attempt.Finish(*std::move(outcome));
}

}  // namespace

void RunAsync(AsyncLoops::Strand strand, std::shared_ptr<const AsyncFunction> function,
              std::shared_ptr<Attempt> attempt) {
  const auto run =
      std::make_shared<AsyncRun>(std::move(strand), std::move(function), std::move(attempt));
  asio::co_spawn(run->strand, Drive(run),
                 asio::bind_cancellation_slot(run->cancel.slot(), [run](std::exception_ptr) {}));
}

}  // namespace workpool
