// Where a place is handed back, and who waits for its own pool: what a running closure needs of the
// pool that it is in, whichever kind that is.
#pragma once

#include "pool/task.h"

namespace workpool {

class Places {
 public:
  // For tasks whose Run returned kPending. Thread safe; the pool may be destroyed by whoever waited
  // for this place before the call has returned.
  virtual void Finish(Place place) = 0;

  // For a task that waits for the others of its pool: it counts itself as a bystander for as long
  // as it runs, so that two such tasks do not wait for each other.
  virtual void AddBystander() = 0;
  virtual void RemoveBystander() = 0;

 protected:
  ~Places() = default;
};

}  // namespace workpool
