// The tuner in front of a simulated pool: what it finds is compared with the best fixed size, which
// the model knows. WORKPOOL_SIM_SEED runs one seed only, WORKPOOL_SIM_RUNS so many;
// WORKPOOL_SIM_TRACE shows each decision.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "sim/queue_model.h"

namespace workpool {
namespace {

constexpr std::uint32_t kMax = 64;
constexpr std::uint32_t kFirst = 6;
constexpr int kToFind = 60;
constexpr int kToHold = 140;
// The standard deviation of a job's work, as a share of the mean.
constexpr double kMild = 0.3;

using Load = QueueModel::Load;
const Load kEndless{.endless = true};
const Load kNothing{};
Load Arriving(double per_second) { return {.arrivals_per_second = per_second}; }
Load Clients(std::uint32_t clients) { return {.clients = clients}; }

// Up to `knee` jobs at once take 100 ms each; more share what there is.
QueueModel::Downstream Knee(double knee, double seconds = 0.1) {
  return [=](std::uint32_t active) { return std::min<double>(active, knee) / seconds; };
}
const QueueModel::Downstream kNoLimit = Knee(1e6);

// The universal scalability law: waiting for each other, and work that grows with each pair.
QueueModel::Downstream Scaling(double contention, double crosstalk) {
  return [=](std::uint32_t active) {
    const double n = active;
    return 10 * n / (1 + contention * (n - 1) + crosstalk * n * (n - 1));
  };
}

struct Phase {
  QueueModel::Downstream downstream;
  Load load;

  double Throughput(std::uint32_t size) const {
    if (load.clients > 0) size = std::min(size, load.clients);
    const double most = downstream(size);
    return load.arrivals_per_second > 0 ? std::min(most, load.arrivals_per_second) : most;
  }
  double Best() const {
    double best = 0;
    for (std::uint32_t size = 1; size <= kMax; ++size) best = std::max(best, Throughput(size));
    return best;
  }
  std::uint32_t Smallest() const {
    std::uint32_t size = 1;
    while (Throughput(size) < 0.95 * Best()) ++size;
    return size;
  }
};

class World {
 public:
  World(std::uint64_t seed, double scatter) : model_(seed, scatter), tuner_(1, kMax, kFirst) {
    model_.SetWorkers(kFirst);
  }

  void Enter(const Phase& phase) {
    model_.SetDownstream(phase.downstream);
    model_.SetLoad(phase.load);
  }
  TuneDecision Step() {
    const TuneSample sample = model_.Pass(tuner_.Interval());
    const TuneDecision decision = tuner_.Decide(sample);
    model_.SetWorkers(decision.workers);
    if (std::getenv("WORKPOOL_SIM_TRACE") != nullptr) {
      fmt::print("{} done, {} queued, {} active, {:.0f} ms -> {} {}\n", sample.completions,
                 sample.queued, sample.active, static_cast<double>(sample.mean_run.count()) / 1e6,
                 decision.workers, NameOf(decision.reason));
    }
    return decision;
  }
  std::vector<std::uint32_t> Steps(int count) {
    std::vector<std::uint32_t> sizes;
    for (int i = 0; i < count; ++i) sizes.push_back(Step().workers);
    return sizes;
  }

