#include "base/block_cache.h"

#include <array>
#include <new>
#include <utility>
#include <vector>

#include "base/mutex.h"

namespace workpool {
namespace {

// The C library's malloc has these sizes too: it adds a word and rounds up to two.
constexpr std::size_t kStep = 16;
constexpr std::size_t kShift = 8;
constexpr std::size_t kClasses = (kMaxBlock + kShift) / kStep + 1;
constexpr std::size_t kHandful = 64;
// What waits for anybody, and what a thread has, of all sizes together.
constexpr std::size_t kMaxDepotBytes = std::size_t{4} << 20;
constexpr std::size_t kMaxThreadBytes = std::size_t{128} << 10;

constexpr std::size_t ClassOf(std::size_t bytes) {
  return (bytes + kShift + kStep - 1) / kStep - 1;
}
constexpr std::size_t BytesOfClass(std::size_t number) { return (number + 1) * kStep - kShift; }
static_assert(BytesOfClass(ClassOf(1)) >= sizeof(void*) && BytesOfClass(ClassOf(248)) == 248 &&
              BytesOfClass(ClassOf(249)) == 264 && ClassOf(kMaxBlock) < kClasses);

// A free block holds the next of its handful.
struct FreeBlocks {
  struct Block {
    Block* next;
  };
  Block* first = nullptr;
  std::size_t count = 0;

  void Push(void* memory) {
    first = new (memory) Block{first};
    ++count;
  }
  void* Pop() {
    --count;
    return std::exchange(first, first->next);
  }
  void FreeAll() {
    while (first != nullptr) ::operator delete(Pop());
  }
};

// The handfuls that wait for anybody.
class Depot {
 public:
  // Empty if there is none.
  FreeBlocks Take(std::size_t number) {
    MutexLock lock(mutex_);
    std::vector<FreeBlocks>& handfuls = handfuls_[number];
    if (handfuls.empty()) return {};
    const FreeBlocks blocks = handfuls.back();
    handfuls.pop_back();
    bytes_ -= blocks.count * BytesOfClass(number);
    return blocks;
  }
  // Frees them if there are enough.
  void Give(FreeBlocks blocks, std::size_t number) {
    if (!Keep(blocks, number)) blocks.FreeAll();
  }

 private:
  bool Keep(const FreeBlocks& blocks, std::size_t number) {
    MutexLock lock(mutex_);
    const std::size_t bytes = blocks.count * BytesOfClass(number);
    if (bytes_ + bytes > kMaxDepotBytes) return false;
    handfuls_[number].push_back(blocks);
    bytes_ += bytes;
    return true;
  }

  Mutex mutex_;
  std::array<std::vector<FreeBlocks>, kClasses> handfuls_ GUARDED_BY(mutex_);
  std::size_t bytes_ GUARDED_BY(mutex_) = 0;
};

// Never destroyed: threads may end after it would have been.
Depot& TheDepot() {
  static auto* const depot = new Depot;
  return *depot;
}

// What a thread has of one size: a handful in use, and a full one or none, so that a thread which
// allocates and frees in turn does not trade each time.
struct Stock {
  FreeBlocks used;
  FreeBlocks full;
};

// What is seldom done stays out of line: the rest is then so short that it saves no registers.
class ThreadStock {
 public:
  ThreadStock() = default;
  ~ThreadStock() {
    for (Stock& stock : stocks_) {
      stock.used.FreeAll();
      stock.full.FreeAll();
    }
    ended = true;
    mine = nullptr;
  }
  ThreadStock(const ThreadStock&) = delete;
  ThreadStock& operator=(const ThreadStock&) = delete;

  void* Allocate(std::size_t number) {
    return stocks_[number].used.count > 0 ? Pop(number) : PopOfNext(number);
  }

  void Free(void* block, std::size_t number) {
    const bool full = stocks_[number].used.count == kHandful || bytes_ >= kMaxThreadBytes;
    return full ? MakeRoomAndPush(block, number) : Push(block, number);
  }

  // The calling thread's; null while it ends.
  static ThreadStock* Mine() { return mine != nullptr ? mine : Make(); }

 private:
  [[gnu::noinline]] static ThreadStock* Make() {
    if (ended) return nullptr;
    thread_local ThreadStock stock;
    return mine = &stock;
  }

  void* Pop(std::size_t number) {
    bytes_ -= BytesOfClass(number);
    return stocks_[number].used.Pop();
  }
  [[gnu::noinline]] void* PopOfNext(std::size_t number) {
    Stock& stock = stocks_[number];
    stock.used = std::exchange(stock.full, {});
    if (stock.used.count == 0) {
      stock.used = TheDepot().Take(number);
      bytes_ += stock.used.count * BytesOfClass(number);
    }
    return stock.used.count > 0 ? Pop(number) : ::operator new(BytesOfClass(number));
  }

  void Push(void* block, std::size_t number) {
    stocks_[number].used.Push(block);
    bytes_ += BytesOfClass(number);
  }
  [[gnu::noinline]] void MakeRoomAndPush(void* block, std::size_t number) {
    Stock& stock = stocks_[number];
    if (stock.used.count == kHandful) {
      GiveAway(stock.full, number);
      stock.full = std::exchange(stock.used, {});
    }
    if (bytes_ >= kMaxThreadBytes) GiveAllAway();
    Push(block, number);
  }

  void GiveAway(FreeBlocks& blocks, std::size_t number) {
    if (blocks.count == 0) return;
    bytes_ -= blocks.count * BytesOfClass(number);
    TheDepot().Give(std::exchange(blocks, {}), number);
  }
  void GiveAllAway() {
    for (std::size_t number = 0; number < kClasses; ++number) {
      GiveAway(stocks_[number].used, number);
      GiveAway(stocks_[number].full, number);
    }
  }

  static thread_local ThreadStock* mine;
  static thread_local bool ended;
  std::array<Stock, kClasses> stocks_;
  std::size_t bytes_ = 0;
};

thread_local ThreadStock* ThreadStock::mine = nullptr;
thread_local bool ThreadStock::ended = false;

}  // namespace

void* AllocateBlock(std::size_t bytes) {
  if (bytes > kMaxBlock) return ::operator new(bytes);
  ThreadStock* const mine = ThreadStock::Mine();
  const std::size_t number = ClassOf(bytes);
  return mine == nullptr ? ::operator new(BytesOfClass(number)) : mine->Allocate(number);
}

void FreeBlock(void* block, std::size_t bytes) noexcept {
  ThreadStock* const mine = bytes > kMaxBlock ? nullptr : ThreadStock::Mine();
  if (mine == nullptr) return ::operator delete(block);
  mine->Free(block, ClassOf(bytes));
}

}  // namespace workpool
