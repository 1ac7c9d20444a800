#include "handlers/command_environment.h"

#include <fmt/format.h>

#include <chrono>
#include <limits>
#include <map>

#include "base/names.h"

namespace workpool {
namespace {

constexpr std::string_view kMinimalPath =
    "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

using Variables = std::map<std::string, std::string>;

std::string Clean(std::string_view value) {
  return ToValidUtf8(value, std::numeric_limits<std::size_t>::max());
}

void AddMinimal(Variables& variables) {
  variables["PATH"] = kMinimalPath;
  variables["HOME"] = "/";
  variables["LANG"] = "C.UTF-8";
}

// Unix time in seconds, to the millisecond.
std::string AsUnixTime(SteadyTime instant) {
  const auto left = instant - std::chrono::steady_clock::now();
  const auto wall = std::chrono::system_clock::now() +
                    std::chrono::duration_cast<std::chrono::system_clock::duration>(left);
  const auto ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(wall.time_since_epoch()).count();
  return fmt::format("{}.{:03}", ms / 1000, ms % 1000);
}

std::string MetadataVariable(const std::string& key) {
  std::string name = "WORKPOOL_META_";
  for (const char c : key) {
    const bool lower = c >= 'a' && c <= 'z';
    const bool kept = (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    name += lower ? static_cast<char>(c - 'a' + 'A') : kept ? c : '_';
  }
  return name;
}

void AddMetadata(const Metadata& metadata, Variables& variables) {
  Variables named;
  for (const auto& [key, value] : metadata) named.try_emplace(MetadataVariable(key), Clean(value));
  const auto trace = metadata.find("traceparent");
  if (trace != metadata.end()) named["TRACEPARENT"] = Clean(trace->second);
  named.merge(variables);
  variables = std::move(named);
}

void AddJob(const Attempt& attempt, Variables& variables) {
  const Job& job = attempt.job();
  variables["WORKPOOL_JOB_ID"] = fmt::to_string(job.id);
  variables["WORKPOOL_HANDLER"] = job.handler;
  variables["WORKPOOL_POOL"] = job.pool;
  variables["WORKPOOL_PRIORITY"] = fmt::to_string(job.priority);
  variables["WORKPOOL_CALLER"] = Clean(job.caller);
  variables["WORKPOOL_CONTENT_TYPE"] = Clean(job.content_type);
  variables["WORKPOOL_ATTEMPT"] = fmt::to_string(attempt.attempt());
  variables["WORKPOOL_MAX_ATTEMPTS"] = fmt::to_string(job.max_attempts);
  variables["WORKPOOL_WORKER"] = fmt::to_string(attempt.worker());
  if (const auto deadline = attempt.deadline()) {
    variables["WORKPOOL_DEADLINE"] = AsUnixTime(*deadline);
  }
}

}  // namespace

std::string_view CommandPath(const std::vector<std::pair<std::string, std::string>>& env) {
  for (const auto& [name, value] : env) {
    if (name == "PATH") return value;
  }
  return kMinimalPath;
}

std::vector<std::pair<std::string, std::string>> CommandEnvironment(const CommandOptions& options,
                                                                    const Attempt& attempt) {
  Variables variables;
  AddMinimal(variables);
  for (const auto& [name, value] : options.env) variables[name] = value;
  AddJob(attempt, variables);
  if (attempt.job().metadata) AddMetadata(*attempt.job().metadata, variables);
  return {variables.begin(), variables.end()};
}

}  // namespace workpool
