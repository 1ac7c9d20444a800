// Memory for objects that one thread makes and another destroys, over and over: blocks that are
// freed wait, up to a bound, for whoever needs one of their size next. Each thread has a handful of
// its own and trades them with the others by the handful, so that neither side takes a lock for
// each block, and what is used is what was used last.
//
// Thread safe. Blocks beyond the bound, and those of sizes above kMaxBlock, go back to malloc.
#pragma once

#include <cstddef>

namespace workpool {

inline constexpr std::size_t kMaxBlock = 1024;

// At least `bytes` bytes, aligned for any type. Throws std::bad_alloc.
void* AllocateBlock(std::size_t bytes);
// `bytes` as it was allocated with.
void FreeBlock(void* block, std::size_t bytes) noexcept;

// For std::allocate_shared.
template <typename T>
struct BlockAllocator {
  using value_type = T;

  BlockAllocator() = default;
  template <typename Other>
  BlockAllocator(const BlockAllocator<Other>&) {}  // NOLINT: as any allocator
  template <typename Other>
  bool operator==(const BlockAllocator<Other>&) const {
    return true;
  }

  T* allocate(std::size_t count) { return static_cast<T*>(AllocateBlock(count * sizeof(T))); }
  void deallocate(T* block, std::size_t count) noexcept { FreeBlock(block, count * sizeof(T)); }
};

}  // namespace workpool
