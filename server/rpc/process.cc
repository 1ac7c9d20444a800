#include "rpc/process.h"

#include <absl/synchronization/mutex.h>

namespace workpool {

void PrepareGrpcProcess() { absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore); }

}  // namespace workpool
