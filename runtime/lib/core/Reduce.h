// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reduction in group order.

#ifndef MOERT_CORE_REDUCE_H
#define MOERT_CORE_REDUCE_H

#include "moert.h"
#include <vector>

namespace moert {

/// Computes target[i] = sources[0][i] op sources[1][i] op ..., in this order,
/// and rounds each step to the type. The target may be one of the sources.
void reduce(moert_type type, moert_reduction reduction,
            const std::vector<const void *> &sources, void *target,
            int64_t count);

} // namespace moert

#endif // MOERT_CORE_REDUCE_H
