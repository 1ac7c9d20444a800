#include "handlers/command_outcome.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

namespace workpool {
namespace {

struct Cause {
  std::string code;
  std::string message;
};

std::string SignalName(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name != nullptr ? std::string(name) : fmt::to_string(signal);
}

Cause CauseOf(const ChildExit& exit) {
  if (exit.signal) {
    const std::string name = SignalName(*exit.signal);
    return {"SIGNAL_" + name, "ended by signal " + name};
  }
  return {fmt::format("EXIT_{}", exit.code.value_or(-1)),
          fmt::format("exited with status {}", exit.code.value_or(-1))};
}

}  // namespace

Outcome CommandOutcome(ChildExit exit, int no_retry_exit, const std::string& last_line,
                       bool told_to_stop) {
  if (exit.code == 0 && !told_to_stop) {
    return Outcome::Success().WithResult(std::move(exit.output), exit.output_truncated);
  }
  auto [code, message] = CauseOf(exit);
  if (told_to_stop) message += " after it was told to stop";
  if (!last_line.empty()) message += ": " + last_line;
  const bool no_retry = exit.code == no_retry_exit && !told_to_stop;
  Outcome outcome = no_retry ? Outcome::NoRetry(std::move(message), std::move(code))
                             : Outcome::Failure(std::move(message), std::move(code));
  Outcome whole = std::move(outcome).WithResult(std::move(exit.output), exit.output_truncated);
  return told_to_stop ? std::move(whole).Stopped() : std::move(whole);
}

}  // namespace workpool
