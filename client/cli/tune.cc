// workpool tune
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/bounds.h"
#include "base/names.h"
#include "base/units.h"
#include "commands.h"
#include "held_size.h"
#include "interrupt.h"
#include "show.h"
#include "tune_report.h"

namespace workpool::cli {

namespace {

constexpr std::uint64_t kMaxJobs = 10'000;  // a call each, all at once
constexpr std::size_t kMaxSizes = 100;

struct TuneOptions {
  client::Work work;
  std::string data;
  std::string payload_file;
  std::vector<std::uint32_t> sizes = {8, 24, 64, 100};
  std::uint64_t jobs = 100;
  std::uint64_t runs = 5;
  std::optional<std::chrono::nanoseconds> patience = std::chrono::minutes(5);
};

std::vector<std::uint32_t> SizesOf(const std::string& text) {
  std::vector<std::uint32_t> sizes;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    std::uint32_t size = 0;
    const auto [stopped, error] = std::from_chars(at, end, size);
    const bool fine = error == std::errc() && size >= 1 && size <= kMaxWorkers &&
                      (stopped == end || *stopped == ',') && sizes.size() < kMaxSizes;
    if (!fine) {
      throw CLI::ValidationError(
          "--sizes", fmt::format("\"{}\" must be whole numbers from 1 to {} with commas between "
                                 "them, at most {}",
                                 Printable(text), kMaxWorkers, kMaxSizes));
    }
    if (std::ranges::find(sizes, size) != sizes.end()) {
      throw CLI::ValidationError("--sizes", fmt::format("{} is there twice", size));
    }
    sizes.push_back(size);
    if (stopped == end) return sizes;
    at = stopped + 1;
  }
}

// False after a complaint.
bool Prepare(TuneOptions& options) {
  if (const auto checked = client::CheckWork(options.work); !checked) {
    Complain(checked.error().message);
    return false;
  }
  options.work.payload = options.data;
  if (options.payload_file.empty()) return true;
  std::string failure;
  auto bytes = ReadAll(options.payload_file, failure);
  if (!bytes) {
    Complain(failure);
    return false;
  }
  options.work.payload = std::move(*bytes);
  return true;
}

// Nothing to be measured there; answers the reason.
std::string Unfit(const client::Pool& pool) {
  if (!pool.paused && !pool.draining && !pool.removed) return "";
  return fmt::format("pool {} is {}: nothing can be measured", pool.name, StateOf(pool));
}

client::Result<TunedSize> Measure(client::Admin& admin, const client::ClientOptions& how,
                                  const TuneOptions& options, std::uint32_t workers, HeldSize& held,
                                  const std::stop_token& stop) {
  TunedSize size{.workers = workers, .runs = {}};
  for (std::uint64_t i = 1; i <= options.runs; ++i) {
    const auto run = RunOnce(admin, how, options.work, options.jobs, *options.patience, stop);
    if (!run) return std::unexpected(run.error());
    if (const auto still = held.Check(); !still) return std::unexpected(still.error());
    Tell(fmt::format("{} workers, run {} of {}: {}\n", workers, i, options.runs,
                     DurationText(run->duration)));
    if (run->failed > 0) {
      Complain(fmt::format("{} of {} jobs failed: {}", run->failed, options.jobs,
                           Clean(run->failure.value_or("no reason given"))));
    }
    size.runs.push_back(*run);
  }
  return size;
}

client::Result<TuneReport> MeasureAll(client::Admin& admin, const client::ClientOptions& how,
                                      const TuneOptions& options, HeldSize& held,
                                      const std::stop_token& stop) {
  const auto info = admin.Info();
  if (!info) return std::unexpected(info.error());
  TuneReport report{.pool = options.work.pool,
                    .handler = options.work.handler,
                    .cores = info->cores,
                    .jobs = options.jobs,
                    .sizes = {}};
  for (const std::uint32_t workers : options.sizes) {
    if (const auto set = held.Set(workers); !set) return std::unexpected(set.error());
    auto size = Measure(admin, how, options, workers, held, stop);
    if (!size) return std::unexpected(size.error());
    report.sizes.push_back(std::move(*size));
  }
  return report;
}

Exit Tune(const Session& session, TuneOptions& options) {
  if (!Prepare(options)) return Exit::kUsage;
  Interrupt interrupt;
  const client::ClientOptions how = OptionsOf(session);
  client::Admin admin(how);
  const auto pool = admin.GetPool(options.work.pool);
  if (!pool) return Report(session, pool.error());
  if (const std::string unfit = Unfit(*pool); !unfit.empty()) {
    Complain(unfit);
    return Exit::kRefused;
  }
  if (pool->active + pool->queued > 0) {
    Complain(fmt::format("pool {} has other jobs, which the figures will show", pool->name));
  }
  HeldSize held(admin, *pool);
  const auto report = MeasureAll(admin, how, options, held, interrupt.token());
  const auto restored = held.Restore();
  if (!restored && restored.error().code != client::StatusCode::kFailedPrecondition) {
    Complain(fmt::format("pool {} could not be put back and goes back by itself within {} s",
                         pool->name, HeldSize::kHold.count()));
  }
  if (interrupt.came()) {
    if (!restored) static_cast<void>(Report(session, restored.error()));
    interrupt.Leave();
  }
  if (!report && report.error().code == client::StatusCode::kDeadlineExceeded) {
    Complain(fmt::format("a run did not end within {}; its jobs are cancelled",
                         DurationText(options.patience)));
    return Exit::kRefused;
  }
  if (!report) return Report(session, report.error());
  if (session.json) {
    PrintJson(JsonOf(*report));
  } else {
    Print(TextOf(*report));
  }
  if (!restored) return Report(session, restored.error());
  return report->Failed() == 0 ? Exit::kDone : Exit::kJobFailed;
}

}  // namespace

void AddTune(const Frame& frame) {
  auto options = std::make_shared<TuneOptions>();
  options->work.when_full = client::WhenFull::kWait;
  options->work.caller = "workpool-tune";
  CLI::App& command =
      *frame.app.add_subcommand("tune", "Measure a live pool at several sizes with real work");
  command.add_option("pool", options->work.pool, "the pool's name")->required();
  command.add_option("handler", options->work.handler, "the handler's name")->required();
  command
      .add_option_function<std::string>(
          "--sizes", [options](const std::string& text) { options->sizes = SizesOf(text); },
          "how many workers, in turn (default 8,24,64,100)")
      ->type_name("N,N,...");
  AddNumber(
      command, "--jobs", [options](std::uint64_t jobs) { options->jobs = jobs; }, 1, kMaxJobs,
      "jobs of a run (default 100)");
  AddNumber(
      command, "--runs", [options](std::uint64_t runs) { options->runs = runs; }, 1, 1000,
      "runs of each size (default 5)");
  auto* const data = command.add_option("--data", options->data, "each job's payload, as text");
  command
      .add_option("--payload-file", options->payload_file,
                  "a file whose bytes are each job's payload; - is stdin")
      ->type_name("FILE")
      ->excludes(data);
  AddDuration(command, "--patience", options->patience, "the longest that a run may take (5m)")
      ->check([](const std::string& text) {
        const auto patience = ParseDuration(text);
        return patience && patience->count() <= 0 ? "must be above 0s" : std::string();
      });
  command.callback([&session = frame.session, &action = frame.action, options] {
    action = [&session, options] { return Tune(session, *options); };
  });
}

}  // namespace workpool::cli
