// Where the answer to one post goes: a callback of its own, or its batch's.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "jobs/post_request.h"

namespace workpool {

// Movable; empty once it has been called.
class PostAnswer {
 public:
  PostAnswer() = default;
  explicit PostAnswer(PostDone done) : done_(std::move(done)) {}
  PostAnswer(std::shared_ptr<BatchDone> batch, std::size_t index)
      : batch_(std::move(batch)), index_(index) {}

  explicit operator bool() const { return batch_ != nullptr || done_ != nullptr; }

  void operator()(Result<Posted> result) {
    if (batch_ != nullptr) {
      std::exchange(batch_, nullptr)->operator()(index_, std::move(result));
    } else if (done_ != nullptr) {
      std::exchange(done_, nullptr)(std::move(result));
    }
  }

 private:
  PostDone done_;
  std::shared_ptr<BatchDone> batch_;
  std::size_t index_ = 0;
};

}  // namespace workpool
