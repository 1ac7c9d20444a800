// What a thread does between two looks at something that another is about to change: it gives the
// core's other thread the units that it would take, and saves power.
#pragma once

namespace workpool {

inline void CpuPause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb");
#endif
}

}  // namespace workpool
