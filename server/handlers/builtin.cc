#include "handlers/builtin.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/units.h"

namespace workpool {
namespace {

// So that a payload made with a shell's `echo 250ms` works too.
std::string_view WithoutTrailingNewline(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

Outcome Echo(const Job& job) { return job.payload; }

Outcome FailWithPayload(const Job& job) { return Outcome::Failure(std::string(job.payload)); }

Outcome Noop(const Job&) { return Outcome::Success(); }

// A function that does not block.
class BriefHandler final : public Handler {
 public:
  explicit BriefHandler(Outcome (*function)(const Job&)) : function_(function) {}

  void Run(std::shared_ptr<Attempt> attempt) override {
    attempt->Finish(function_(attempt->job()));
  }
  bool brief() const override { return true; }

 private:
  Outcome (*const function_)(const Job&);
};

class SleepHandler final : public Handler {
 public:
  explicit SleepHandler(Sleeper& sleeper) : sleeper_(sleeper) {}

  void Run(std::shared_ptr<Attempt> attempt) override {
    const auto duration = ParseDuration(WithoutTrailingNewline(attempt->job().payload));
    if (duration) {
      sleeper_.Nap(std::move(attempt), *duration);
    } else {
      attempt->Finish(Outcome::NoRetry("payload: " + duration.error().message, "BAD_PAYLOAD"));
    }
  }
  bool brief() const override { return true; }

 private:
  Sleeper& sleeper_;
};

HandlerConfig Builtin(std::string_view name, std::shared_ptr<Handler> handler) {
  HandlerConfig config;
  config.name = name;
  config.kind = HandlerKind::kBuiltin;
  config.handler = std::move(handler);
  return config;
}

}  // namespace

std::vector<HandlerConfig> BuiltinHandlers(Sleeper& sleeper) {
  std::vector<HandlerConfig> handlers;
  handlers.push_back(Builtin("echo", std::make_shared<BriefHandler>(Echo)));
  handlers.push_back(Builtin("fail", std::make_shared<BriefHandler>(FailWithPayload)));
  handlers.push_back(Builtin("noop", std::make_shared<BriefHandler>(Noop)));
  handlers.push_back(Builtin("sleep", std::make_shared<SleepHandler>(sleeper)));
  return handlers;
}

}  // namespace workpool
