#include "metrics/process_metrics.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <fstream>
#include <string>
#include <string_view>

namespace workpool::metrics {
namespace {

// Fields of /proc/PID/stat, counted from the one after the name in parentheses, which may hold
// spaces.
enum StatField : std::size_t {
  kUserTicks = 11,
  kSystemTicks = 12,
  kThreads = 17,
  kStartTicks = 19,
  kVirtualBytes = 20,
  kResidentPages = 21,
  kStatFields = 22,
};

using StatFields = std::array<double, kStatFields>;

std::optional<double> BootTime() {
  std::ifstream stat("/proc/stat");
  std::string word;
  while (stat >> word) {
    double seconds = 0;
    if (word == "btime" && stat >> seconds) return seconds;
  }
  return std::nullopt;
}

std::optional<StatFields> ParseStat(std::string_view text) {
  const auto name_end = text.rfind(')');
  if (name_end == std::string_view::npos) return std::nullopt;
  text.remove_prefix(name_end + 1);
  StatFields fields{};
  for (double& field : fields) {
    const auto start = text.find_first_not_of(' ');
    if (start == std::string_view::npos) return std::nullopt;
    text.remove_prefix(start);
    const auto end = text.find(' ');
    const std::string_view word = text.substr(0, end);
    // The state, a letter, is read as 0.
    std::from_chars(word.data(), word.data() + word.size(), field);
    text.remove_prefix(word.size());
  }
  return fields;
}

std::optional<StatFields> ReadStat(int fd) {
  std::array<char, 1024> buffer;
  const ssize_t got = pread(fd, buffer.data(), buffer.size(), 0);
  if (got <= 0) return std::nullopt;
  return ParseStat({buffer.data(), static_cast<std::size_t>(got)});
}

std::optional<double> MaxDescriptors() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return std::nullopt;
  return static_cast<double>(limit.rlim_cur);
}

void AddOne(prometheus::MetricFamily& (*add)(Families&, std::string_view, std::string_view),
            Families& families, std::string_view name, std::string_view help,
            std::optional<double> value) {
  if (value) AddValue(add(families, name, help), {}, *value);
}

}  // namespace

ProcessMetrics::ProcessMetrics()
    : stat_(open("/proc/self/stat", O_RDONLY | O_CLOEXEC)),
      boot_time_(BootTime()),
      descriptors_(opendir("/proc/self/fd")) {}

ProcessMetrics::~ProcessMetrics() {
  if (stat_ >= 0) close(stat_);
}

ProcessReading ProcessMetrics::Read() {
  ProcessReading reading;
  if (const auto stat = ReadStat(stat_)) {
    const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
    reading.cpu_seconds = ((*stat)[kUserTicks] + (*stat)[kSystemTicks]) / ticks;
    reading.resident_bytes = (*stat)[kResidentPages] * static_cast<double>(sysconf(_SC_PAGESIZE));
    reading.virtual_bytes = (*stat)[kVirtualBytes];
    reading.threads = (*stat)[kThreads];
    if (boot_time_) reading.start_time = *boot_time_ + (*stat)[kStartTicks] / ticks;
  }
  reading.open_descriptors = CountDescriptors();
  reading.max_descriptors = MaxDescriptors();
  return reading;
}

std::optional<double> ProcessMetrics::CountDescriptors() {
  MutexLock lock(mutex_);
  if (descriptors_ == nullptr) return std::nullopt;
  rewinddir(descriptors_.get());
  double count = 0;
  while (const dirent* entry = readdir(descriptors_.get())) count += entry->d_name[0] != '.';
  return count;
}

void ProcessMetrics::AddFamilies(Families& families) {
  const ProcessReading reading = Read();
  AddOne(AddCounters, families, "process_cpu_seconds_total",
         "Processor time used, of user and system.", reading.cpu_seconds);
  AddOne(AddGauges, families, "process_resident_memory_bytes", "Memory in use.",
         reading.resident_bytes);
  AddOne(AddGauges, families, "process_virtual_memory_bytes", "Address space in use.",
         reading.virtual_bytes);
  AddOne(AddGauges, families, "process_threads", "Threads.", reading.threads);
  AddOne(AddGauges, families, "process_start_time_seconds",
         "When the process started, since 1970-01-01 UTC.", reading.start_time);
  AddOne(AddGauges, families, "process_open_fds", "Open file descriptors.",
         reading.open_descriptors);
  AddOne(AddGauges, families, "process_max_fds", "Most descriptors that may be open.",
         reading.max_descriptors);
}

}  // namespace workpool::metrics
