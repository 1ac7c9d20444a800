// nats-server with JetStream: published into a work-queue stream in memory, each message
// acknowledged.
#include <fstream>

#include "line_socket.h"
#include "makers.h"

namespace workpool::bench {
namespace {

class Connection {
 public:
  Connection(int port, std::string inbox) : socket_(port), inbox_(std::move(inbox)) {
    socket_.Line();  // INFO
    socket_.Put("CONNECT {\"verbose\":false,\"pedantic\":false}\r\nSUB " + inbox_ +
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

  // The next answer's text: `MSG subject sid size`, then the payload.
  std::string Answer() {
    for (;;) {
      const std::string head(socket_.Line());
      if (head == "PING") {
        socket_.Put("PONG\r\n");
        socket_.Flush();
      } else if (head.starts_with("MSG ")) {
        const auto size = std::stoul(head.substr(head.rfind(' ') + 1));
        return std::string(socket_.Bytes(size + 2).substr(0, size));
      } else {
        throw std::runtime_error("nats: " + head);
      }
    }
  }
  bool more() const { return socket_.has_line(); }

 private:
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
    setup.Publish("$JS.API.STREAM.CREATE.JOBS",
                  R"({"name":"JOBS","subjects":["jobs"],"retention":"workqueue",)"
                  R"("storage":"memory","num_replicas":1})");
    setup.Flush();
    if (setup.Answer().find("\"error\"") != std::string::npos) {
      throw std::runtime_error("nats refused the stream");
    }
    return process;
  }

  std::unique_ptr<PeerProducer> Connect() override {
    return std::make_unique<Producer>(port_, ++connections_);
  }

 private:
  const int port_ = FreePort();
  int connections_ = 0;
};

}  // namespace

std::unique_ptr<Peer> MakeNats() { return std::make_unique<Nats>(); }

}  // namespace workpool::bench
