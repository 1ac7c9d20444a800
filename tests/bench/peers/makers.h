// Makes each peer; for the list of them alone.
#pragma once

#include <memory>
#include <stdexcept>

#include "peer.h"

namespace workpool::bench {

std::unique_ptr<Peer> MakeBeanstalkd();
std::unique_ptr<Peer> MakeGearman();
std::unique_ptr<Peer> MakeNats();
enum class RedisWay { kList, kReliableList, kStream };
std::unique_ptr<Peer> MakeRedis(RedisWay way);
std::unique_ptr<Peer> MakeRabbitMq();
std::unique_ptr<Peer> MakePostgres();

}  // namespace workpool::bench
