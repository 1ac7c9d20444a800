#include "jobs/tuning_loop.h"

#include <fmt/format.h>

#include "base/log.h"

namespace workpool {
namespace {

constexpr std::chrono::milliseconds kFirstInterval{500};
constexpr std::chrono::seconds kWhileResized{1};

void Tell(const std::string& pool, const TuneDecision& decision, std::uint32_t before) {
  Log(LogLevel::kInfo,
      fmt::format("{} workers instead of {}: {}", decision.workers, before,
                  Explain(decision.reason)),
      {{"pool", std::string_view(pool)},
       {"workers", std::uint64_t{decision.workers}},
       {"reason", NameOf(decision.reason)}});
}

}  // namespace

void TuningLoop::LookAfter(const std::shared_ptr<PoolSlot>& pool) {
  if (pool->tuning().View() && pool->tuning().Claim()) Arm(pool, kFirstInterval);
}

void TuningLoop::Arm(const std::shared_ptr<PoolSlot>& pool, std::chrono::nanoseconds in) {
  core_.deadlines.Add(core_.clock.Now() + in, [this, weak = std::weak_ptr(pool)] {
    if (const auto slot = weak.lock()) Step(slot);
  });
}

void TuningLoop::Step(const std::shared_ptr<PoolSlot>& pool) {
  PoolTuning& tuning = pool->tuning();
  if (pool->sizing().Current().workers_resized) {
    if (tuning.Skip()) return Arm(pool, kWhileResized);
  } else if (const auto step =
                 tuning.Decide(pool->tasks().Read(), core_.clock.Now(), core_.clock.WallNow())) {
    if (pool->sizing().SetTuned(step->decision.workers)) pool->ApplySize();
    if (step->instead_of) Tell(pool->name(), step->decision, *step->instead_of);
    return Arm(pool, step->next_in);
  }
  tuning.Unclaim();
  // A config that came meanwhile found it still claimed.
  LookAfter(pool);
}

}  // namespace workpool
