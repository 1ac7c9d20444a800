#include "poller.h"

#include "base/mutex.h"

namespace workpool::client {

namespace {

struct InUse {
  Mutex mutex;
  std::weak_ptr<Poller> poller GUARDED_BY(mutex);
};

// Never destroyed: clients may be used while the process exits.
InUse& TheOneInUse() {
  static InUse& in_use = *new InUse;
  return in_use;
}

}  // namespace

std::shared_ptr<Poller> Poller::Shared() {
  InUse& in_use = TheOneInUse();
  const MutexLock lock(in_use.mutex);
  std::shared_ptr<Poller> poller = in_use.poller.lock();
  if (!poller) in_use.poller = poller = std::make_shared<Poller>();
  return poller;
}

Poller::Poller() : thread_([this] { Serve(); }) {}

Poller::~Poller() { queue_.Shutdown(); }

void Poller::Serve() {
  void* tag = nullptr;
  bool ok = false;
  while (queue_.Next(&tag, &ok)) {
    published_.load(std::memory_order_acquire);  // see Publish
    static_cast<Event*>(tag)->Happen(ok);
  }
}

}  // namespace workpool::client
