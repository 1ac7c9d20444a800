// One attempt as a coroutine, from its start to its end. Private to this folder.
#pragma once

#include <memory>

#include "jobs/handler.h"
#include "runtime/async_handlers.h"
#include "runtime/async_loops.h"

namespace workpool {

// Calls `function` on `strand` and finishes `attempt` with what comes of it: the coroutine has been
// destroyed by then. When the attempt is told to stop, the coroutine gets Asio's cancellation too.
void RunAsync(AsyncLoops::Strand strand, std::shared_ptr<const AsyncFunction> function,
              std::shared_ptr<Attempt> attempt);

}  // namespace workpool
