// The messages of a unary call on an arena: made and freed in a few pieces of memory instead of
// several for each item.
#pragma once

#include <google/protobuf/arena.h>
#include <grpcpp/support/message_allocator.h>

#include <array>
#include <cstddef>

namespace workpool::rpc {

// `kFirstBytes`: what most calls of this kind need; it lies in the holder itself. Thread safe.
template <typename Request, typename Response, std::size_t kFirstBytes>
class ArenaMessages final : public grpc::MessageAllocator<Request, Response> {
 public:
  grpc::MessageHolder<Request, Response>* AllocateMessages() override { return new Holder; }

 private:
  class Holder final : public grpc::MessageHolder<Request, Response> {
   public:
    Holder() : arena_(Options(first_)) {
      this->set_request(google::protobuf::Arena::CreateMessage<Request>(&arena_));
      this->set_response(google::protobuf::Arena::CreateMessage<Response>(&arena_));
    }
    void Release() override { delete this; }

   private:
    static google::protobuf::ArenaOptions Options(std::array<char, kFirstBytes>& first) {
      google::protobuf::ArenaOptions options;
      options.initial_block = first.data();
      options.initial_block_size = first.size();
      options.max_block_size = std::size_t{32} << 10;
      return options;
    }

    alignas(std::max_align_t) std::array<char, kFirstBytes> first_;  // not filled with zeros
    google::protobuf::Arena arena_;
  };
};

}  // namespace workpool::rpc
