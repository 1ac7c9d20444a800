// Why the tuner sets a size: for logs, metrics and people.
#pragma once

#include <cstdint>
#include <string_view>

namespace workpool {

// Why the tuner has set, or left, a size.
enum class TuneReason : std::uint8_t {
  kIdle,       // nothing ran: nothing is known that was not known before
  kMeasuring,  // stays, to learn what this size gives
  kMore,       // grew: looks whether more workers finish more jobs
  kSlower,     // shrank: more workers made jobs slower and finished no more of them
  kFewer,      // shrank: looks whether fewer workers finish as many jobs
  kSettled,    // the fewest workers within 5 % of the best
  kProbe,      // for a moment one step more or less, to see whether that is still so
  kChanged,    // throughput is not what it was: looks again
  kReturned,   // the load is back for which a size is known
  kSpare,      // there are workers without work: as many as are in use
};
inline constexpr int kTuneReasons = 10;

// One word for logs and metrics.
std::string_view NameOf(TuneReason reason);
// A sentence for people.
std::string_view Explain(TuneReason reason);

}  // namespace workpool
