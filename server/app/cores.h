// How many cores this process may use: the smallest of what its affinity mask and the CPU quotas of
// its control groups (version 2, or 1) allow. A fraction where a quota is one.
#pragma once

#include <filesystem>

namespace workpool {

class Cores {
 public:
  // `root` is where /proc and /sys are found: "/" but in tests. `affinity` is the number of cores
  // that the scheduler may use.
  Cores(std::filesystem::path root, unsigned affinity);

  // Of this machine and process.
  static double Available();

  // Above 0. Files that are missing or make no sense set no bound. Reads files: may block shortly.
  double Count() const;

 private:
  double QuotaV2(const std::filesystem::path& group) const;
  double QuotaV1(const std::filesystem::path& group) const;

  std::filesystem::path root_;
  unsigned affinity_;
};

}  // namespace workpool
