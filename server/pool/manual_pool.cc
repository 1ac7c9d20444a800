#include "pool/manual_pool.h"

namespace workpool {

ManualPool::ManualPool(const PoolLimits& limits) : TaskPool(limits) {}

bool ManualPool::RunOne() {
  mutex_.Lock();
  const Admission::Started next = admission_.TakeReady();
  mutex_.Unlock();
  if (next.task == nullptr) return false;
  if (next.task->Run(next.place) == RunStatus::kFinished) Finish(next.place);
  return true;
}

}  // namespace workpool
