// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Optimizes the order of a schedule's tasks.

#ifndef MOE_TRANSFORMS_ORDERTASKS_H
#define MOE_TRANSFORMS_ORDERTASKS_H

#include "moe/Cost/Machine.h"
#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// Returns true if tasks of a schedule belong to sub-batches (`moe.sub_batch`).
bool hasParts(ScheduleOp op);

/// Optimizes the order of the tasks for `machine`. If there are sub-batches,
/// merges their orders: each stream runs the task that can start first. If
/// there are several such orders, takes the one that ends first. Then improves
/// it by a search through up to `width` partial orders of each length, by
/// moving tasks late and early, and by swaps. If there are no sub-batches, only
/// runs a shorter search from the current order. Without a machine, or if the
/// time of an op is unknown, all tasks have the same duration.
void orderTasks(ScheduleOp op, const cost::Machine *machine, size_t width);

/// Runs the forward pass of each sub-batch during the backward pass of the
/// previous one: layer by layer on the stream of the experts, with weight
/// gradients after the gradients of tokens. Each other stream runs the task
/// that can start first on `machine`, or without it, if all tasks have the same
/// duration. Returns the reason why the tasks have no such order and keep
/// theirs; empty if they have.
std::string mergePasses(ScheduleOp op, const cost::Machine *machine);

} // namespace moe

#endif // MOE_TRANSFORMS_ORDERTASKS_H
