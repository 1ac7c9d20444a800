// nats-server with JetStream: published into a work-queue stream in memory, each message
// acknowledged.
#include <fstream>
#include <sstream>

#include "line_socket.h"
#include "makers.h"

namespace workpool::bench {
namespace {

class Connection {
 public:
  Connection(int port, std::string inbox) : socket_(port), inbox_(std::move(inbox)) {
    socket_.Line();  // INFO
    socket_.Put("CONNECT {\"verbose\":false,\"pedantic\":false,\"headers\":true}\r\nSUB " + inbox_ +
                " 1\r\nPING\r\n");
    socket_.Flush();
    while (socket_.Line() != "PONG") {
    }
  }

  void Publish(const std::string& subject, const std::string& payload) {
    socket_.Put("PUB " + subject + " " + inbox_ + " " + std::to_string(payload.size()) + "\r\n" +
                payload + "\r\n");
  }
  void Flush() { socket_.Flush(); }

  struct Message {
    std::string reply;  // where an answer to it goes
    std::string text;
  };

  // The next message: `MSG subject sid [reply] size`, or with headers before the text
  // `HMSG subject sid [reply] header-size size`.
  Message Next() {
    std::istringstream head(NextHead());
    std::vector<std::string> words;
    for (std::string word; head >> word;) words.push_back(word);
    const bool headers = words[0] == "HMSG";
    const bool replies = words.size() == (headers ? 6U : 5U);
    const auto size = std::stoul(words.back());
    const auto skipped = headers ? std::stoul(words[words.size() - 2]) : 0;
    return {replies ? words[3] : "",
            std::string(socket_.Bytes(size + 2).substr(skipped, size - skipped))};
  }
  std::string Answer() { return Next().text; }
  void Put(std::string_view text) { socket_.Put(text); }
  bool more() const { return socket_.has_line(); }

 private:
  std::string NextHead() {
    for (;;) {
      std::string head(socket_.Line());
      if (head.starts_with("MSG ") || head.starts_with("HMSG ")) return head;
      if (head != "PING") throw std::runtime_error("nats: " + head);
      socket_.Put("PONG\r\n");
      socket_.Flush();
    }
  }

  LineSocket socket_;
  const std::string inbox_;
};

class Producer final : public PeerProducer {
 public:
  Producer(int port, int index) : connection_(port, "_INBOX.p" + std::to_string(index)) {}

  void Send(int jobs) override {
    for (int i = 0; i < jobs; ++i) connection_.Publish("jobs", payload_);
  }

  int Wait() override {
    connection_.Flush();
    int count = 0;
    do {
      if (connection_.Answer().find("\"seq\":") == std::string::npos) {
        throw std::runtime_error("nats refused a message");
      }
      ++count;
    } while (connection_.more());
    return count;
  }

 private:
  Connection connection_;
  const std::string payload_ = std::string(kPeerPayloadBytes, 'x');
};

// Pulls from a durable consumer. The server does not answer an acknowledgement.
class Consumer final : public PeerConsumer {
 public:
  Consumer(int port, int index) : connection_(port, "_INBOX.c" + std::to_string(index)) {}

  int Work(int most) override {
    connection_.Publish("$JS.API.CONSUMER.MSG.NEXT.JOBS.workers",
                        "{\"batch\":" + std::to_string(most) + ",\"no_wait\":true}");
    connection_.Flush();
    int count = 0;
    for (; count < most; ++count) {
      const auto message = connection_.Next();
      if (message.reply.empty()) break;  // there are no more
      connection_.Put("PUB " + message.reply + " 4\r\n+ACK\r\n");
    }
    connection_.Flush();
    return count;
  }

 private:
  Connection connection_;
};

class Nats final : public Peer {
 public:
  std::string name() const override { return "nats-jetstream"; }
  std::string package() const override { return "nats-server"; }
  std::string program() const override { return "nats-server"; }

  PeerProcess Start(const std::filesystem::path& folder) override {
    const auto config = folder / "nats.conf";
    std::ofstream(config) << "listen: \"127.0.0.1:" << port_
                          << "\"\njetstream { store_dir: " << folder / "store"
                          << ", max_memory_store: 8GB }\n";
    PeerProcess process({{program(), "-c", config.string()}}, folder / "log");
    process.AwaitPort(port_, 10);
    Connection setup(port_, "_INBOX.setup");
    Create(setup, "$JS.API.STREAM.CREATE.JOBS",
           R"({"name":"JOBS","subjects":["jobs"],"retention":"workqueue",)"
           R"("storage":"memory","num_replicas":1})");
    Create(setup, "$JS.API.CONSUMER.DURABLE.CREATE.JOBS.workers",
           R"({"stream_name":"JOBS","config":{"durable_name":"workers","ack_policy":"explicit",)"
           R"("deliver_policy":"all","replay_policy":"instant","max_ack_pending":20000}})");
    return process;
  }

  std::unique_ptr<PeerProducer> NewProducer() override {
    return std::make_unique<Producer>(port_, ++connections_);
  }
  std::unique_ptr<PeerConsumer> NewConsumer() override {
    return std::make_unique<Consumer>(port_, ++connections_);
  }

 private:
  static void Create(Connection& setup, const std::string& subject, const std::string& what) {
    setup.Publish(subject, what);
    setup.Flush();
    const auto answer = setup.Answer();
    if (answer.find("\"error\"") != std::string::npos) throw std::runtime_error(answer);
  }

  const int port_ = FreePort();
  int connections_ = 0;
};

}  // namespace

std::unique_ptr<Peer> MakeNats() { return std::make_unique<Nats>(); }

}  // namespace workpool::bench
