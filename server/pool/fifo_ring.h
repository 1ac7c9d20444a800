// The positions of a queue, numbered from 0 for ever, in memory that is used again and again; grows
// by doubling, when its owner says so. Not thread safe; two threads may use different positions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace workpool {

template <typename T>
class FifoRing {
 public:
  // `size` is a power of two.
  explicit FifoRing(std::uint64_t size) : size_(size), memory_(Allocate(size)) {}
  ~FifoRing() { Free(memory_, size_); }
  FifoRing(const FifoRing&) = delete;
  FifoRing& operator=(const FifoRing&) = delete;

  // How many consecutive positions it holds.
  std::uint64_t size() const { return size_; }

  template <typename... Arguments>
  void Put(std::uint64_t position, Arguments&&... arguments) {
    std::construct_at(memory_ + (position & (size_ - 1)), std::forward<Arguments>(arguments)...);
  }
  T& At(std::uint64_t position) { return memory_[position & (size_ - 1)]; }
  const T& At(std::uint64_t position) const { return memory_[position & (size_ - 1)]; }
  // The position will be used soon.
  void Prefetch(std::uint64_t position) const { __builtin_prefetch(&At(position), 1); }
  void Drop(std::uint64_t position) { std::destroy_at(&At(position)); }

  // To another power of two that holds what is there: positions `begin` to `end`.
  void Resize(std::uint64_t size, std::uint64_t begin, std::uint64_t end) {
    T* memory = Allocate(size);
    for (std::uint64_t position = begin; position != end; ++position) {
      std::construct_at(memory + (position & (size - 1)), std::move(At(position)));
      Drop(position);
    }
    Free(memory_, size_);
    memory_ = memory;
    size_ = size;
  }

 private:
  static T* Allocate(std::uint64_t size) { return std::allocator<T>().allocate(size); }
  static void Free(T* memory, std::uint64_t size) { std::allocator<T>().deallocate(memory, size); }

  std::uint64_t size_;
  T* memory_;
};

}  // namespace workpool
