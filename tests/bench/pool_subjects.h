// The pools that pool benchmarks compare, behind one interface.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "body.h"

namespace workpool::bench {

class PoolSubject {
 public:
  virtual ~PoolSubject() = default;
  virtual std::string name() const = 0;
  // Makes a pool of `workers` with a queue of ten times as many, posts every job of `body` from
  // this thread, which waits while the queue is full, and returns when all are done and the pool is
  // gone.
  virtual void Run(unsigned workers, Body& body) = 0;
};

// workpool first, then the others.
std::vector<std::unique_ptr<PoolSubject>> PoolSubjects();

}  // namespace workpool::bench
