#include "jobs/configurer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace workpool {
namespace {

constexpr std::chrono::milliseconds kLookAgain{100};

bool Same(const HandlerConfig& a, const HandlerConfig& b) {
  return a.pool == b.pool && a.kind == b.kind && a.timeout == b.timeout &&
         a.kill_grace == b.kill_grace && a.max_active == b.max_active && a.exec == b.exec &&
         a.definition == b.definition;
}

const PoolConfig* FindPool(const DispatcherConfig& config, const std::string& name) {
  const auto at = std::ranges::find(config.pools, name, &PoolConfig::name);
  return at == config.pools.end() ? nullptr : &*at;
}

}  // namespace

std::vector<std::string> Configurer::Reconfigure(const DispatcherConfig& config) {
  const MutexLock lock(changing_);
  const std::shared_ptr<const Routes> before = core_.routes.Get();
  auto routes = std::make_shared<Routes>();
  routes->pools = before->pools;
  routes->max_payload = config.max_payload;
  routes->max_result = config.max_result;
  core_.max_result = config.max_result;
  Lines lines;
  SetPools(config, *routes, lines);
  SetHandlers(config, *before, *routes, lines);
  routes->Index();
  core_.routes.Set(std::move(routes));
  // A pool that came while the daemon shuts down takes no posts either.
  if (core_.closing) {
    for (const auto& [name, pool] : core_.routes.Get()->pools) pool->tasks().Close(true);
  }
  return lines;
}

void Configurer::SetPools(const DispatcherConfig& config, Routes& routes, Lines& lines) {
  for (const auto& [name, pool] : routes.pools) {
    if (FindPool(config, name) == nullptr && !pool->removed()) RemovePool(pool, lines);
  }
  for (const PoolConfig& wanted : config.pools) {
    core_.store.SetRetention(wanted.name, wanted.keep);
    std::shared_ptr<PoolSlot>& pool = routes.pools[wanted.name];
    if (pool != nullptr) {
      ChangePool(pool, wanted, lines);
    } else {
      pool = AddPool(wanted);
      lines.push_back(fmt::format("pool {}: added", wanted.name));
    }
    tuning_.LookAfter(pool);
  }
}

std::shared_ptr<PoolSlot> Configurer::AddPool(const PoolConfig& config) {
  auto pool = std::make_shared<PoolSlot>(config, make_pool_(config.name, config.limits));
  if (const auto before = gone_.find(config.name); before != gone_.end()) {
    pool->ContinueFrom(before->second);
  }
  return pool;
}

void Configurer::ChangePool(const std::shared_ptr<PoolSlot>& pool, const PoolConfig& config,
                            Lines& lines) {
  if (pool->removed()) {
    pool->SetRemoved(false);
    if (!core_.closing) pool->tasks().Resume();
    lines.push_back(fmt::format("pool {}: added again", config.name));
  }
  for (const std::string& line : pool->Reconfigure(config)) {
    lines.push_back(fmt::format("pool {}: {}", config.name, line));
  }
}

void Configurer::RemovePool(const std::shared_ptr<PoolSlot>& pool, Lines& lines) {
  pool->SetRemoved(true);
  pool->tasks().Drain();
  AwaitEmpty(pool);
  lines.push_back(fmt::format("pool {}: removed", pool->name()));
}

void Configurer::SetHandlers(const DispatcherConfig& config, const Routes& before, Routes& routes,
                             Lines& lines) {
  for (const HandlerConfig& wanted : config.handlers) {
    LimitHandler(wanted, routes);
    std::shared_ptr<const HandlerConfig>& handler = routes.handlers[wanted.name];
    const auto old = before.handlers.find(wanted.name);
    if (old != before.handlers.end() && Same(*old->second, wanted)) {
      handler = old->second;
      continue;
    }
    handler = std::make_shared<const HandlerConfig>(wanted);
    lines.push_back(fmt::format("handler {}: {}", wanted.name,
                                old == before.handlers.end() ? "added" : "changed"));
  }
  for (const auto& [name, handler] : before.handlers) {
    if (!routes.handlers.contains(name)) lines.push_back(fmt::format("handler {}: removed", name));
  }
}

void Configurer::LimitHandler(const HandlerConfig& handler, const Routes& routes) {
  const std::shared_ptr<PoolSlot> home = routes.FindPool(handler.pool);
  std::vector<std::shared_ptr<PoolSlot>> pools;
  for (const auto& [name, pool] : routes.pools) {
    if (pool != home && pool->FindGroup(handler.name) != nullptr) pools.push_back(pool);
  }
  if (home != nullptr) pools.push_back(home);
  const bool shared = pools.size() > 1;
  std::shared_ptr<HandlerLimit> limit = limits_[handler.name];
  if (handler.max_active == 0) {
    limits_.erase(handler.name);
    limit = nullptr;
  } else if (limit == nullptr) {
    // Of several pools none starts one before what is active in all of them has been counted.
    limit = std::make_shared<HandlerLimit>(shared ? 0 : handler.max_active);
    limits_[handler.name] = limit;
  }
  if (limit != nullptr) limit->SetPools({pools.begin(), pools.end()});
  for (const auto& pool : pools) pool->tasks().Limit(pool->GroupOf(handler.name), limit, shared);
  if (limit == nullptr) return;
  limit->SetMax(handler.max_active);
  limit->Serve();
}

// --- removal -------------------------------------------------------------------------------------

void Configurer::AwaitEmpty(const std::shared_ptr<PoolSlot>& pool) {
  pool->WhenEmpty([this, weak = std::weak_ptr(pool)] {
    // On a thread of the pool, perhaps: the pool has to go on another, so at the next Tick.
    core_.deadlines.Add(core_.clock.Now(), [this, weak] {
      if (auto slot = weak.lock()) Drop(std::move(slot));
    });
  });
}

// Takes it out of the routes, unless it is wanted again.
void Configurer::Drop(std::shared_ptr<PoolSlot> pool) {
  {
    const MutexLock lock(changing_);
    if (!pool->removed() || core_.closing) return;
    auto routes = std::make_shared<Routes>(*core_.routes.Get());
    routes->pools.erase(pool->name());
    gone_[pool->name()] = pool->Counts();
    routes->Index();
    core_.routes.Set(std::move(routes));
  }
  Bury(std::move(pool));
}

// Whoever has resolved a route to it just before may still hold it, and perhaps even have a job
// accepted there if the drain was lifted for a moment: it goes when this is the last reference.
void Configurer::Bury(std::shared_ptr<PoolSlot> pool) {
  if (pool.use_count() == 1) {
    pool->tasks().Close(true);
    if (pool->tasks().Join(core_.clock.Now())) return;
  }
  core_.deadlines.Add(core_.clock.Now() + kLookAgain,
                      [this, held = std::move(pool)]() mutable { Bury(std::move(held)); });
}

}  // namespace workpool
