// What the threads of a load share, and what a post of one is.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "workpool/v1/workpool.pb.h"

namespace workpool::bench {

struct Progress {
  std::atomic<std::uint64_t> jobs{0};
  std::atomic<bool> stop{false};
  std::atomic<bool> refused{false};
};

inline void Fill(v1::Work& work, int payload_bytes) {
  work.set_handler("noop");
  work.set_payload(std::string(static_cast<std::size_t>(payload_bytes), 'x'));
}

template <typename Results>
bool AllAccepted(const Results& results) {
  for (const auto& result : results) {
    if (result.has_refusal()) return false;
  }
  return true;
}

}  // namespace workpool::bench
