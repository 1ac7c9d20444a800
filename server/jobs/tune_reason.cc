#include "jobs/tune_reason.h"

namespace workpool {

std::string_view NameOf(TuneReason reason) {
  switch (reason) {
    case TuneReason::kIdle: return "idle";
    case TuneReason::kMeasuring: return "measuring";
    case TuneReason::kMore: return "more";
    case TuneReason::kSlower: return "slower";
    case TuneReason::kFewer: return "fewer";
    case TuneReason::kSettled: return "settled";
    case TuneReason::kProbe: return "probe";
    case TuneReason::kChanged: return "changed";
    case TuneReason::kReturned: return "returned";
    case TuneReason::kSpare: return "spare";
  }
  return "unknown";
}

std::string_view Explain(TuneReason reason) {
  switch (reason) {
    case TuneReason::kIdle: return "nothing runs: the size stays";
    case TuneReason::kMeasuring: return "measures what this size gives";
    case TuneReason::kMore: return "looks whether more workers finish more jobs";
    case TuneReason::kSlower: return "more workers made jobs slower and finished no more of them";
    case TuneReason::kFewer: return "looks whether fewer workers finish as many jobs";
    case TuneReason::kSettled: return "the fewest workers within 5% of the best throughput";
    case TuneReason::kProbe: return "tries one step for a moment, to see whether the size is right";
    case TuneReason::kChanged: return "the throughput has changed: looks again";
    case TuneReason::kReturned: return "the load is back for which this size was found";
    case TuneReason::kSpare: return "workers had no work: as many as are in use";
  }
  return "";
}

}  // namespace workpool
