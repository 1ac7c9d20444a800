#include "jobs/poster.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/prefetch.h"
#include "jobs/post_check.h"

namespace workpool {
namespace {

constexpr std::chrono::nanoseconds kLongestMargin = std::chrono::milliseconds(100);
constexpr std::size_t kPublishedAtOnce = 128;
// How far ahead of its use an entry is fetched. Any distance from 1 to 32 took the same, about 75
// cycles an entry, on the two cores of docs/performance.md.
constexpr std::size_t kAhead = 4;

// So long before a caller's deadline that it still sees the answer.
SteadyTime Before(SteadyTime deadline, SteadyTime now) {
  const std::chrono::nanoseconds left = std::max<std::chrono::nanoseconds>(deadline - now, {});
  return deadline - std::min(left / 10, kLongestMargin);
}

SteadyTime WaitUntil(const PostRequest& request, const PoolSlot& pool, SteadyTime now) {
  std::chrono::nanoseconds longest = pool.max_wait();
  if (request.work.wait_timeout) longest = std::min(longest, *request.work.wait_timeout);
  const SteadyTime until = now + longest;
  return request.call_deadline ? std::min(until, Before(*request.call_deadline, now)) : until;
}

// The pool that an invalid post was meant for, if there is such a one.
std::shared_ptr<PoolSlot> MeantFor(const Routes& routes, const Work& work) {
  if (!work.pool.empty()) return routes.FindPool(work.pool);
  const auto handler = routes.handlers.find(work.handler);
  if (handler == routes.handlers.end()) return nullptr;
  const std::string& home = handler->second->pool;
  return routes.FindPool(home.empty() ? kDefaultPool : std::string_view(home));
}

}  // namespace

// --- offering ------------------------------------------------------------------------------------

Ticket Poster::Post(PostRequest request, PostDone done) {
  const std::shared_ptr<const Routes> routes = core_.routes.Get();
  Items items;
  std::vector<Ticket> tickets(1);
  Ref<const Route> recent;
  Prepare(*routes, std::move(request), PostAnswer(std::move(done)), {0, core_.clock.Now()}, recent,
          items);
  Admit(std::move(items), tickets);
  return tickets.front();
}

std::vector<Ticket> Poster::PostBatch(std::vector<PostRequest> requests, BatchDone done) {
  const std::shared_ptr<const Routes> routes = core_.routes.Get();
  const auto shared_done = std::make_shared<BatchDone>(std::move(done));
  Items items;
  items.reserve(requests.size());
  std::vector<Ticket> tickets(requests.size());
  Ref<const Route> recent;
  const SteadyTime now = core_.clock.Now();
  for (std::size_t i = 0; i < requests.size(); ++i) {
    Prepare(*routes, std::move(requests[i]), PostAnswer(shared_done, i), {i, now}, recent, items);
    requests[i].work.payload = std::string();  // the entry has it
  }
  Admit(std::move(items), tickets);
  return tickets;
}

void Poster::Prepare(const Routes& routes, PostRequest&& request, PostAnswer&& answer,
                     Arrival arrival, Ref<const Route>& recent, Items& items) {
  Result<Ref<const Route>> route = CheckWork(request.work, routes, recent);
  if (!route) return RefuseInvalid(routes, request.work, route.error(), answer);
  if (recent != *route) recent = *route;
  Item& item = items.emplace_back();
  FillItem(item, *std::move(route), std::move(request), arrival);
  item.answer = std::move(answer);
}

void Poster::FillItem(Item& item, Ref<const Route> route, PostRequest&& request, Arrival arrival) {
  const SteadyTime now = arrival.at;
  item.index = arrival.index;
  item.when_full = request.work.when_full.value_or(route->pool->when_full());
  item.wait_until = WaitUntil(request, *route->pool, now);
  item.entry = JobEntry::Make(owner_, std::move(route), std::move(request.work));
  item.entry->offered_at = now;
  if (request.run_deadline) item.entry->SetStopAt(Before(*request.run_deadline, now));
  if (request.finished) item.entry->AddFinished(std::move(request.finished));
}

void Poster::RefuseInvalid(const Routes& routes, const Work& work, const Error& error,
                           PostAnswer& answer) {
  const std::shared_ptr<PoolSlot> pool = MeantFor(routes, work);
  (pool == nullptr ? core_.unknown_pool_posts : pool->invalid_posts).fetch_add(1);
  core_.observer.OnInvalidPost(pool == nullptr ? std::string_view("unknown") : pool->name(),
                               error.code);
  answer(std::unexpected(error));
}

void Poster::Admit(Items items, std::vector<Ticket>& tickets) {
  std::vector<Group> groups;
  for (Item& item : items) {
    PoolSlot* pool = &item.entry->pool();
    // Only the pool's latest group will do: its items are offered in their order.
    const auto at = std::ranges::find(groups.rbegin(), groups.rend(), pool, &Group::pool);
    if (at != groups.rend() && at->when_full == item.when_full) {
      at->items.push_back(&item);
    } else {
      groups.push_back({pool, item.when_full, {&item}});
    }
  }
  Items accepted;
  accepted.reserve(items.size());
  for (Group& group : groups) OfferGroup(group, accepted, tickets);
  if (accepted.empty()) return;
  if (accepted.size() == 1) return AcceptOne(std::move(accepted.front()));
  if (groups.size() > 1) std::ranges::sort(accepted, {}, &Item::index);  // ids in their order
  Accept(std::move(accepted));
}

void Poster::OfferGroup(Group& group, Items& accepted, std::vector<Ticket>& tickets) {
  std::vector<OfferResult> results;
  const Ref<WaitGroup> waits = OfferTasks(group, results);
  const std::size_t prepared = results.size() - (waits ? waits->size() : 0);
  for (std::size_t i = 0; i < results.size(); ++i) {
    Item& item = *group.items[i];
    if (results[i].verdict == Verdict::kWaiting) {
      tickets[item.index] = waits->first_ticket() + (i - prepared);
      continue;
    }
    if (i >= prepared) item.answer = EndWait(*item.entry);
    if (results[i].verdict == Verdict::kRefused) {
      item.answer(std::unexpected(ErrorOf(*item.entry, results[i].refusal)));
    } else {
      accepted.push_back(std::move(item));
    }
  }
  if (waits) ArmWaits(waits, std::nullopt);
}

// What waits needs more of the dispatcher than what does not, and mostly nothing waits: the items
// are prepared for it only from the first one for which there is no room.
Ref<WaitGroup> Poster::OfferTasks(const Group& group, std::vector<OfferResult>& results) {
  std::vector<Task*> tasks;
  tasks.reserve(group.items.size());
  for (const Item* item : group.items) tasks.push_back(item->entry.get());
  TaskPool& pool = group.pool->tasks();
  if (group.when_full == WhenFull::kReject) {
    pool.OfferMany(tasks, WhenFull::kReject, results, false);
    return nullptr;
  }
  pool.OfferUntilWait(tasks, results, false);
  const std::size_t offered = results.size();
  if (offered == tasks.size()) return nullptr;
  // Before the offer: a wait may end before this thread gets to it.
  Ref<WaitGroup> waits = PrepareWaits(std::span(group.items).subspan(offered));
  pool.OfferMany(std::span(tasks).subspan(offered), WhenFull::kWait, results, false);
  return waits;
}

Error Poster::ErrorOf(const JobEntry& entry, Refusal why) {
  PoolSlot& pool = entry.pool();
  switch (why) {
    case Refusal::kQueueFull:
      return {ErrorCode::kQueueFull, fmt::format("the pool \"{}\" is full", pool.name()),
              pool.retry().RetryAfter(core_.clock.Now())};
    case Refusal::kTooLarge:
      return {ErrorCode::kPayloadTooLarge,
              fmt::format("the job alone exceeds capacity_bytes of the pool \"{}\"", pool.name()),
              {}};
    case Refusal::kWaitTimeout:
      return {ErrorCode::kWaitTimeout,
              fmt::format("no room came up in the pool \"{}\" in time", pool.name()),
              {}};
    case Refusal::kCancelled:
      return {ErrorCode::kCancelled, "the poster gave up while it waited for room", {}};
    case Refusal::kDraining:
      return {ErrorCode::kDraining,
              core_.closing ? std::string("the daemon shuts down and takes no posts")
                            : fmt::format("the pool \"{}\" takes no posts now", pool.name()),
              {}};
    case Refusal::kTooHeavy:
      return {ErrorCode::kBadField,
              fmt::format("weight: {} is more than the {} workers that the pool \"{}\" may have",
                          entry.weight, pool.tasks().Read().limits.HeaviestTask(), pool.name()),
              {}};
    case Refusal::kStore: break;
  }
  return {ErrorCode::kStoreUnavailable, "the store could not commit the post", {}};
}

// --- waiting for room ----------------------------------------------------------------------------

Ref<WaitGroup> Poster::PrepareWaits(std::span<Item* const> items) {
  std::vector<WaitGroup::Post> posts;
  posts.reserve(items.size());
  for (Item* item : items) {
    posts.push_back({item->entry, std::move(item->answer), item->wait_until});
  }
  auto group = MakeRef<WaitGroup>(std::move(posts));
  core_.posts.Add(group);
  for (std::uint32_t i = 0; i < items.size(); ++i) items[i]->entry->PrepareWait({group, i});
  return group;
}

void Poster::ArmWaits(const Ref<WaitGroup>& group, std::optional<SteadyTime> after) {
  const auto next = group->NextDue(after.value_or(SteadyTime::min()));
  if (!next) return;
  const DeadlineKey key = core_.deadlines.Add(*next, [this, group] {
    const SteadyTime now = core_.clock.Now();
    for (const Ref<JobEntry>& entry : group->Due(now)) GiveUpWait(entry, Refusal::kWaitTimeout);
    ArmWaits(group, now);
  });
  if (!group->KeepKey(key)) core_.deadlines.Remove(key);  // the waits are over already
}

PostAnswer Poster::EndWait(JobEntry& entry) {
  const JobEntry::Wait wait = entry.EndWait();
  if (!wait.group) return {};
  WaitGroup::Ended ended = wait.group->End(wait.index);
  if (ended.last) {
    core_.deadlines.Remove(ended.key);
    core_.posts.Remove(*wait.group);
  }
  return std::move(ended.answer);
}

void Poster::GiveUpWait(const Ref<JobEntry>& entry, Refusal why) {
  if (entry->pool().tasks().GiveUp(*entry, why)) WaitRefused(*entry, why);
}

void Poster::Abandon(Ticket ticket) {
  if (const auto entry = core_.posts.Find(ticket)) GiveUpWait(entry, Refusal::kCancelled);
}

void Poster::WaitsAccepted(std::span<Task* const> tasks) {
  Items items(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (i + kAhead < tasks.size()) Prefetch(tasks[i + kAhead], sizeof(JobEntry));
    items[i].entry = Ref(static_cast<JobEntry*>(tasks[i]));
    items[i].answer = EndWait(*items[i].entry);
  }
  if (items.size() == 1) return AcceptOne(std::move(items.front()));
  Accept(std::move(items));
}

void Poster::WaitRefused(JobEntry& entry, Refusal why) {
  const Ref<JobEntry> alive(&entry);
  EndWait(entry)(std::unexpected(ErrorOf(entry, why)));
}

// --- accepting -----------------------------------------------------------------------------------

void Poster::Accept(Items items) {
  const JobId first = core_.store.TakeIds(items.size());
  const WallTime wall = core_.clock.WallNow();
  const SteadyTime now = core_.clock.Now();
  std::vector<Ref<JobEntry>> entries;
  entries.reserve(items.size());
  for (const Item& item : items) {
    item.entry->Accept(first + entries.size(), wall, now);
    entries.push_back(item.entry);
  }
  for (std::size_t i = 0; i < entries.size();) {
    PoolSlot& pool = entries[i]->pool();
    const std::size_t first_of_pool = i;
    while (i < entries.size() && &entries[i]->pool() == &pool) ++i;
    pool.Open(i - first_of_pool);
  }
  core_.table.Insert(std::move(entries));
  Commit(std::move(items));
}

void Poster::Commit(Items items) {
  if (!core_.store.KeepsAccepted()) return Committed(items);
  std::vector<Job> jobs;
  jobs.reserve(items.size());
  for (const Item& item : items) jobs.push_back(item.entry->job());
  core_.store.Accept(jobs, [this, items = std::move(items)](Result<void> committed) mutable {
    if (committed) {
      Committed(items);
    } else {
      NotCommitted(items, committed.error());
    }
  });
}

// As Accept, without what only many need.
void Poster::AcceptOne(Item item) {
  JobEntry& entry = *item.entry;
  entry.Accept(core_.store.TakeIds(1), core_.clock.WallNow(), core_.clock.Now());
  entry.pool().Open(1);
  core_.table.Insert(item.entry);
  if (!core_.store.KeepsAccepted()) return Committed(std::span(&item, 1));
  const Job job = entry.job();
  core_.store.Accept(std::span(&job, 1),
                     [this, item = std::move(item)](Result<void> committed) mutable {
                       if (committed) {
                         Committed(std::span(&item, 1));
                       } else {
                         NotCommitted(std::span(&item, 1), committed.error());
                       }
                     });
}

void Poster::Committed(std::span<Item> items) {
  for (Item& item : items) {
    if (const auto stop_at = item.entry->SetLive()) ArmRunDeadline(item.entry, *stop_at);
  }
  for (Item& item : items) item.answer(Posted{item.entry->id(), false});
  Publish(items);
}

void Poster::ArmRunDeadline(const Ref<JobEntry>& entry, SteadyTime when) {
  entry->KeepStopKey(core_.deadlines.Add(when, [this, id = entry->id()] {
    if (const auto job = core_.table.Find(id)) stopper_.OnRunDeadline(job);
  }));
}

// Neighbours of one pool share a round of its lock, and mostly all are of one.
void Poster::Publish(std::span<const Item> items) {
  std::array<Task*, kPublishedAtOnce> tasks;
  for (std::size_t i = 0; i < items.size();) {
    PoolSlot& pool = items[i].entry->pool();
    std::size_t count = 0;
    for (; i < items.size() && count < tasks.size() && &items[i].entry->pool() == &pool; ++i) {
      tasks[count++] = items[i].entry.get();
    }
    pool.tasks().PublishMany(std::span(tasks).first(count));
  }
}

void Poster::NotCommitted(std::span<Item> items, const Error& error) {
  for (Item& item : items) {
    PoolSlot& pool = item.entry->pool();
    pool.tasks().Revoke(*item.entry, Refusal::kStore);
    core_.table.Take(item.entry->id());
    item.answer(std::unexpected(
        Error{ErrorCode::kStoreUnavailable, "the store could not commit: " + error.message, {}}));
    pool.Settle(1);
  }
}

}  // namespace workpool
