// workpool post, workpool run
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "bulk_post.h"
#include "commands.h"
#include "outcome.h"
#include "workpool/client.h"

namespace workpool::cli {

namespace {

struct Input {
  client::Work work;
  std::string data;
  std::string file;
  std::string payload_file;
  bool raw = false;
};

struct PostOptions : Input {
  bool wait = false;
  bool retry = false;
};

struct RunOptions : Input {
  std::optional<std::chrono::nanoseconds> deadline;
  bool detach = false;
};

void AddInput(CLI::App& command, Input& input, const std::string& file_help) {
  command.add_option("handler", input.work.handler, "the handler's name")->required();
  auto* const data = command.add_option("--data", input.data, "the payload, as text");
  auto* const file = command.add_option("--file", input.file, file_help)->type_name("FILE");
  auto* const payload =
      command
          .add_option("--payload-file", input.payload_file,
                      "a file whose bytes are the payload, whatever its name; - is stdin")
          ->type_name("FILE");
  data->excludes(file)->excludes(payload);
  file->excludes(payload);
  command.add_flag("--raw", input.raw, "print the result as it is, without a newline at its end");
  AddWorkOptions(command, input.work);
}

// False after a complaint: a field breaks a rule, or the payload cannot be read.
bool Prepare(Input& input) {
  if (const auto checked = client::CheckWork(input.work); !checked) {
    Complain(checked.error().message);
    return false;
  }
  input.work.payload = input.data;
  const std::string& path = input.file.empty() ? input.payload_file : input.file;
  if (path.empty()) return true;
  std::string failure;
  auto bytes = ReadAll(path, failure);
  if (!bytes) {
    Complain(failure);
    return false;
  }
  input.work.payload = std::move(*bytes);
  return true;
}

// With --retry a post is tried until there is room.
client::CallOptions CallOptionsOf(const PostOptions& options) {
  client::CallOptions call;
  if (options.retry) {
    call.attempts = std::numeric_limits<unsigned>::max();
    call.timeout = std::chrono::hours(24 * 3650);
  } else if (options.work.when_full != client::WhenFull::kReject) {
    // The daemon bounds a wait for room, by default to 5 minutes.
    call.timeout = std::chrono::minutes(10);
  }
  return call;
}

constexpr std::string_view kOrRetry = ", or use --retry";

Exit PostOne(const Session& session, PostOptions& options) {
  if (!Prepare(options)) return Exit::kUsage;
  client::Client client(OptionsOf(session));
  const client::CallOptions call = CallOptionsOf(options);
  if (options.wait) {
    const auto job = client.PostAndWait(options.work, call);
    return job ? ShowOutcome(session, *job, options.raw) : Report(session, job.error(), kOrRetry);
  }
  const auto posted = client.Post(options.work, call);
  if (!posted) return Report(session, posted.error(), kOrRetry);
  if (session.json) {
    PrintJson({{"id", std::to_string(posted->id)}, {"duplicate", posted->duplicate}});
  } else {
    Print(fmt::format("{}\n", posted->id));
  }
  return Exit::kDone;
}

Exit Post(const Session& session, PostOptions& options) {
  if (!IsBulkFile(options.file)) return PostOne(session, options);
  if (options.wait) {
    Complain("--wait does not go with a .jsonl file: it posts many jobs");
    return Exit::kUsage;
  }
  return PostBulk(session, {options.work, options.file, options.retry});
}

Exit Run(const Session& session, RunOptions& options) {
  if (!Prepare(options)) return Exit::kUsage;
  client::Client client(OptionsOf(session));
  const auto job = client.Run(options.work, {.timeout = options.deadline}, options.detach);
  if (!job && options.deadline && job.error().code == client::StatusCode::kDeadlineExceeded) {
    Complain("the job has not ended within the deadline");
    return Exit::kRefused;
  }
  return job ? ShowOutcome(session, *job, options.raw) : Report(session, job.error());
}

}  // namespace

void AddPost(const Frame& frame) {
  auto options = std::make_shared<PostOptions>();
  CLI::App& command = *frame.app.add_subcommand("post", "Post one job, or many from a file");
  AddInput(command, *options,
           "a file whose bytes are the payload; - is stdin. A name that ends in .jsonl posts a job "
           "for each of its lines");
  command.add_flag("--wait", options->wait, "wait for the job and print its result");
  command.add_flag("--retry", options->retry, "while the pool is full, try again as it asks");
  command.callback([&session = frame.session, &action = frame.action, options] {
    CheckRoomWait(options->work);
    action = [&session, options] { return Post(session, *options); };
  });
}

void AddRun(const Frame& frame) {
  auto options = std::make_shared<RunOptions>();
  CLI::App& command =
      *frame.app.add_subcommand("run", "Run one job and print its result; ends with it");
  AddInput(command, *options, "a file whose bytes are the payload; - is stdin");
  AddDuration(command, "--deadline", options->deadline, "bound on waiting and running together");
  command.add_flag("--detach", options->detach, "let the job go on when this command ends");
  command.callback([&session = frame.session, &action = frame.action, options] {
    CheckRoomWait(options->work);
    action = [&session, options] { return Run(session, *options); };
  });
}

}  // namespace workpool::cli
