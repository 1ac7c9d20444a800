// Holds a live pool at sizes of one's choosing, for as long as this lives and little longer.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "workpool/admin.h"

namespace workpool::cli {

// The size is set for `kHold` and set again in time, so that the pool goes back by itself when the
// program is killed. Once somebody else has resized the pool this leaves it alone. Thread safe; no
// call lasts longer than a few times `kAnswer`, also when the daemon does not answer.
class HeldSize {
 public:
  static constexpr std::chrono::seconds kHold{15};
  static constexpr std::chrono::seconds kRenew{4};
  static constexpr std::chrono::seconds kAnswer{2};

  // `before`: the pool as it was found.
  HeldSize(client::Admin& admin, client::Pool before);
  // Lets the pool go back, unless Restore has.
  ~HeldSize();
  HeldSize(const HeldSize&) = delete;
  HeldSize& operator=(const HeldSize&) = delete;

  // FAILED_PRECONDITION when somebody else has resized the pool since the last Set.
  client::Result<void> Set(std::uint32_t workers);
  client::Result<void> Check();
  // Ends the hold, so that the pool has the size again that it had before, if that has not changed.
  client::Result<void> Restore();

 private:
  client::Result<void> CheckLocked();
  client::Result<void> Resize(const client::Resize& resize);
  void Renew(const std::stop_token& over);

  client::Admin& admin_;
  const client::Pool before_;
  std::mutex mutex_;                      // one call at a time
  std::optional<std::uint32_t> workers_;  // that this holds
  std::optional<client::Error> lost_;     // why it does not any more
  std::jthread renewer_;
};

}  // namespace workpool::cli
