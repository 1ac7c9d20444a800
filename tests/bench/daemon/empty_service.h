// `empty-grpc`: a service with workpool's messages that answers and does nothing else. What it
// takes is what gRPC itself costs.
#pragma once

namespace workpool::bench {

// Serves on a free port, says so as workpoold does, and returns on SIGTERM.
int ServeEmpty();

}  // namespace workpool::bench
