#include "stores/memory_store.h"

#include "conformance/store_conformance.h"

namespace workpool {

INSTANTIATE_TEST_SUITE_P(Memory, StoreConformance,
                         ::testing::Values(StoreMaker{"memory", MakeMemoryStore}),
                         [](const auto& param) { return param.param.name; });

}  // namespace workpool
