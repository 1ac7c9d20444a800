// What a process must do before its first gRPC call.
#pragma once

namespace workpool {

// First thing in main, in servers and clients: Debian's abseil checks every absl::Mutex for lock
// cycles, aborts on what it takes for one, and costs about 15 % of unary throughput.
void PrepareGrpcProcess();

}  // namespace workpool
