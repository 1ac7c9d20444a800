// Posts to the daemon at argv[1] and prints what its handler `reverse` makes of argv[2].
#include <workpool/client.h>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  workpool::client::Client client({.server = argv[1]});
  workpool::client::Work work;
  work.handler = "reverse";
  work.payload = argv[2];
  const auto job = client.Run(work);
  if (!job) {
    std::fprintf(stderr, "%s\n", job.error().message.c_str());
    return 1;
  }
  std::printf("%s\n", job->result.c_str());
  return job->state == workpool::client::JobState::kSucceeded ? 0 : 1;
}
