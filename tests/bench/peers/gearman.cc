// gearmand: background jobs over its binary protocol, pipelined.
#include <arpa/inet.h>

#include <array>
#include <cstring>

#include "line_socket.h"
#include "makers.h"

namespace workpool::bench {
namespace {

constexpr std::uint32_t kJobCreated = 8;
constexpr std::uint32_t kSubmitJobBackground = 18;
constexpr std::size_t kHeaderBytes = 12;  // magic, type, size of what follows

class Producer final : public PeerProducer {
 public:
  Producer(int port, int index) : socket_(port), unique_("p" + std::to_string(index) + "-") {}

  void Send(int jobs) override {
    for (int i = 0; i < jobs; ++i) {
      // The client library gives every job a unique key; so does this.
      std::string data("jobs");
      data.push_back('\0');
      data.append(unique_).append(std::to_string(++last_)).push_back('\0');
      data.append(kPeerPayloadBytes, 'x');
      std::array<std::uint32_t, 2> fields = {htonl(kSubmitJobBackground),
                                             htonl(static_cast<std::uint32_t>(data.size()))};
      socket_.Put({"\0REQ", 4});
      socket_.Put({reinterpret_cast<const char*>(fields.data()), sizeof fields});
      socket_.Put(data);
    }
  }

  int Wait() override {
    socket_.Flush();
    int count = 0;
    do {
      const auto header = socket_.Bytes(kHeaderBytes);
      std::array<std::uint32_t, 2> fields{};
      std::memcpy(fields.data(), header.data() + 4, sizeof fields);
      socket_.Bytes(ntohl(fields[1]));
      if (ntohl(fields[0]) != kJobCreated) throw std::runtime_error("submit failed");
      ++count;
    } while (!socket_.buffered().empty());
    return count;
  }

 private:
  LineSocket socket_;
  const std::string unique_;
  std::uint64_t last_ = 0;
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

  std::unique_ptr<PeerProducer> Connect() override {
    return std::make_unique<Producer>(port_, ++connections_);
  }

 private:
  const int port_ = FreePort();
  int connections_ = 0;
};

}  // namespace

std::unique_ptr<Peer> MakeGearman() { return std::make_unique<Gearman>(); }

}  // namespace workpool::bench
