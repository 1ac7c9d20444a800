#include "makers.h"

namespace workpool::bench {

std::vector<std::unique_ptr<Peer>> AllPeers() {
  std::vector<std::unique_ptr<Peer>> peers;
  peers.push_back(MakeBeanstalkd());
  peers.push_back(MakeGearman());
  peers.push_back(MakeNats());
  for (const auto way : {RedisWay::kList, RedisWay::kReliableList, RedisWay::kStream}) {
    peers.push_back(MakeRedis(way));
  }
  peers.push_back(MakeRabbitMq());
  peers.push_back(MakePostgres());
  return peers;
}

}  // namespace workpool::bench
