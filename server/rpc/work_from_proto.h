// What clients post, from the wire.
#pragma once

#include "base/error.h"
#include "jobs/job.h"
#include "workpool/v1/job.pb.h"

namespace workpool::rpc {

// The payload and the other texts are moved out of `work`. Fields that this version does not serve
// are kNotServed, values that their type cannot carry kBadField; the message names the field. All
// other rules are the dispatcher's to check.
Result<Work> WorkFromProto(v1::Work& work);
// The same into `to`, which must be new; after a failure it is of no use.
Result<void> ReadWork(v1::Work& from, Work& to);

// The work of a request that must have one; kBadField otherwise.
template <typename Request>
Result<Work> WorkOf(Request& request) {
  if (!request.has_work()) return Fail(ErrorCode::kBadField, "work: missing");
  return WorkFromProto(*request.mutable_work());
}

// gRPC hands requests over as const, though it has made them for this one call and nobody else
// reads them: what is large is moved out instead of copied.
template <typename Message>
Message& Consume(const Message* request) {
  return *const_cast<Message*>(request);
}

}  // namespace workpool::rpc
