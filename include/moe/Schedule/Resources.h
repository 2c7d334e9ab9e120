// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resources that tasks on a machine share.

#ifndef MOE_SCHEDULE_RESOURCES_H
#define MOE_SCHEDULE_RESOURCES_H

#include "moe/Cost/Machine.h"
#include "moe/Schedule/TaskGraph.h"

namespace moe::schedule {

static_assert(cost::kNumResources < kMaxResources,
              "expected room for a machine's resources beside none");

/// Returns the number of a machine's resource in task graphs.
constexpr ResourceId getResourceId(cost::Resource resource) {
  return ResourceId(resource) + 1;
}

inline Contention getContention(const cost::Machine &machine) {
  Contention contention;
  for (const cost::ContentionFactor &entry : machine.contention)
    contention.set(getResourceId(entry.slowed), getResourceId(entry.by),
                   entry.factor);
  return contention;
}

} // namespace moe::schedule

#endif // MOE_SCHEDULE_RESOURCES_H
