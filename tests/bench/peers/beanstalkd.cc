// beanstalkd: put, reserve and delete of its text protocol, pipelined.
#include "line_socket.h"
#include "makers.h"

namespace workpool::bench {
namespace {

class Producer final : public PeerProducer {
 public:
  explicit Producer(int port) : socket_(port) {}

  void Send(int jobs) override {
    for (int i = 0; i < jobs; ++i) socket_.Put("put 0 0 600 64\r\n" + payload_ + "\r\n");
  }

  int Wait() override {
    socket_.Flush();
    int count = 0;
    do {
      if (!socket_.Line().starts_with("INSERTED ")) throw std::runtime_error("put failed");
      ++count;
    } while (socket_.has_line());
    return count;
  }

 private:
  LineSocket socket_;
  const std::string payload_ = std::string(kPeerPayloadBytes, 'x');
};

class Consumer final : public PeerConsumer {
 public:
  explicit Consumer(int port) : socket_(port) {}

  int Work(int most) override {
    for (int i = 0; i < most; ++i) socket_.Put("reserve-with-timeout 0\r\n");
    socket_.Flush();
    int count = 0;
    for (int i = 0; i < most; ++i) count += Reserved() ? 1 : 0;
    socket_.Flush();
    for (int i = 0; i < count; ++i) {
      if (socket_.Line() != "DELETED") throw std::runtime_error("delete failed");
    }
    return count;
  }

 private:
  // Reads the answer to a reserve and puts the job's deletion into the buffer.
  bool Reserved() {
    const std::string answer(socket_.Line());  // RESERVED id bytes
    if (answer == "TIMED_OUT") return false;
    if (!answer.starts_with("RESERVED ")) throw std::runtime_error("reserve failed");
    socket_.Bytes(kPeerPayloadBytes + 2);
    socket_.Put("delete " + answer.substr(9, answer.rfind(' ') - 9) + "\r\n");
    return true;
  }

  LineSocket socket_;
};

class Beanstalkd final : public Peer {
 public:
  std::string name() const override { return "beanstalkd"; }
  std::string package() const override { return "beanstalkd"; }
  std::string program() const override { return "beanstalkd"; }

  PeerProcess Start(const std::filesystem::path& folder) override {
    PeerProcess process({{program(), "-l", "127.0.0.1", "-p", std::to_string(port_)}},
                        folder / "log");
    process.AwaitPort(port_, 10);
    return process;
  }

  std::unique_ptr<PeerProducer> NewProducer() override { return std::make_unique<Producer>(port_); }
  std::unique_ptr<PeerConsumer> NewConsumer() override { return std::make_unique<Consumer>(port_); }

 private:
  const int port_ = FreePort();
};

}  // namespace

std::unique_ptr<Peer> MakeBeanstalkd() { return std::make_unique<Beanstalkd>(); }

}  // namespace workpool::bench
