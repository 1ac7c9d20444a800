// Records one behind the other, in the order in which they were kept: the oldest go first. Not
// thread safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

#include "stores/record.h"

namespace workpool {

class RecordLog {
 public:
  // What a record costs besides its own memory, in the index by ids.
  static constexpr std::size_t kIndexBytes = 16;

  // Stays in place until it is popped.
  const Record& Add(const JobView& view, SteadyTime now);

  bool empty() const { return count_ == 0; }
  const Record& front() const;
  void PopFront();

  std::uint64_t count() const { return count_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  struct Chunk {
    explicit Chunk(std::size_t the_size)
        : memory(std::make_unique_for_overwrite<std::byte[]>(the_size)), size(the_size) {}

    std::unique_ptr<std::byte[]> memory;
    std::size_t size;
    std::size_t begin = 0;  // of the oldest record
    std::size_t end = 0;
  };

  std::deque<Chunk> chunks_;  // the first has the oldest record
  std::uint64_t count_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace workpool
