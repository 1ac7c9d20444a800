#include <atomic>
#include <memory>
#include <stdexcept>
#include <vector>

#include "load.h"
#include "rate.h"
#include "workpool/client.h"

namespace workpool::bench {
namespace {

// Posts again whenever a post is answered, until told to stop.
class Poster {
 public:
  Poster(client::Client& client, std::atomic<std::uint64_t>& jobs, std::atomic<bool>& stop,
         std::atomic<bool>& refused)
      : client_(client), jobs_(jobs), stop_(stop), refused_(refused) {}

  void Post() {
    client::Work work;
    work.handler = "noop";
    work.payload = std::string(64, 'x');
    client_.PostAsync(std::move(work), [this](client::Result<client::Posted> posted) {
      // Closing refuses what a callback posts that had not seen the stop yet.
      if (!posted && !stop_) refused_ = true;
      ++jobs_;
      if (!stop_ && !refused_) Post();
    });
  }

 private:
  client::Client& client_;
  std::atomic<std::uint64_t>& jobs_;
  std::atomic<bool>& stop_;
  std::atomic<bool>& refused_;
};

}  // namespace

double GatheredJobsPerSecond(const std::string& address, const Load& load, double seconds) {
  std::atomic<std::uint64_t> jobs{0};
  std::atomic<bool> stop{false}, refused{false};
  std::vector<std::unique_ptr<client::Client>> clients;
  std::vector<std::unique_ptr<Poster>> posters;
  for (int i = 0; i < load.clients; ++i) {
    client::ClientOptions options;
    options.server = address;
    auto& client = *clients.emplace_back(std::make_unique<client::Client>(options));
    auto& poster = *posters.emplace_back(std::make_unique<Poster>(client, jobs, stop, refused));
    for (int job = 0; job < load.outstanding; ++job) poster.Post();
  }
  const double rate = Rate(seconds, [&] { return jobs.load(); });
  stop = true;
  for (auto& client : clients) client->Close();
  if (refused) throw std::runtime_error("a post was refused by " + address);
  return rate;
}

}  // namespace workpool::bench
