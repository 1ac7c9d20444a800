// The pools that pool benchmarks compare, behind one interface.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "body.h"

namespace workpool::bench {

class PoolSubject {
 public:
  virtual ~PoolSubject() = default;
  // Makes a pool of `n` workers with a queue of ten times as many, posts every job of `body` from
  // this thread, which waits while the queue is full, and returns when all are done and the pool is
  // gone. Answers how many threads this process had when the last job had been posted.
  virtual std::int64_t Run(std::int64_t n, Body& body) = 0;
};

// An unknown name throws std::invalid_argument.
std::unique_ptr<PoolSubject> MakePoolSubject(const std::string& name);

}  // namespace workpool::bench
