// What operators do with pools, and what they see of them. Thread safe.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "jobs/core.h"
#include "jobs/pool_view.h"
#include "jobs/recorder.h"

namespace workpool {

class PoolAdmin {
 public:
  PoolAdmin(Core& core, Recorder& recorder) : core_(core), recorder_(recorder) {}

  std::vector<PoolView> Views() const;
  Result<PoolView> View(const std::string& name) const;
  Result<PoolView> Resize(const std::string& name, const ResizeRequest& request);
  Result<PoolView> Pause(const std::string& name);
  Result<PoolView> Resume(const std::string& name);
  Result<void> Drain(const std::string& name, Told drained);
  Result<std::uint64_t> Purge(const std::string& name);
  std::unique_ptr<PoolWatch> Watch();

 private:
  class WatchImpl;

  Result<std::shared_ptr<PoolSlot>> Find(const std::string& name) const;
  PoolView ViewOf(const PoolSlot& pool) const;
  void ArmExpiry(const std::shared_ptr<PoolSlot>& pool);

  Core& core_;
  Recorder& recorder_;
};

}  // namespace workpool
