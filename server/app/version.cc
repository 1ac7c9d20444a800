#include "app/version.h"

namespace workpool {

std::string_view Version() { return WORKPOOL_VERSION; }

}  // namespace workpool