 private:
  QueueModel model_;
  ConcurrencyTuner tuner_;
};

// What it promises to have reached by now; empty if it has. Where jobs differ wildly from each
// other a measurement of an interval says less, and so the promise is less.
std::string Fault(const Phase& phase, const std::vector<std::uint32_t>& sizes, bool wild = false) {
  std::vector<std::uint32_t> sorted = sizes;
  std::ranges::sort(sorted);
  const double size = sorted[sorted.size() / 2];
  const auto count = static_cast<double>(sizes.size());
  double throughput = 0;
  double near = 0;
  for (const std::uint32_t each : sizes) {
    throughput += phase.Throughput(each) / count / phase.Best();
    if (std::abs(each - size) <= 0.2 * size + 1e-9) near += 1 / count;
  }
  const double most = (wild ? 1.5 : 1.25) * phase.Smallest();
  if (size <= most && throughput >= (wild ? 0.85 : 0.9) && (wild || near >= 0.95)) return "";
  return fmt::format("{} workers where {} are enough, {:.2f} of the throughput, near it for {:.2f}",
                     size, phase.Smallest(), throughput, near);
}

// Runs the phases one after the other; the faults.
std::string RunPhases(const std::vector<Phase>& phases, std::uint64_t seed, double scatter) {
  World world(seed, scatter);
  std::string faults;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    world.Enter(phases[i]);
    world.Steps(kToFind);
    const std::string fault = Fault(phases[i], world.Steps(kToHold), scatter > kMild);
    if (!fault.empty()) {
      faults += fmt::format("seed {} scatter {} phase {}: {}\n", seed, scatter, i, fault);
    }
  }
  return faults;
}

// The seeds that a test runs.
std::vector<std::uint64_t> Seeds() {
  const auto number = [](const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
  };
  const std::uint64_t only = number("WORKPOOL_SIM_SEED", 0);
  if (only != 0) return {only};
  std::vector<std::uint64_t> seeds(number("WORKPOOL_SIM_RUNS", 5));
  std::iota(seeds.begin(), seeds.end(), 1);
  return seeds;
}

struct Scenario {
  std::string name;
  std::vector<Phase> phases;
};

class TunerSimulation : public testing::TestWithParam<Scenario> {};

TEST_P(TunerSimulation, FindsTheFewestWorkersAndKeepsThem) {
  for (const double scatter : {0.1, kMild}) {
    for (const std::uint64_t seed : Seeds()) {
      EXPECT_EQ(RunPhases(GetParam().phases, seed, scatter), "");
    }
  }
}

TEST_P(TunerSimulation, FindsAGoodSizeWhereJobsDifferWildly) {
  std::size_t missed = 0;
  std::string faults;
  for (const double scatter : {0.5, 1.0}) {
    for (const std::uint64_t seed : Seeds()) {
      const std::string fault = RunPhases(GetParam().phases, seed, scatter);
      faults += fault;
      missed += fault.empty() ? 0 : 1;
    }
  }
  EXPECT_LE(missed, 2 * Seeds().size() / 5) << faults;  // one in five
}

INSTANTIATE_TEST_SUITE_P(
    Loads, TunerSimulation,
    testing::Values(
        Scenario{"Steady", {{Knee(24), kEndless}}}, Scenario{"SteadySmall", {{Knee(4), kEndless}}},
        Scenario{"SteadyOne", {{Knee(1), kEndless}}},
        Scenario{"SteadyUnlimited", {{kNoLimit, kEndless}}},
        Scenario{"Steps", {{Knee(24), kEndless}, {Knee(6), kEndless}, {Knee(40), kEndless}}},
        Scenario{"JobTimes",
                 {{Knee(12), kEndless}, {Knee(12, 0.4), kEndless}, {Knee(30, 0.02), kEndless}}},
        Scenario{"Contention", {{Scaling(0.02, 0.001), kEndless}}},
        Scenario{"Crosstalk", {{Scaling(0, 0.01), kEndless}}},
        Scenario{"Light",
                 {{kNoLimit, Arriving(80)}, {kNoLimit, Arriving(22)}, {kNoLimit, Arriving(250)}}},
        Scenario{"LoadGoesAndComes",
                 {{Knee(20), kEndless}, {Knee(20), Arriving(50)}, {Knee(20), kEndless}}},
        Scenario{"Clients",
                 {{Knee(6), Clients(16)},
                  {kNoLimit, Clients(16)},
                  {kNoLimit, Clients(40)},
                  {Knee(6), Clients(40)}}}),
    [](const auto& scenario) { return scenario.param.name; });

TEST(Tuner, StaysWhileIdle) {
  World world(1, 0.5);
  world.Enter({Knee(20), kEndless});
  const std::uint32_t found = world.Steps(kToFind).back();
  world.Enter({Knee(20), kNothing});
  world.Steps(2);  // what was active ends
  for (const std::uint32_t size : world.Steps(500)) EXPECT_EQ(size, found);
  world.Enter({Knee(20), kEndless});
  EXPECT_EQ(world.Steps(5).back(), found);
}

TEST(Tuner, SurvivesBursts) {
  for (const std::uint64_t seed : Seeds()) {
    World world(seed, kMild);
    const Phase burst{Knee(16), Arriving(200)};
    std::vector<std::uint32_t> in_bursts;
    for (int i = 0; i < 40; ++i) {
      world.Enter(burst);
      for (const std::uint32_t size : world.Steps(10)) {
        if (i >= 10) in_bursts.push_back(size);
      }
      world.Enter({Knee(16), kNothing});
      world.Steps(10);
    }
    EXPECT_EQ(Fault(burst, in_bursts), "") << "seed " << seed;
  }
}

}  // namespace
}  // namespace workpool
