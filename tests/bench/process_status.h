// What the kernel says of a process.
#pragma once

#include <cstdint>
#include <string>

namespace workpool::bench {

// The number in the line `field` of /proc/PROCESS/status: "Threads", or KiB for "VmRSS", "VmHWM".
// Throws std::runtime_error if there is none.
std::int64_t StatusOf(const std::string& process, const std::string& field);

// Seconds of processor time, user and system, of this process so far.
double OwnCpuSeconds();

}  // namespace workpool::bench
