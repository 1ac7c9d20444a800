// Holds a live pool at sizes of one's choosing, for as long as this lives and little longer.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "workpool/admin.h"

namespace workpool::cli {

// The size is set for `kHold` and set again in time, so that the pool goes back by itself when the
// program is killed. Thread safe.
class HeldSize {
 public:
  static constexpr std::chrono::seconds kHold{15};
  static constexpr std::chrono::seconds kRenew{4};

  // `before`: the pool as it was found.
  HeldSize(client::Admin& admin, client::Pool before);
  // Puts back what was found, unless Restore has.
  ~HeldSize();
  HeldSize(const HeldSize&) = delete;
  HeldSize& operator=(const HeldSize&) = delete;

  client::Result<void> Set(std::uint32_t workers);
  // What an operator had set before, or else the config's size. Errors are only answered.
  client::Result<void> Restore();

 private:
  client::Result<void> Resize(const client::Resize& resize);
  void Renew(const std::stop_token& over);

  client::Admin& admin_;
  const client::Pool before_;
  std::mutex mutex_;  // one resize at a time
  std::optional<std::uint32_t> workers_;
  std::jthread renewer_;
};

}  // namespace workpool::cli
