// rabbitmq-server through librabbitmq: transient messages into a classic queue, with publisher
// confirms.
#include <amqp.h>
#include <amqp_tcp_socket.h>

#include <fstream>

#include "makers.h"

namespace workpool::bench {
namespace {

constexpr amqp_channel_t kChannel = 1;

class Connection {
 public:
  explicit Connection(int port) : connection_(amqp_new_connection()) {
    if (amqp_socket_open(amqp_tcp_socket_new(connection_), "127.0.0.1", port) != AMQP_STATUS_OK) {
      throw std::runtime_error("rabbitmq: no connection");
    }
    Check(amqp_login(connection_, "/", 0, 131072, 0, AMQP_SASL_METHOD_PLAIN, "guest", "guest"));
    amqp_channel_open(connection_, kChannel);
    Check();
  }
  ~Connection() { amqp_destroy_connection(connection_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  amqp_connection_state_t get() const { return connection_; }
  void Check() const { Check(amqp_get_rpc_reply(connection_)); }

 private:
  static void Check(const amqp_rpc_reply_t& reply) {
    if (reply.reply_type != AMQP_RESPONSE_NORMAL) throw std::runtime_error("rabbitmq refused");
  }
  amqp_connection_state_t connection_;
};

class Producer final : public PeerProducer {
 public:
  explicit Producer(int port) : connection_(port) {
    amqp_confirm_select(connection_.get(), kChannel);
    connection_.Check();
    properties_._flags = AMQP_BASIC_DELIVERY_MODE_FLAG;
    properties_.delivery_mode = 1;  // transient
  }

  void Send(int jobs) override {
    const amqp_bytes_t body{payload_.size(), payload_.data()};
    for (int i = 0; i < jobs; ++i) {
      if (amqp_basic_publish(connection_.get(), kChannel, amqp_empty_bytes,
                             amqp_cstring_bytes("jobs"), 0, 0, &properties_,
                             body) != AMQP_STATUS_OK) {
        throw std::runtime_error("rabbitmq: publish failed");
      }
    }
  }

  int Wait() override {
    int count = 0;
    amqp_frame_t frame;
    timeval now{0, 0};
    amqp_maybe_release_buffers(connection_.get());
    if (amqp_simple_wait_frame(connection_.get(), &frame) != AMQP_STATUS_OK) {
      throw std::runtime_error("rabbitmq: lost");
    }
    count += Confirmed(frame);
    while (amqp_data_in_buffer(connection_.get()) &&
           amqp_simple_wait_frame_noblock(connection_.get(), &frame, &now) == AMQP_STATUS_OK) {
      count += Confirmed(frame);
    }
    return count;
  }

 private:
  // How many messages a confirm is for. Confirms of one channel to one queue come in order, but for
  // a multiple one after single ones: those are counted once.
  int Confirmed(const amqp_frame_t& frame) {
    if (frame.frame_type != AMQP_FRAME_METHOD || frame.payload.method.id != AMQP_BASIC_ACK_METHOD) {
      throw std::runtime_error("rabbitmq did not confirm");
    }
    const auto& ack = *static_cast<const amqp_basic_ack_t*>(frame.payload.method.decoded);
    if (!ack.multiple) {
      ++singles_;
      return 1;
    }
    const auto all = ack.delivery_tag;  // up to this one
    const int fresh = static_cast<int>(all - confirmed_ - singles_);
    confirmed_ = all;
    singles_ = 0;
    return fresh;
  }

  Connection connection_;
  amqp_basic_properties_t properties_{};
  std::string payload_ = std::string(kPeerPayloadBytes, 'x');
  std::uint64_t confirmed_ = 0;  // the highest tag of a multiple confirm
  std::uint64_t singles_ = 0;    // confirmed one by one since
};

// AMQP does not answer an acknowledgement.
class Consumer final : public PeerConsumer {
 public:
  explicit Consumer(int port) : connection_(port) {
    amqp_basic_qos(connection_.get(), kChannel, 0, kPrefetch, 0);
    connection_.Check();
    amqp_basic_consume(connection_.get(), kChannel, amqp_cstring_bytes("jobs"), amqp_empty_bytes, 0,
                       0, 0, amqp_empty_table);
    connection_.Check();
  }

  int Work(int most) override {
    int count = 0;
    std::uint64_t last = 0;
    for (timeval wait{0, 20'000}; count < most && Take(wait, last); wait = {0, 0}) ++count;
    if (count > 0) amqp_basic_ack(connection_.get(), kChannel, last, 1);  // all up to that one
    return count;
  }

 private:
  static constexpr std::uint16_t kPrefetch = 1000;

  bool Take(timeval wait, std::uint64_t& tag) {
    amqp_maybe_release_buffers(connection_.get());
    amqp_envelope_t envelope;
    const auto reply = amqp_consume_message(connection_.get(), &envelope, &wait, 0);
    if (reply.reply_type != AMQP_RESPONSE_NORMAL) {
      if (reply.library_error == AMQP_STATUS_TIMEOUT) return false;
      throw std::runtime_error("rabbitmq: consume failed");
    }
    tag = envelope.delivery_tag;
    amqp_destroy_envelope(&envelope);
    return true;
  }

  Connection connection_;
};

class RabbitMq final : public Peer {
 public:
  std::string name() const override { return "rabbitmq-classic"; }
  std::string package() const override { return "rabbitmq-server"; }
  std::string program() const override { return "/usr/lib/rabbitmq/bin/rabbitmq-server"; }

  PeerProcess Start(const std::filesystem::path& folder) override {
    const auto epmd_port = std::to_string(FreePort());
    names_ = PeerProcess({{"epmd", "-address", "127.0.0.1", "-port", epmd_port}}, folder / "epmd");
    std::ofstream(folder / "enabled_plugins") << "[].\n";
    std::ofstream(folder / "rabbitmq.conf") << "listeners.tcp.1 = 127.0.0.1:" << port_ << "\n";
    const auto at = [&](const char* file) { return (folder / file).string(); };
    PeerProcess process(
        {{program()},
         {{"RABBITMQ_NODENAME", "bench" + std::to_string(port_) + "@localhost"},
          {"RABBITMQ_DIST_PORT", std::to_string(FreePort())},
          {"ERL_EPMD_PORT", epmd_port},
          {"ERL_EPMD_ADDRESS", "127.0.0.1"},
          {"RABBITMQ_CONFIG_FILE", at("rabbitmq.conf")},
          {"RABBITMQ_ENABLED_PLUGINS_FILE", at("enabled_plugins")},
          {"RABBITMQ_MNESIA_BASE", at("mnesia")},
          {"RABBITMQ_LOG_BASE", at("logs")},
          {"RABBITMQ_LOGS", "-"},
          {"HOME", folder.string()},
          {"RUNNING_UNDER_SYSTEMD", "1"}}},  // so that the script becomes the server
        folder / "log");
    process.AwaitPort(port_, 90);
    Connection setup(port_);
    amqp_queue_declare(setup.get(), kChannel, amqp_cstring_bytes("jobs"), 0, 0, 0, 0,
                       amqp_empty_table);
    setup.Check();
    return process;
  }

  std::unique_ptr<PeerProducer> NewProducer() override { return std::make_unique<Producer>(port_); }
  std::unique_ptr<PeerConsumer> NewConsumer() override { return std::make_unique<Consumer>(port_); }

 private:
  const int port_ = FreePort();
  PeerProcess names_;  // Erlang's name server
};

}  // namespace

std::unique_ptr<Peer> MakeRabbitMq() { return std::make_unique<RabbitMq>(); }

}  // namespace workpool::bench
