#include "makers.h"

namespace workpool::bench {

std::vector<std::unique_ptr<Peer>> AllPeers() {
  std::vector<std::unique_ptr<Peer>> peers;
  peers.push_back(MakeBeanstalkd());
  peers.push_back(MakeGearman());
  peers.push_back(MakeNats());
  peers.push_back(MakeRedisList());
  peers.push_back(MakeRedisStream());
  peers.push_back(MakeRabbitMq());
  peers.push_back(MakePostgres());
  return peers;
}

}  // namespace workpool::bench
