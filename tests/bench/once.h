// One run of one subject, in a process of its own, so that no subject inherits another's threads or
// memory: `PROGRAM once BENCH name=value...` prints what it measured, a line `name value` each. The
// Go program speaks the same way.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace workpool::bench {

using Values = std::map<std::string, double>;  // "value" is the figure, others are extras

// name=value words. A name that is missing or a number that is none throws std::invalid_argument.
class Arguments {
 public:
  explicit Arguments(const std::vector<std::string>& words);
  std::int64_t Number(const std::string& name) const;
  const std::string& Text(const std::string& name) const;

 private:
  std::map<std::string, std::string> words_;
};

// Runs `BENCH name=value...` here and prints its values; the process's exit status.
int RunOnce(const std::vector<std::string>& words);

// Runs `command`, which prints values, and answers them. Throws std::runtime_error when it fails or
// prints none.
Values Measured(const std::vector<std::string>& command);

// What the parts of a run in its own process are called by; each lies beside its benchmark.
Values WorkersOnce(const Arguments& arguments);
Values LimitsOnce(const Arguments& arguments);
Values SleepersOnce(const Arguments& arguments);
Values HandoffOnce(const Arguments& arguments);
Values PostOnce(const Arguments& arguments);
Values RejectOnce(const Arguments& arguments);
Values DeepOnce(const Arguments& arguments);
Values BurstOnce(const Arguments& arguments);
Values BlockerOnce(const Arguments& arguments);
Values DaemonPostOnce(const Arguments& arguments);
Values DaemonWorkOnce(const Arguments& arguments);

}  // namespace workpool::bench
