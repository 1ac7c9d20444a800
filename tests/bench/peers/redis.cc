// redis-server through hiredis. A reliable queue's producer posts as a plain list's does (LPUSH of
// many values): they differ in the consumer. A stream's entries are added one by one, pipelined.
#include <hiredis/hiredis.h>

#include <deque>

#include "makers.h"

namespace workpool::bench {
namespace {

class Connection {
 public:
  explicit Connection(int port) : context_(redisConnect("127.0.0.1", port)) {
    if (context_ == nullptr || context_->err != 0) throw std::runtime_error("redis: no connection");
  }
  ~Connection() { redisFree(context_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void Append(const std::vector<const char*>& words, const std::vector<std::size_t>& sizes) {
    redisAppendCommandArgv(context_, static_cast<int>(words.size()),
                           const_cast<const char**>(words.data()), sizes.data());
  }
  // Takes a reply; waits for it unless only one that has been read already is wanted. False if
  // there was none.
  bool TakeReply(bool wait) {
    void* reply = nullptr;
    const int status =
        wait ? redisGetReply(context_, &reply) : redisReaderGetReply(context_->reader, &reply);
    if (status != REDIS_OK) throw std::runtime_error("redis: lost");
    if (reply == nullptr) return false;
    const bool failed = static_cast<redisReply*>(reply)->type == REDIS_REPLY_ERROR;
    freeReplyObject(reply);
    if (failed) throw std::runtime_error("redis refused");
    return true;
  }

 private:
  redisContext* context_;
};

class Producer final : public PeerProducer {
 public:
  Producer(int port, bool stream) : connection_(port), stream_(stream) {}

  void Send(int jobs) override {
    if (stream_) {
      for (int i = 0; i < jobs; ++i) Append({"XADD", "jobs", "*", "p"}, 1);
    } else {
      Append({"LPUSH", "jobs"}, jobs);
    }
  }

  int Wait() override {
    int count = 0;
    for (bool wait = true; connection_.TakeReply(wait); wait = false) {
      count += unanswered_.front();
      unanswered_.pop_front();
    }
    return count;
  }

 private:
  // One command of these words and `jobs` payloads.
  void Append(const std::vector<std::string>& words, int jobs) {
    std::vector<const char*> all;
    std::vector<std::size_t> sizes;
    for (const auto& word : words) {
      all.push_back(word.data());
      sizes.push_back(word.size());
    }
    all.insert(all.end(), static_cast<std::size_t>(jobs), payload_.data());
    sizes.insert(sizes.end(), static_cast<std::size_t>(jobs), payload_.size());
    connection_.Append(all, sizes);
    unanswered_.push_back(jobs);
  }

  Connection connection_;
  const bool stream_;
  const std::string payload_ = std::string(kPeerPayloadBytes, 'x');
  std::deque<int> unanswered_;  // jobs of each command
};

class Redis final : public Peer {
 public:
  explicit Redis(bool stream) : stream_(stream) {}
  std::string name() const override { return stream_ ? "redis-stream" : "redis-list"; }
  std::string package() const override { return "redis-server"; }
  std::string program() const override { return "redis-server"; }

  PeerProcess Start(const std::filesystem::path& folder) override {
    PeerProcess process({{program(), "--bind", "127.0.0.1", "--port", std::to_string(port_),
                          "--dir", folder.string(), "--save", ""}},
                        folder / "log");
    process.AwaitPort(port_, 10);
    return process;
  }

  std::unique_ptr<PeerProducer> Connect() override {
    return std::make_unique<Producer>(port_, stream_);
  }

 private:
  const bool stream_;
  const int port_ = FreePort();
};

}  // namespace

std::unique_ptr<Peer> MakeRedisList() { return std::make_unique<Redis>(false); }
std::unique_ptr<Peer> MakeRedisStream() { return std::make_unique<Redis>(true); }

}  // namespace workpool::bench
