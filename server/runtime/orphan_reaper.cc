#include "runtime/orphan_reaper.h"

#include <sys/wait.h>

namespace workpool {

void ReapOrphans(const ChildTable& table) {
  for (;;) {
    siginfo_t ended{};
    const bool any = ::waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) == 0;
    if (!any || ended.si_pid == 0 || table.MayBeOurs(ended.si_pid)) return;
    siginfo_t reaped{};
    ::waitid(P_PID, static_cast<id_t>(ended.si_pid), &reaped, WEXITED | WNOHANG);
  }
}

}  // namespace workpool
