// The standard process_* series, from /proc. Its files are opened once, so that they can be read
// when the process has no descriptor left. Thread safe.
#pragma once

#include <dirent.h>

#include <memory>
#include <optional>

#include "base/mutex.h"
#include "metrics/families.h"

namespace workpool::metrics {

// What cannot be read is left out.
struct ProcessReading {
  std::optional<double> cpu_seconds;
  std::optional<double> resident_bytes;
  std::optional<double> virtual_bytes;
  std::optional<double> threads;
  std::optional<double> start_time;  // seconds since 1970
  std::optional<double> open_descriptors;
  std::optional<double> max_descriptors;
};

class ProcessMetrics {
 public:
  ProcessMetrics();
  ~ProcessMetrics();
  ProcessMetrics(const ProcessMetrics&) = delete;
  ProcessMetrics& operator=(const ProcessMetrics&) = delete;

  ProcessReading Read() EXCLUDES(mutex_);
  void AddFamilies(Families& families) EXCLUDES(mutex_);

 private:
  struct CloseDir {
    void operator()(DIR* dir) const { closedir(dir); }
  };

  std::optional<double> CountDescriptors() EXCLUDES(mutex_);

  const int stat_;  // descriptor of /proc/self/stat, or -1
  const std::optional<double> boot_time_;
  Mutex mutex_;
  std::unique_ptr<DIR, CloseDir> descriptors_ GUARDED_BY(mutex_);  // /proc/self/fd
};

}  // namespace workpool::metrics
