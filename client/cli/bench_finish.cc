#include "bench_finish.h"

#include <algorithm>
#include <vector>

namespace workpool::cli {

namespace {

using Clock = std::chrono::steady_clock;

// The ids of this run's jobs that have not finished.
client::Result<std::vector<std::uint64_t>> ListUnfinished(client::Client& client,
                                                          const std::string& handler,
                                                          const std::string& mark) {
  client::JobFilter filter;
  filter.handler = handler;
  filter.states = {client::JobState::kScheduled, client::JobState::kRetrying,
                   client::JobState::kQueued, client::JobState::kActive};
  std::vector<std::uint64_t> ids;
  std::string token;
  do {
    const auto page = client.List(filter, 1000, token);
    if (!page) return std::unexpected(page.error());
    for (const client::Job& job : page->jobs) {
      if (job.caller == mark) ids.push_back(job.id);
    }
    token = page->next_page_token;
  } while (!token.empty());
  return ids;
}

}  // namespace

client::Result<Unfinished> AwaitFinished(client::Client& client, const std::string& handler,
                                         const std::string& mark, std::uint64_t last_id,
                                         std::chrono::nanoseconds patience) {
  const auto deadline = Clock::now() + patience;
  std::vector<std::uint64_t> ids = {last_id};
  while (true) {
    // The newest first: when it has finished, few of the older ones are left.
    const auto waited = client.Wait(ids.front(), {.timeout = deadline - Clock::now()});
    const auto now = Clock::now();
    const bool gone = !waited && waited.error().code == client::StatusCode::kNotFound;
    if (!waited && !gone && now < deadline) return std::unexpected(waited.error());
    auto left = ListUnfinished(client, handler, mark);
    if (!left) return std::unexpected(left.error());
    ids = std::move(*left);
    if (ids.empty() || now >= deadline) return Unfinished{ids.size(), now};
  }
}

}  // namespace workpool::cli
