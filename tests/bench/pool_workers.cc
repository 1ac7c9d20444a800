// System D, (5): n workers on one bounded queue, one poster that waits while it is full.
#include <chrono>
#include <stdexcept>

#include "bench.h"
#include "body.h"
#include "pool_subjects.h"

namespace workpool::bench {
namespace {

constexpr const char* kBench = "pool-workers";

// Nanoseconds a job of `run`, which does all of a body's `jobs`.
template <typename Run>
double NanosecondsAJob(std::size_t jobs, const Run& run) {
  Body body(jobs);
  const auto start = std::chrono::steady_clock::now();
  run(body);
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
  if (body.done() != jobs) throw std::runtime_error("pool-workers: a subject lost jobs");
  return took.count() / static_cast<double>(jobs);
}

Figure BodyAlone(const Options& options) {
  std::vector<double> values;
  for (int run = 0; run < options.runs; ++run) {
    values.push_back(NanosecondsAJob(options.jobs, [](Body& body) {
      for (std::size_t job = 0; job < body.jobs(); ++job) body.Do(job);
    }));
  }
  return MakeFigure(kBench, "body-alone", {}, std::move(values), "ns/job");
}

}  // namespace

Figures PoolWorkers(const Options& options) {
  Figures figures = {BodyAlone(options)};
  const auto subjects = PoolSubjects();
  for (const unsigned workers : {10U, 100U, 1000U}) {
    // The subjects take turns, so that a change of the machine's speed meets all of them.
    std::vector<std::vector<double>> values(subjects.size());
    for (int run = 0; run < options.runs; ++run) {
      for (std::size_t i = 0; i < subjects.size(); ++i) {
        values[i].push_back(
            NanosecondsAJob(options.jobs, [&](Body& body) { subjects[i]->Run(workers, body); }));
      }
    }
    const std::size_t first = figures.size();
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      figures.push_back(
          MakeFigure(kBench, subjects[i]->name(), {{"n", workers}}, values[i], "ns/job"));
      if (i > 0) Compare(figures.back(), figures[first]);
    }
  }
  return figures;
}

}  // namespace workpool::bench
