// What the tests of admission alone do with it, step by step.
#pragma once

#include <vector>

#include "pool/admission.h"

namespace workpool {

inline Verdict Try(Admission& admission, Task& task) {
  return admission.Offer(task, WhenFull::kReject).verdict;
}
inline Verdict Wait(Admission& admission, Task& task) {
  return admission.Offer(task, WhenFull::kWait).verdict;
}

// Tells all acceptances and lists the tasks of all notices.
inline std::vector<Task*> TellAll(Admission& admission) {
  std::vector<Task*> told;
  while (admission.HasNotice()) {
    const Admission::Notice notice = admission.TakeNotice();
    told.push_back(notice.task);
    if (notice.accepted) admission.Told(notice.ticket);
  }
  return told;
}

// Runs to the end whatever starts, in order.
inline std::vector<Task*> RunAll(Admission& admission) {
  std::vector<Task*> ran;
  TellAll(admission);
  for (auto next = admission.TakeReady(); next.task != nullptr; next = admission.TakeReady()) {
    ran.push_back(next.task);
    admission.Finish(next.place);
    TellAll(admission);
  }
  return ran;
}

}  // namespace workpool
