// Queue servers that a user might pick instead, each started here and filled with jobs.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "peer_process.h"

namespace workpool::bench {

inline constexpr int kPeerPayloadBytes = 64;

// One connection that posts. Not thread safe. Failures throw std::runtime_error.
class PeerProducer {
 public:
  virtual ~PeerProducer() = default;
  // Queues `jobs` jobs of 64 bytes in the peer's best bulk way; it may stay in a buffer until Wait.
  virtual void Send(int jobs) = 0;
  // Flushes, blocks until the server has acknowledged at least one job; answers how many it did.
  virtual int Wait() = 0;
};

// One connection that works jobs off. Not thread safe. Failures throw std::runtime_error.
class PeerConsumer {
 public:
  virtual ~PeerConsumer() = default;
  // Has up to about `most` jobs delivered, acknowledges them (which deletes them) and answers how
  // many there were: none if the queue is empty.
  virtual int Work(int most) = 0;
};

class Peer {
 public:
  virtual ~Peer() = default;
  virtual std::string name() const = 0;
  // Debian's package of the server, and a program in it.
  virtual std::string package() const = 0;
  virtual std::string program() const = 0;
  // Jobs in a bulk post.
  virtual int batch() const { return 1000; }
  // Starts the server with what it has in memory alone, its files in `folder`, and makes an empty
  // queue.
  virtual PeerProcess Start(const std::filesystem::path& folder) = 0;
  virtual std::unique_ptr<PeerProducer> NewProducer() = 0;
  virtual std::unique_ptr<PeerConsumer> NewConsumer() = 0;
};

// Whether their programs are here or not.
std::vector<std::unique_ptr<Peer>> AllPeers();

}  // namespace workpool::bench
