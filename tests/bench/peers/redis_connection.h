// A connection to redis-server through hiredis.
#pragma once

#include <hiredis/hiredis.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace workpool::bench {

// Not thread safe. Failures, also an error as reply, throw std::runtime_error.
class RedisConnection {
 public:
  struct Free {
    void operator()(redisReply* reply) const { freeReplyObject(reply); }
  };
  using Reply = std::unique_ptr<redisReply, Free>;

  explicit RedisConnection(int port) : context_(redisConnect("127.0.0.1", port)) {
    if (context_ == nullptr || context_->err != 0) throw std::runtime_error("redis: no connection");
  }
  ~RedisConnection() { redisFree(context_); }
  RedisConnection(const RedisConnection&) = delete;
  RedisConnection& operator=(const RedisConnection&) = delete;

  // Into the buffer: one command of these words and then `count` times `repeated`.
  void Append(const std::vector<std::string>& words, const std::string& repeated = {},
              std::size_t count = 0) {
    std::vector<const char*> all;
    std::vector<std::size_t> sizes;
    for (const auto& word : words) {
      all.push_back(word.data());
      sizes.push_back(word.size());
    }
    all.insert(all.end(), count, repeated.data());
    sizes.insert(sizes.end(), count, repeated.size());
    redisAppendCommandArgv(context_, static_cast<int>(all.size()), all.data(), sizes.data());
  }

  // Flushes and waits for the next reply.
  Reply Next() {
    void* reply = nullptr;
    if (redisGetReply(context_, &reply) != REDIS_OK) throw std::runtime_error("redis: lost");
    return Checked(reply);
  }
  // The next reply if it has been read already, else null.
  Reply NextRead() {
    void* reply = nullptr;
    if (redisReaderGetReply(context_->reader, &reply) != REDIS_OK) {
      throw std::runtime_error("redis: lost");
    }
    return Checked(reply);
  }

 private:
  static Reply Checked(void* reply) {
    Reply owned(static_cast<redisReply*>(reply));
    if (owned && owned->type == REDIS_REPLY_ERROR) throw std::runtime_error(owned->str);
    return owned;
  }

  redisContext* context_;
};

}  // namespace workpool::bench
