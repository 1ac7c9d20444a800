// Keeps a server busy with posts of noop jobs and counts them.
#pragma once

#include <cstdint>
#include <string>

namespace workpool::bench {

enum class Call { kUnary, kRun, kBatch, kStream };

struct Load {
  Call call = Call::kUnary;
  int clients = 1;      // connections, each with a thread of its own
  int outstanding = 1;  // unanswered messages on each
  int batch = 1;        // jobs a message
  int payload = 64;     // bytes a job
};

// Jobs a second that the server at `address` accepts (kRun: finishes), measured for `seconds` after
// a warm-up of a quarter of that. Every job must be accepted: a refusal throws std::runtime_error.
double JobsPerSecond(const std::string& address, const Load& load, double seconds);

// Posts `jobs` jobs, rounded up to whole thousands, a thousand a call; returns when all have been
// accepted. Throws as above.
void PostJobs(const std::string& address, std::int64_t jobs);

// The same as JobsPerSecond by the C++ client's asynchronous posts, job by job; `load.outstanding`
// counts jobs.
double GatheredJobsPerSecond(const std::string& address, const Load& load, double seconds);

}  // namespace workpool::bench
