#include "jobs/post_check.h"

#include <fmt/format.h>

#include "base/work_texts.h"

namespace workpool {
namespace {

Result<void> CheckDuration(std::string_view field,
                           const std::optional<std::chrono::nanoseconds>& value) {
  if (!value || (value->count() > 0 && *value <= kMaxDuration)) return {};
  return Fail(ErrorCode::kBadField,
              fmt::format("{}: must be above 0 and at most 3650 days", field));
}

Result<void> CheckFields(const Work& work, std::uint64_t max_payload) {
  if (work.priority < 0 || work.priority >= kPriorities) {
    return Fail(ErrorCode::kBadField,
                fmt::format("priority: {} is not within 0 to {}", work.priority, kPriorities - 1));
  }
  // That it is not above the pool's workers is for the pool to say, which may be resized meanwhile.
  if (work.weight == 0) {
    return Fail(ErrorCode::kBadField, "weight: 0 is not within 1 to the pool's workers");
  }
  if (work.payload.size() > max_payload) {
    return Fail(ErrorCode::kPayloadTooLarge,
                fmt::format("payload: {} bytes, at most {}", work.payload.size(), max_payload));
  }
  if (auto checked = CheckDuration("timeout", work.timeout); !checked) return checked;
  return CheckDuration("wait_timeout", work.wait_timeout);
}

// Work of the route's handler that names `pool`, or none, goes that way.
bool LeadsTo(const Route& route, std::string_view pool) {
  if (!pool.empty()) return pool == route.pool->name();
  return !route.handler->pool.empty() || route.pool->name() == kDefaultPool;
}

}  // namespace

Result<Ref<const Route>> CheckWork(const Work& work, const Routes& routes,
                                   const Ref<const Route>& recent) {
  const WorkTexts texts = {.handler = work.handler,
                           .pool = work.pool,
                           .caller = work.caller,
                           .content_type = work.content_type,
                           .metadata = work.metadata};
  const bool as_before =
      recent && work.handler == recent->handler->name && LeadsTo(*recent, work.pool);
  const Result<void> checked = as_before ? CheckTextsBesideNames(texts) : CheckWorkTexts(texts);
  if (!checked) return std::unexpected(checked.error());
  if (Result<void> fields = CheckFields(work, routes.max_payload); !fields) {
    return std::unexpected(fields.error());
  }
  if (as_before) return recent;
  return routes.Resolve(work.handler, work.pool);
}

}  // namespace workpool
