// How workpoold ends (docs/operations.md).
#pragma once

namespace workpool {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailure = 1;  // it could not start, or not end in order
inline constexpr int kExitUsage = 2;    // command line or config

}  // namespace workpool
