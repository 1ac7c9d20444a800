// A workpoold with a handler of its own.
#include <workpool/app/daemon.h>

#include <algorithm>
#include <string>

int main(int argc, char** argv) {
  workpool::HandlerRegistry registry;
  registry.Add("reverse", [](const workpool::Job& job, workpool::JobContext&) -> workpool::Outcome {
    std::string text(job.payload);
    std::ranges::reverse(text);
    return text;
  });
  return workpool::RunDaemon(argc, argv, registry);
}
