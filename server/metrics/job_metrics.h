// The series that the recorder counts.
#pragma once

#include <vector>

#include "metrics/families.h"
#include "metrics/series.h"

namespace workpool::metrics {

void AddJobFamilies(Families& families, const std::vector<const Series*>& series);

}  // namespace workpool::metrics
