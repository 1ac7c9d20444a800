// A map from job ids to pointers, for ids that come in increasing order: ordered, and two words an
// entry when the ids are dense. Not thread safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "jobs/job.h"

namespace workpool {

// `Pointer` is a smart pointer; a null one marks a free slot.
template <typename Pointer>
class IdMap {
 public:
  IdMap() = default;
  IdMap(const IdMap&) = delete;
  IdMap& operator=(const IdMap&) = delete;

  static constexpr std::size_t kBlock = 32;  // consecutive ids that share an allocation

  std::size_t size() const { return size_; }

  // `id` must not be in the map, `pointer` not be null.
  void Insert(JobId id, Pointer pointer) {
    Block& block = Is(newest_, id) ? newest_->second : BlockFor(id);
    block.slots[id % kBlock] = std::move(pointer);
    ++block.used;
    ++size_;
  }

  // Null if it is not there.
  Pointer Find(JobId id) const {
    const auto at = blocks_.find(id / kBlock);
    return at == blocks_.end() ? Pointer() : at->second.slots[id % kBlock];
  }

  // Takes it out; null if it is not there.
  Pointer Take(JobId id) {
    if (!Is(recent_, id)) recent_ = Is(newest_, id) ? newest_ : blocks_.find(id / kBlock);
    if (recent_ == blocks_.end()) return Pointer();
    Block& block = recent_->second;
    Pointer taken = std::exchange(block.slots[id % kBlock], Pointer());
    if (taken == nullptr) return taken;
    --size_;
    if (--block.used == 0) {
      if (newest_ == recent_) newest_ = blocks_.end();
      blocks_.erase(recent_);
      recent_ = blocks_.end();
    }
    return taken;
  }

  // Calls `visit(id, pointer)` by descending id below `before` (0: from the newest) while it
  // returns true.
  template <typename Visit>
  void Descend(JobId before, Visit visit) const {
    auto at = before == 0 ? blocks_.end() : blocks_.upper_bound((before - 1) / kBlock);
    while (at != blocks_.begin()) {
      --at;
      for (std::size_t i = kBlock; i-- > 0;) {
        const JobId id = at->first * kBlock + i;
        const Pointer& pointer = at->second.slots[i];
        if (pointer == nullptr || (before != 0 && id >= before)) continue;
        if (!visit(id, pointer)) return;
      }
    }
  }

 private:
  struct Block {
    std::array<Pointer, kBlock> slots{};
    std::size_t used = 0;
  };
  using Blocks = std::map<std::uint64_t, Block>;
  using At = typename Blocks::iterator;

  bool Is(const At& at, JobId id) const { return at != blocks_.end() && at->first == id / kBlock; }
  Block& BlockFor(JobId id) {
    newest_ = blocks_.try_emplace(blocks_.end(), id / kBlock);
    return newest_->second;
  }

  Blocks blocks_;
  // Where was put in and taken out last: mostly the next id lies there too.
  At newest_ = blocks_.end();
  At recent_ = blocks_.end();
  std::size_t size_ = 0;
};

}  // namespace workpool
