// The system's limits that the daemon needs room in, checked before it starts what would die of
// them.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"

namespace workpool {

// Below that it might start, but not serve: its own files, the reserve for commands, a few clients.
inline constexpr std::uint64_t kMinDescriptors = 48;

// Raises the soft limit of open files to the hard one. The error names the limit and the need.
Result<void> RaiseDescriptorLimit();

// Below that gRPC aborts or runs out while it starts; stacks and the allocator reserve far more
// than they use.
inline constexpr std::uint64_t kMinAddressSpace = std::uint64_t{1} << 30;

// The error names the limit of the address space and the need.
Result<void> CheckAddressSpace();

// Starts `count` threads at once and ends them: the error says that the system does not allow so
// many. Blocks for a moment.
Result<void> CheckThreads(std::uint64_t count);

}  // namespace workpool
