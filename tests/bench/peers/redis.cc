// redis-server, in three ways:
//   redis-list           LPUSH of many values; LMPOP. A job leaves the server when it is delivered:
//   a
//                        consumer that dies loses it
//   redis-list-reliable  LPUSH; LMOVE to a list of the consumer's own, LREM as the acknowledgement
//   redis-stream         XADD one by one; XREADGROUP, XACK and XDEL
#include <deque>

#include "makers.h"
#include "redis_connection.h"

namespace workpool::bench {
namespace {

constexpr const char* kKey = "jobs";

class Producer final : public PeerProducer {
 public:
  Producer(int port, bool stream) : connection_(port), stream_(stream) {}

  void Send(int jobs) override {
    if (!stream_) {
      connection_.Append({"LPUSH", kKey}, payload_, static_cast<std::size_t>(jobs));
      unanswered_.push_back(jobs);
      return;
    }
    for (int i = 0; i < jobs; ++i) connection_.Append({"XADD", kKey, "*", "p", payload_});
    unanswered_.insert(unanswered_.end(), static_cast<std::size_t>(jobs), 1);
  }

  int Wait() override {
    int count = 0;
    for (auto reply = connection_.Next(); reply; reply = connection_.NextRead()) {
      count += unanswered_.front();
      unanswered_.pop_front();
    }
    return count;
  }

 private:
  RedisConnection connection_;
  const bool stream_;
  const std::string payload_ = std::string(kPeerPayloadBytes, 'x');
  std::deque<int> unanswered_;  // jobs of each command
};

class ListConsumer final : public PeerConsumer {
 public:
  explicit ListConsumer(int port) : connection_(port) {}

  int Work(int most) override {
    connection_.Append({"LMPOP", "1", kKey, "RIGHT", "COUNT", std::to_string(most)});
    const auto reply = connection_.Next();
    return reply->elements == 2 ? static_cast<int>(reply->element[1]->elements) : 0;
  }

 private:
  RedisConnection connection_;
};

class ReliableListConsumer final : public PeerConsumer {
 public:
  ReliableListConsumer(int port, int index)
      : connection_(port), own_(std::string(kKey) + ":" + std::to_string(index)) {}

  int Work(int most) override {
    for (int i = 0; i < most; ++i) connection_.Append({"LMOVE", kKey, own_, "RIGHT", "LEFT"});
    std::vector<std::string> held;
    for (int i = 0; i < most; ++i) {
      const auto reply = connection_.Next();
      if (reply->type == REDIS_REPLY_STRING) held.emplace_back(reply->str, reply->len);
    }
    for (const auto& job : held) connection_.Append({"LREM", own_, "-1", job});
    for (std::size_t i = 0; i < held.size(); ++i) {
      if (connection_.Next()->integer != 1) throw std::runtime_error("LREM removed nothing");
    }
    return static_cast<int>(held.size());
  }

 private:
  RedisConnection connection_;
  const std::string own_;
};

class StreamConsumer final : public PeerConsumer {
 public:
  StreamConsumer(int port, int index) : connection_(port), name_("c" + std::to_string(index)) {}

  int Work(int most) override {
    connection_.Append({"XREADGROUP", "GROUP", "workers", name_, "COUNT", std::to_string(most),
                        "STREAMS", kKey, ">"});
    const auto reply = connection_.Next();
    if (reply->elements == 0) return 0;
    const redisReply& entries = *reply->element[0]->element[1];
    std::vector<std::string> acknowledge = {"XACK", kKey, "workers"};
    std::vector<std::string> remove = {"XDEL", kKey};
    for (std::size_t i = 0; i < entries.elements; ++i) {
      const redisReply& id = *entries.element[i]->element[0];
      acknowledge.emplace_back(id.str, id.len);
      remove.emplace_back(id.str, id.len);
    }
    connection_.Append(acknowledge);
    connection_.Append(remove);
    const auto count = static_cast<long long>(entries.elements);
    const auto acknowledged = connection_.Next()->integer;
    const auto removed = connection_.Next()->integer;
    if (acknowledged != count || removed != count) throw std::runtime_error("XACK or XDEL failed");
    return static_cast<int>(count);
  }

 private:
  RedisConnection connection_;
  const std::string name_;
};

class Redis final : public Peer {
 public:
  explicit Redis(RedisWay way) : way_(way) {}

  std::string name() const override {
    if (way_ == RedisWay::kList) return "redis-list";
    return way_ == RedisWay::kStream ? "redis-stream" : "redis-list-reliable";
  }
  std::string package() const override { return "redis-server"; }
  std::string program() const override { return "redis-server"; }

  PeerProcess Start(const std::filesystem::path& folder) override {
    PeerProcess process({{program(), "--bind", "127.0.0.1", "--port", std::to_string(port_),
                          "--dir", folder.string(), "--save", ""}},
                        folder / "log");
    process.AwaitPort(port_, 10);
    if (way_ == RedisWay::kStream) {
      RedisConnection setup(port_);
      setup.Append({"XGROUP", "CREATE", kKey, "workers", "0", "MKSTREAM"});
      setup.Next();
    }
    return process;
  }

  std::unique_ptr<PeerProducer> NewProducer() override {
    return std::make_unique<Producer>(port_, way_ == RedisWay::kStream);
  }
  std::unique_ptr<PeerConsumer> NewConsumer() override {
    const int index = ++consumers_;
    if (way_ == RedisWay::kList) return std::make_unique<ListConsumer>(port_);
    if (way_ == RedisWay::kStream) return std::make_unique<StreamConsumer>(port_, index);
    return std::make_unique<ReliableListConsumer>(port_, index);
  }

 private:
  const RedisWay way_;
  const int port_ = FreePort();
  int consumers_ = 0;
};

}  // namespace

std::unique_ptr<Peer> MakeRedis(RedisWay way) { return std::make_unique<Redis>(way); }

}  // namespace workpool::bench
