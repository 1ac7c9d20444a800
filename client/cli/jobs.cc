// workpool get, wait, cancel, list
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/name_list.h"
#include "base/names.h"
#include "commands.h"
#include "outcome.h"
#include "show.h"
#include "workpool/admin.h"
#include "workpool/client.h"

namespace workpool::cli {

namespace {

struct IdOptions {
  std::vector<std::uint64_t> ids;
  std::optional<std::chrono::nanoseconds> timeout;
  bool payload = false;
  bool raw = false;
};

struct FilterOptions {
  client::JobFilter filter;
  std::optional<std::chrono::nanoseconds> since;
  std::vector<std::uint64_t> ids;
  bool all = false;
  std::uint32_t limit = 100;
};

void AddFilter(CLI::App& command, FilterOptions& options) {
  command.add_option("--pool", options.filter.pool, "only this pool's");
  command.add_option("--handler", options.filter.handler, "only this handler's");
  command
      .add_option_function<std::vector<std::string>>(
          "--state",
          [&options](const std::vector<std::string>& names) {
            for (const std::string& name : names) {
              const auto state = client::JobStateOf(name);
              if (!state) {
                throw CLI::ValidationError(
                    "--state", fmt::format("there is no state \"{}\"", Printable(name)));
              }
              options.filter.states.push_back(*state);
            }
          },
          "only those in this state (queued, active, succeeded, dead, ...); may be repeated")
      ->allow_extra_args(false)
      ->type_name("STATE");
  AddDuration(command, "--since", options.since, "only those accepted within this time");
}

client::JobFilter FilterOf(const FilterOptions& options) {
  client::JobFilter filter = options.filter;
  if (options.since) {
    filter.accepted_after = std::chrono::system_clock::now() -
                            std::chrono::ceil<std::chrono::microseconds>(*options.since);
  }
  return filter;
}

Exit Get(const Session& session, const IdOptions& options) {
  client::Client client(OptionsOf(session));
  const auto job = client.Get(options.ids.front(), options.payload);
  if (!job) return Report(session, job.error());
  if (session.json) {
    PrintJson(JsonOf(*job));
  } else if (options.payload) {
    Print(job->payload);
  } else {
    Print(JobText(*job));
  }
  return Exit::kDone;
}

Exit Wait(const Session& session, const IdOptions& options) {
  client::Client client(OptionsOf(session));
  const std::uint64_t id = options.ids.front();
  const auto job = client.Wait(id, {.timeout = options.timeout});
  if (job) return ShowOutcome(session, *job, options.raw);
  if (options.timeout && job.error().code == client::StatusCode::kDeadlineExceeded) {
    Complain(fmt::format("job {} has not finished within the timeout", id));
    return Exit::kRefused;
  }
  return Report(session, job.error());
}

// Why nothing can match; empty if there is a pool of that name, or the daemon does not say.
std::string NoSuchPool(const Session& session, const std::string& name) {
  client::Admin admin(OptionsOf(session));
  const auto pools = admin.Pools();
  if (!pools) return {};
  std::vector<std::string_view> names;
  for (const client::Pool& pool : *pools) names.push_back(pool.name);
  if (std::ranges::find(names, name) != names.end()) return {};
  return fmt::format(": there is no pool \"{}\"; the pools are {}", Printable(name),
                     NameList(names));
}

// The daemon takes any pool in a filter, for jobs of one that was removed may still be kept: only
// when there are none is the name worth a look.
void TellNoMatch(const Session& session, const client::JobFilter& filter) {
  const std::string why = filter.pool.empty() ? "" : NoSuchPool(session, filter.pool);
  if (!why.empty()) {
    Warn(session, "nothing matched" + why);
  } else if (!session.json) {
    Complain("nothing matched");
  }
}

client::Result<client::Cancelled> Cancel(client::Client& client, const FilterOptions& options) {
  if (!options.ids.empty()) return client.Cancel(options.ids);
  return options.all ? client.CancelAll() : client.Cancel(FilterOf(options));
}

Exit Cancel(const Session& session, const FilterOptions& options) {
  client::Client client(OptionsOf(session));
  const auto cancelled = Cancel(client, options);
  if (!cancelled) return Report(session, cancelled.error());
  std::vector<std::string> missing;
  for (const std::uint64_t id : cancelled->not_found) missing.push_back(std::to_string(id));
  if (session.json) {
    PrintJson({{"cancelled", cancelled->cancelled}, {"not_found", missing}});
  } else {
    Print(fmt::format("{} cancelled\n", cancelled->cancelled));
    for (const std::string& id : missing) Complain(fmt::format("there is no job {}", id));
  }
  if (options.ids.empty() && cancelled->cancelled == 0) TellNoMatch(session, options.filter);
  return missing.empty() ? Exit::kDone : Exit::kNotFound;
}

Exit List(const Session& session, const FilterOptions& options) {
  constexpr std::uint32_t kPage = 1000;
  client::Client client(OptionsOf(session));
  const client::JobFilter filter = FilterOf(options);
  std::vector<client::Job> jobs;
  std::string token;
  do {
    const auto left = options.limit - static_cast<std::uint32_t>(jobs.size());
    auto page = client.List(filter, std::min(left, kPage), token);
    if (!page) return Report(session, page.error());
    token = page->next_page_token;
    std::ranges::move(page->jobs, std::back_inserter(jobs));
  } while (!token.empty() && jobs.size() < options.limit);
  if (session.json) {
    auto list = nlohmann::ordered_json::array();
    for (const client::Job& job : jobs) list.push_back(JsonOf(job));
    PrintJson({{"jobs", std::move(list)}, {"more", !token.empty()}});
  } else {
    Print(JobsTable(jobs));
    if (!token.empty()) Complain(fmt::format("only the newest {}; see --limit", options.limit));
  }
  if (jobs.empty()) TellNoMatch(session, filter);
  return Exit::kDone;
}

template <typename Options, typename Do>
void Bind(const Frame& frame, CLI::App& command, std::shared_ptr<Options> options, Do work) {
  command.callback([&session = frame.session, &action = frame.action, options, work] {
    action = [&session, options, work] { return work(session, *options); };
  });
}

}  // namespace

void AddGet(const Frame& frame) {
  auto options = std::make_shared<IdOptions>();
  CLI::App& command = *frame.app.add_subcommand("get", "Show a job");
  AddIds(command, options->ids, false)->required();
  command.add_flag("--payload", options->payload, "print its payload instead");
  Bind(frame, command, options, Get);
}

void AddWait(const Frame& frame) {
  auto options = std::make_shared<IdOptions>();
  CLI::App& command = *frame.app.add_subcommand("wait", "Wait for a job and print its result");
  AddIds(command, options->ids, false)->required();
  AddDuration(command, "--timeout", options->timeout, "how long to wait at most");
  command.add_flag("--raw", options->raw, "print the result as it is");
  Bind(frame, command, options, Wait);
}

void AddCancel(const Frame& frame) {
  auto options = std::make_shared<FilterOptions>();
  CLI::App& command = *frame.app.add_subcommand("cancel", "Cancel jobs, by id or by filter");
  auto* const ids = AddIds(command, options->ids, true);
  AddFilter(command, *options);
  command.add_flag("--all", options->all, "every unfinished job");
  for (const char* name : {"--pool", "--handler", "--state", "--since", "--all"}) {
    ids->excludes(command.get_option(name));
  }
  for (const char* name : {"--pool", "--handler", "--state", "--since"}) {
    command.get_option("--all")->excludes(command.get_option(name));
  }
  command.callback([&command, &session = frame.session, &action = frame.action, options] {
    const auto given = command.parse_order().size();
    if (given == 0) throw CLI::RequiredError("cancel: ids, a filter or --all");
    action = [&session, options] { return Cancel(session, *options); };
  });
}

void AddList(const Frame& frame) {
  auto options = std::make_shared<FilterOptions>();
  CLI::App& command = *frame.app.add_subcommand("list", "List jobs, newest first");
  AddFilter(command, *options);
  command.add_option("--limit", options->limit, "how many at most (default 100)")
      ->check(CLI::Range(1, 1'000'000));
  Bind(frame, command, options, List);
}

}  // namespace workpool::cli
