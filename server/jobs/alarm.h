// The alarm port: how a stepped object asks to be stepped. One alarm is pending at a time: an
// earlier instant replaces a later one. When it rings, the owner calls Dispatcher::Tick. Thread
// safe; never blocks.
#pragma once

#include "base/clock.h"

namespace workpool {

class Alarm {
 public:
  virtual ~Alarm() = default;
  virtual void RingAt(SteadyTime when) = 0;
};

}  // namespace workpool
