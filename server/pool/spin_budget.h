// Whether to spin before sleeping, by how it went before: after a spin in vain the next one is left
// out, then the next three, and so on, so that spinning costs next to nothing where it does not
// help: on a busy machine, with long jobs, with little to do. Not thread safe.
#pragma once

#include <algorithm>
#include <cstdint>

namespace workpool {

class SpinBudget {
 public:
  // True: spin, and then tell how it went.
  bool Take() {
    if (left_out_ == 0) return true;
    --left_out_;
    return false;
  }
  void Succeeded() { failures_ = 0; }
  void Failed() {
    failures_ = std::min(failures_ + 1, kMost);
    left_out_ = (1 << failures_) - 1;
  }

 private:
  static constexpr int kMost = 6;  // 63 are left out

  std::int32_t failures_ = 0;
  std::int32_t left_out_ = 0;
};

}  // namespace workpool
