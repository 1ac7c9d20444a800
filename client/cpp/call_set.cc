#include "call_set.h"

#include <utility>
#include <vector>

namespace workpool::client {

std::optional<std::uint64_t> CallSet::Enter(std::shared_ptr<grpc::ClientContext> context) {
  const MutexLock lock(mutex_);
  if (closed_) return std::nullopt;
  ++alive_;
  calls_.emplace(++last_id_, std::move(context));
  return last_id_;
}

void CallSet::Leave(std::uint64_t id) {
  MutexLock lock(mutex_);
  const auto found = calls_.find(id);
  std::shared_ptr<grpc::ClientContext> context = std::move(found->second);
  calls_.erase(found);
  lock.Unlock();
  context.reset();
  lock.Lock();
  if (--alive_ == 0) emptied_.NotifyAll();
}

void CallSet::Close() {
  const MutexLock lock(mutex_);
  closed_ = true;
}

void CallSet::CancelAll() {
  std::vector<std::shared_ptr<grpc::ClientContext>> contexts;
  {
    const MutexLock lock(mutex_);
    for (const auto& [id, context] : calls_) contexts.push_back(context);
  }
  for (const auto& context : contexts) context->TryCancel();
}

void CallSet::WaitEmpty() {
  MutexLock lock(mutex_);
  while (alive_ > 0) emptied_.Wait(mutex_);
}

}  // namespace workpool::client
