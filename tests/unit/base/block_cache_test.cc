#include "base/block_cache.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

namespace workpool {
namespace {

TEST(BlockCacheTest, BlocksAreAlignedAndNobodyElses) {
  std::vector<std::pair<void*, std::size_t>> blocks;
  for (std::size_t bytes = 1; bytes <= 2 * kMaxBlock; ++bytes) {
    void* const block = AllocateBlock(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignof(std::max_align_t), 0u);
    std::memset(block, static_cast<int>(bytes & 0xFF), bytes);
    blocks.emplace_back(block, bytes);
  }
  for (const auto& [block, bytes] : blocks) {
    const auto* const at = static_cast<const unsigned char*>(block);
    EXPECT_EQ(at[0], bytes & 0xFF);
    EXPECT_EQ(at[bytes - 1], bytes & 0xFF);
    FreeBlock(block, bytes);
  }
}

TEST(BlockCacheTest, WhatWasFreedLastIsUsedNext) {
  void* const block = AllocateBlock(100);
  FreeBlock(block, 100);
  EXPECT_EQ(AllocateBlock(100), block);
  FreeBlock(block, 100);
}

// Blocks wander from the thread that frees to the thread that allocates.
TEST(BlockCacheTest, BlocksComeBackFromAnotherThread) {
  constexpr std::size_t kBlocks = 1000;
  const auto allocate = [] {
    std::vector<void*> blocks(kBlocks);
    for (void*& block : blocks) block = AllocateBlock(200);
    return blocks;
  };
  const std::vector<void*> first = allocate();
  std::thread([&] {
    for (void* block : first) FreeBlock(block, 200);
  }).join();
  const std::vector<void*> second = allocate();
  const std::set<void*> known(first.begin(), first.end());
  std::size_t again = 0;
  for (void* block : second) again += known.count(block);
  EXPECT_GT(again, kBlocks / 2);
  for (void* block : second) FreeBlock(block, 200);
}

TEST(BlockCacheTest, ManyThreadsAtOnce) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      std::vector<void*> held;
      for (int i = 0; i < 20'000; ++i) {
        held.push_back(AllocateBlock(64));
        *static_cast<int*>(held.back()) = t;
        if (held.size() < 300) continue;
        for (void* block : held) {
          ASSERT_EQ(*static_cast<int*>(block), t);
          FreeBlock(block, 64);
        }
        held.clear();
      }
      for (void* block : held) FreeBlock(block, 64);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace workpool
