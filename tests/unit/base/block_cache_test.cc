#include "base/block_cache.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <new>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace workpool {
namespace {

TEST(BlockCacheTest, BlocksAreAlignedAndNobodyElses) {
  for (int round = 0; round < 2; ++round) {  // the second gets those of the first
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
}

// What malloc would take if a block of this size had gone back to it.
class Strangers {
 public:
  Strangers(std::size_t count, std::size_t bytes) : blocks_(count) {
    for (void*& block : blocks_) block = ::operator new(bytes);
  }
  ~Strangers() {
    for (void* block : blocks_) ::operator delete(block);
  }
  Strangers(const Strangers&) = delete;
  Strangers& operator=(const Strangers&) = delete;

 private:
  std::vector<void*> blocks_;
};

TEST(BlockCacheTest, WhatWasFreedLastIsUsedNext) {
  void* const first = AllocateBlock(100);
  void* const last = AllocateBlock(100);
  FreeBlock(first, 100);
  FreeBlock(last, 100);
  const Strangers strangers(100, 100);
  EXPECT_EQ(AllocateBlock(100), last);
  EXPECT_EQ(AllocateBlock(100), first);
  FreeBlock(first, 100);
  FreeBlock(last, 100);
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
  const Strangers strangers(2 * kBlocks, 200);
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
      constexpr int kBlocks = 20'000;
      std::vector<std::pair<int*, int>> held;
      const auto free_all = [&held] {
        for (const auto& [block, value] : held) {
          EXPECT_EQ(*block, value);
          FreeBlock(block, 64);
        }
        held.clear();
      };
      for (int i = 0; i < kBlocks; ++i) {
        held.emplace_back(static_cast<int*>(AllocateBlock(64)), t * kBlocks + i);
        *held.back().first = held.back().second;
        if (held.size() == 300) free_all();
      }
      free_all();
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace workpool
