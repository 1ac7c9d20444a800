// Fetches memory that will be wanted soon and that another core has written: what one waits for it
// there is spent on something else.
#pragma once

#include <cstddef>

namespace workpool {

// `bytes` from `memory` on, to be written. A hint: harmless whatever `memory` is.
inline void Prefetch(const void* memory, std::size_t bytes) {
  constexpr std::size_t kLine = 64;
  for (std::size_t i = 0; i < bytes; i += kLine) {
    __builtin_prefetch(static_cast<const char*>(memory) + i, 1);
  }
}

}  // namespace workpool
