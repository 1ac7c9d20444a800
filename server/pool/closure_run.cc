#include "pool/closure_run.h"

namespace workpool {

void ClosureContext::Report(std::exception_ptr thrown, const std::string& caller) noexcept {
  exceptions.fetch_add(1, std::memory_order_relaxed);
  if (on_exception) on_exception(std::move(thrown), caller);
}

bool ClosureRun::BecomeBystander(Places& pool) {
  if (current == nullptr || &current->pool_ != &pool) return false;
  if (!std::exchange(current->bystander_, true)) pool.AddBystander();
  return true;
}

}  // namespace workpool
