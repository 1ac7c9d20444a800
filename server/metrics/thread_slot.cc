#include "metrics/thread_slot.h"

#include <bitset>

#include "base/mutex.h"

namespace workpool::metrics {
namespace {

class Slots {
 public:
  // The lowest free one, so that few counts are spread over few slots.
  std::size_t Take() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    for (std::size_t number = 0; number < kOwnSlots; ++number) {
      if (!taken_[number]) {
        taken_[number] = true;
        return number;
      }
    }
    return kOwnSlots + next_shared_++ % kSharedSlots;
  }

  void GiveBack(std::size_t number) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (number < kOwnSlots) taken_[number] = false;
  }

 private:
  Mutex mutex_;
  std::bitset<kOwnSlots> taken_ GUARDED_BY(mutex_);
  std::size_t next_shared_ GUARDED_BY(mutex_) = 0;
};

// Never destroyed: threads may end after everything static has.
Slots& AllSlots() {
  static Slots& slots = *new Slots;
  return slots;
}

}  // namespace

ThreadSlot::ThreadSlot() : number_(AllSlots().Take()) {}

ThreadSlot::~ThreadSlot() { AllSlots().GiveBack(number_); }

}  // namespace workpool::metrics
