// gearmand: background jobs over its binary protocol, pipelined.
#include <arpa/inet.h>

#include <array>
#include <cstring>

#include "line_socket.h"
#include "makers.h"

namespace workpool::bench {
namespace {

enum Packet : std::uint32_t {
  kCanDo = 1,
  kJobCreated = 8,
  kGrabJob = 9,
  kNoJob = 10,
  kJobAssign = 11,
  kWorkComplete = 13,
  kSubmitJobBackground = 18,
};

constexpr std::string_view kFunction = "jobs";
constexpr std::size_t kHeaderBytes = 12;  // magic, type, size of what follows

class Connection {
 public:
  explicit Connection(int port) : socket_(port) {}

  void Put(Packet type, std::string_view data) {
    const std::array<std::uint32_t, 2> fields = {htonl(type),
                                                 htonl(static_cast<std::uint32_t>(data.size()))};
    socket_.Put({"\0REQ", 4});
    socket_.Put({reinterpret_cast<const char*>(fields.data()), sizeof fields});
    socket_.Put(data);
  }
  void Flush() { socket_.Flush(); }

  // The next packet; its data is valid until the next call.
  std::pair<std::uint32_t, std::string_view> Next() {
    const auto header = socket_.Bytes(kHeaderBytes);
    std::array<std::uint32_t, 2> fields{};
    std::memcpy(fields.data(), header.data() + 4, sizeof fields);
    return {ntohl(fields[0]), socket_.Bytes(ntohl(fields[1]))};
  }
  bool more() const { return !socket_.buffered().empty(); }

 private:
  LineSocket socket_;
};

class Producer final : public PeerProducer {
 public:
  Producer(int port, int index) : connection_(port), unique_("p" + std::to_string(index) + "-") {}

  void Send(int jobs) override {
    for (int i = 0; i < jobs; ++i) {
      // The client library gives every job a unique key; so does this.
      std::string data(kFunction);
      data.push_back('\0');
      data.append(unique_).append(std::to_string(++last_)).push_back('\0');
      data.append(kPeerPayloadBytes, 'x');
      connection_.Put(kSubmitJobBackground, data);
    }
  }

  int Wait() override {
    connection_.Flush();
    int count = 0;
    do {
      if (connection_.Next().first != kJobCreated) throw std::runtime_error("submit failed");
      ++count;
    } while (connection_.more());
    return count;
  }

 private:
  Connection connection_;
  const std::string unique_;
  std::uint64_t last_ = 0;
};

// The protocol does not answer a job's completion.
class Consumer final : public PeerConsumer {
 public:
  explicit Consumer(int port) : connection_(port) {
    connection_.Put(kCanDo, kFunction);
    connection_.Flush();
  }

  int Work(int most) override {
    for (int i = 0; i < most; ++i) connection_.Put(kGrabJob, {});
    connection_.Flush();
    int count = 0;
    for (int i = 0; i < most; ++i) {
      const auto [type, data] = connection_.Next();
      if (type == kNoJob) continue;
      if (type != kJobAssign) throw std::runtime_error("grab failed");
      connection_.Put(kWorkComplete, data.substr(0, data.find('\0') + 1));  // the job's handle
      ++count;
    }
    connection_.Flush();
    return count;
  }

 private:
  Connection connection_;
};

class Gearman final : public Peer {
 public:
  std::string name() const override { return "gearman"; }
  std::string package() const override { return "gearman-job-server"; }
  std::string program() const override { return "gearmand"; }

  PeerProcess Start(const std::filesystem::path& folder) override {
    PeerProcess process({{program(), "--listen=127.0.0.1", "--port=" + std::to_string(port_),
                          "--log-file=stderr", "--pid-file=" + (folder / "pid").string()}},
                        folder / "log");
    process.AwaitPort(port_, 10);
    return process;
  }

  std::unique_ptr<PeerProducer> NewProducer() override {
    return std::make_unique<Producer>(port_, ++connections_);
  }
  std::unique_ptr<PeerConsumer> NewConsumer() override { return std::make_unique<Consumer>(port_); }

 private:
  const int port_ = FreePort();
  int connections_ = 0;
};

}  // namespace

std::unique_ptr<Peer> MakeGearman() { return std::make_unique<Gearman>(); }

}  // namespace workpool::bench
