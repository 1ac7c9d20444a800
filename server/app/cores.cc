#include "app/cores.h"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

namespace workpool {
namespace {

namespace fs = std::filesystem;

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

double Ratio(double quota, double period) {
  return quota > 0 && period > 0 ? quota / period : kUnbounded;
}

unsigned AffinityCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return static_cast<unsigned>(CPU_COUNT(&set));
  return std::thread::hardware_concurrency();  // more cores than the set holds
}

// The smallest quota of a group and of those above it, up to the mount point.
template <typename Read>
double Tightest(const fs::path& mount, const fs::path& group, Read read) {
  double tightest = read(mount);
  fs::path folder = mount;
  for (const fs::path& part : group.relative_path()) {
    folder /= part;
    tightest = std::min(tightest, read(folder));
  }
  return tightest;
}

// One line of /proc/self/cgroup: "0::/path" (version 2) or "4:cpu,cpuacct:/path".
struct Membership {
  std::string controllers;
  fs::path group;
};

Membership ParseMembership(const std::string& line) {
  const std::size_t first = line.find(':');
  const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
  if (second == std::string::npos) return {"?", {}};
  return {line.substr(first + 1, second - first - 1), line.substr(second + 1)};
}

bool HasCpu(const std::string& controllers) {
  std::stringstream list(controllers);
  std::string name;
  while (std::getline(list, name, ',')) {
    if (name == "cpu") return true;
  }
  return false;
}

}  // namespace

Cores::Cores(fs::path root, unsigned affinity) : root_(std::move(root)), affinity_(affinity) {}

double Cores::Available() { return Cores("/", AffinityCores()).Count(); }

double Cores::Count() const {
  double count = std::max(1U, affinity_);
  std::ifstream memberships(root_ / "proc/self/cgroup");
  std::string line;
  while (std::getline(memberships, line)) {
    const Membership membership = ParseMembership(line);
    if (membership.controllers.empty()) count = std::min(count, QuotaV2(membership.group));
    if (HasCpu(membership.controllers)) count = std::min(count, QuotaV1(membership.group));
  }
  return count;
}

double Cores::QuotaV2(const fs::path& group) const {
  return Tightest(root_ / "sys/fs/cgroup", group, [](const fs::path& folder) {
    std::ifstream file(folder / "cpu.max");  // "150000 100000", or "max 100000"
    double quota = 0;
    double period = 0;
    return file >> quota >> period ? Ratio(quota, period) : kUnbounded;
  });
}

double Cores::QuotaV1(const fs::path& group) const {
  return Tightest(root_ / "sys/fs/cgroup/cpu", group, [](const fs::path& folder) {
    std::ifstream quota_file(folder / "cpu.cfs_quota_us");  // -1: none
    std::ifstream period_file(folder / "cpu.cfs_period_us");
    double quota = 0;
    double period = 0;
    return quota_file >> quota && period_file >> period ? Ratio(quota, period) : kUnbounded;
  });
}

}  // namespace workpool
