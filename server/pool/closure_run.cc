#include "pool/closure_run.h"

#include <stdexcept>

namespace workpool {

void ClosureContext::Report(std::exception_ptr thrown, const std::string& caller) noexcept {
  exceptions.fetch_add(1, std::memory_order_relaxed);
  if (on_exception) on_exception(std::move(thrown), caller);
}

void CheckPlain(const WorkPoolOptions& options) {
  const auto refuse = [&options](const char* why) {
    throw std::invalid_argument("workpool: pool \"" + options.name + "\" " + why);
  };
  if (options.workers == 0) refuse("needs at least 1 worker");
  if (options.priorities) refuse("cannot have `priorities`: values have none");
  if (options.capacity_bytes) refuse("cannot have `capacity_bytes`: values have none");
}

bool ClosureRun::BecomeBystander(Places& pool) {
  if (current == nullptr || &current->pool_ != &pool) return false;
  if (!std::exchange(current->bystander_, true)) pool.AddBystander();
  return true;
}

}  // namespace workpool
