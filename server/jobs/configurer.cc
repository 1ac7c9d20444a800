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
  return std::make_shared<PoolSlot>(config, make_pool_(config.name, config.limits));
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
    HandlerRoute& handler = routes.handlers[wanted.name];
    if (const auto pool = routes.FindPool(wanted.pool)) {
      handler.group = &pool->LimitHandler(wanted.name, wanted.max_active);
    }
    const auto old = before.handlers.find(wanted.name);
    if (old != before.handlers.end() && Same(*old->second.config, wanted)) {
      handler.config = old->second.config;
      continue;
    }
    handler.config = std::make_shared<const HandlerConfig>(wanted);
    lines.push_back(fmt::format("handler {}: {}", wanted.name,
                                old == before.handlers.end() ? "added" : "changed"));
  }
  for (const auto& [name, handler] : before.handlers) {
    if (!routes.handlers.contains(name)) lines.push_back(fmt::format("handler {}: removed", name));
  }
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
