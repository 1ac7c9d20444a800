#include "pool/worker.h"

#include <stdexcept>
#include <utility>

namespace workpool {

Completion::Completion(Completion&& other) noexcept
    : pool_(std::exchange(other.pool_, nullptr)), place_(other.place_) {}

Completion& Completion::operator=(Completion&& other) noexcept {
  if (this == &other) return *this;
  Complete();
  pool_ = std::exchange(other.pool_, nullptr);
  place_ = other.place_;
  return *this;
}

Completion::~Completion() { Complete(); }

void Completion::Complete() {
  Places* pool = std::exchange(pool_, nullptr);
  if (pool != nullptr) pool->Finish(place_);
}

Completion Worker::Defer() {
  if (std::exchange(deferred_, true)) {
    throw std::logic_error("workpool: Worker::Defer was called twice by one closure");
  }
  return {pool_, place_};
}

}  // namespace workpool
