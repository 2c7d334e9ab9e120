// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tasks of a schedule in their best order.

#ifndef MOE_TRANSFORMS_ORDERTASKS_H
#define MOE_TRANSFORMS_ORDERTASKS_H

#include "moe/Cost/Machine.h"
#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// Whether tasks of a schedule work for parts of the batch (`moe.sub_batch`).
bool hasParts(ScheduleOp op);

/// Puts the tasks of parts in turn: on each stream goes first what can start
/// first. Takes the one of several such orders that ends first on `machine`,
/// and improves it, by a search through up to `width` partial orders of each
/// length, by moving tasks late and early, and by swaps; without a machine, or
/// where an op has no time on it, all tasks take as long. Where there are no
/// parts, improves the order in which the tasks stand, by the search alone,
/// which is a shorter one.
void orderTasks(ScheduleOp op, const cost::Machine *machine, size_t width);

} // namespace moe

#endif // MOE_TRANSFORMS_ORDERTASKS_H
