#include "handlers/builtin.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "base/units.h"
#include "jobs/registry.h"

namespace workpool {
namespace {

// So that a payload made with a shell's `echo 250ms` works too.
std::string_view WithoutTrailingNewline(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

// False if told to stop before `until`.
bool SleepUntil(SteadyTime until, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait_until(lock, stop, until, [] { return false; });
  return !stop.stop_requested();
}

Outcome Echo(const Job& job, JobContext&) { return job.payload; }

Outcome Sleep(const Job& job, JobContext& context) {
  const auto duration = ParseDuration(WithoutTrailingNewline(job.payload));
  if (!duration) return Outcome::NoRetry("payload: " + duration.error().message, "BAD_PAYLOAD");
  if (!SleepUntil(std::chrono::steady_clock::now() + *duration, context.stop_token())) {
    return Outcome::Failure("", "STOPPED");
  }
  return Outcome::Success();
}

Outcome FailWithPayload(const Job& job, JobContext&) { return Outcome::Failure(job.payload); }

Outcome Noop(const Job&, JobContext&) { return Outcome::Success(); }

HandlerConfig Builtin(std::string name, HandlerFunction function) {
  HandlerConfig config;
  config.name = std::move(name);
  config.kind = HandlerKind::kBuiltin;
  config.handler = MakeFunctionHandler(std::move(function));
  return config;
}

}  // namespace

std::vector<HandlerConfig> BuiltinHandlers() {
  std::vector<HandlerConfig> handlers;
  handlers.push_back(Builtin("echo", Echo));
  handlers.push_back(Builtin("fail", FailWithPayload));
  handlers.push_back(Builtin("noop", Noop));
  handlers.push_back(Builtin("sleep", Sleep));
  return handlers;
}

}  // namespace workpool
