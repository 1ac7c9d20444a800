// The contract between the dispatcher and the code that runs jobs.
//
// Most handlers are functions; see registry.h. A Handler of its own is for code that goes on
// elsewhere, such as a child process.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/log.h"
#include "jobs/job.h"

namespace workpool {

// How an attempt ended.
class Outcome {
 public:
  // A result; implicit from a string, so that a handler may say `return bytes;`.
  Outcome(std::string result) : success_(true), result_(std::move(result)) {}  // NOLINT
  Outcome(const char* result) : Outcome(std::string(result)) {}                // NOLINT
  Outcome(std::string_view result) : Outcome(std::string(result)) {}           // NOLINT
  static Outcome Success(std::string result = {}) { return Outcome(std::move(result)); }
  // `code` is what JobError.code shows, e.g. "FAILED"; `message` may be any bytes.
  static Outcome Failure(std::string message, std::string code = "FAILED");
  // As Failure, and another attempt would not help.
  static Outcome NoRetry(std::string message, std::string code = "FAILED");
  // The failure that the exception being handled stands for, whatever its type; in a catch block.
  static Outcome OfException();

  // Output that goes with a failure, and whether it or a result has been cut.
  Outcome&& WithResult(std::string result, bool truncated) &&;

  bool success() const { return success_; }
  bool no_retry() const { return no_retry_; }
  bool truncated() const { return truncated_; }
  const std::string& result() const { return result_; }
  std::string&& TakeResult() { return std::move(result_); }
  const std::string& code() const { return code_; }
  const std::string& message() const { return message_; }
  // The outcome of a command or webhook that was stopped never counts as a success: these say so.
  bool stopped() const { return stopped_; }
  Outcome&& Stopped() &&;

 private:
  Outcome() = default;
  bool success_ = false;
  bool no_retry_ = false;
  bool truncated_ = false;
  bool stopped_ = false;
  std::string result_;
  std::string code_;
  std::string message_;
};

// What a handler can ask and say while it runs. Thread safe; never blocks for long. Valid until the
// attempt has been finished.
class JobContext {
 public:
  virtual ~JobContext() = default;
  virtual std::uint32_t worker() const = 0;  // 0..n-1 in its pool
  virtual int attempt() const = 0;           // from 1
  // When the attempt's timeout (or RunWork's deadline) tells it to stop.
  virtual std::optional<SteadyTime> deadline() const = 0;
  // Requested by timeout, cancel and shutdown. What a handler returns then still counts.
  virtual std::stop_token stop_token() const = 0;
  // How long the handler has to end once it has been told to stop: its config's, or less when the
  // daemon shuts down.
  virtual std::chrono::nanoseconds kill_grace() const = 0;
  // 0 to 1; anything else is clamped.
  virtual void ReportProgress(double share, std::string_view note = {}) = 0;
  // Appends bytes to the job's log; a line ends with '\n'. The log is capped at kJobLogBytes: what
  // is beyond only sets the flag.
  virtual void AppendLog(std::string_view bytes) = 0;
  // Writes to the daemon's log with job, pool, handler, attempt and caller as fields.
  virtual void Log(LogLevel level, std::string_view message) = 0;
};

inline constexpr std::size_t kJobLogBytes = 64 * 1024;
inline constexpr std::size_t kErrorMessageBytes = 16 * 1024;

// One run of a job. The handler finishes it exactly once, now or later, from any thread; an attempt
// that is destroyed unfinished counts as failed (code ABANDONED).
class Attempt : public JobContext {
 public:
  virtual const Job& job() const = 0;
  // The first call wins; later ones are ignored.
  virtual void Finish(Outcome outcome) = 0;
};

// Thread safe; used by many workers at once. Must outlive its attempts (shared ownership sees to
// it).
class Handler {
 public:
  virtual ~Handler() = default;
  // Runs on a worker's thread, or starts something that finishes the attempt later. Whatever it
  // throws fails the attempt.
  virtual void Run(std::shared_ptr<Attempt> attempt) = 0;
  // True: Run returns soon and waits for nothing, so that a pool of any size needs no more threads
  // for it than there are cores. Constant.
  virtual bool brief() const { return false; }
};

}  // namespace workpool
