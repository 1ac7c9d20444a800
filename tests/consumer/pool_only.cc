// A program that uses the pool as a library: what it posts runs, and what a full pool refuses does
// not.
#include <workpool/pool/work_pool.h>

#include <atomic>
#include <chrono>
#include <cstdio>

int main() {
  std::atomic<int> ran = 0;
  int refused = 0;
  workpool::WorkPool pool({.name = "demo", .workers = 2, .capacity = 5, .on_exception = {}});
  pool.Pause();
  for (int i = 0; i < 8; ++i) {
    const auto posted = pool.TryPost([&](workpool::Worker& worker) {
      if (worker.number() < 2) ++ran;
    });
    if (!posted && posted.error() == workpool::Refusal::kQueueFull) ++refused;
  }
  pool.Resume();
  pool.Stop(std::chrono::seconds(30));
  std::printf("ran %d, refused %d\n", ran.load(), refused);
  return ran == 5 && refused == 3 ? 0 : 1;
}
