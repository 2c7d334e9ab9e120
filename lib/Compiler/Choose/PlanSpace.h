// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The axes of a compile plan.

#ifndef MOE_LIB_COMPILER_CHOOSE_PLANSPACE_H
#define MOE_LIB_COMPILER_CHOOSE_PLANSPACE_H

#include "PlanSearch.h"

namespace moe {

/// Padded buffers, or ragged exchanges of the filled slots.
const PlanAxis &getPaddingAxis();
/// The number of sub-batches.
const PlanAxis &getSubBatchAxis();
/// The plan of each of several sub-batches: as requested, or each layer alone
/// in one or two chunks.
const PlanAxis &getSubBatchPlanAxis();
/// The schedule of a training step.
const PlanAxis &getScheduleAxis();
/// Sending each token once per node.
const PlanAxis &getNodeDedupAxis();
/// Keeping the inner products of experts, for a finished plan.
const PlanAxis &getProductsAxis();
/// The element type of tokens in exchanges, for a finished plan.
const PlanAxis &getWireTypeAxis();

} // namespace moe

#endif // MOE_LIB_COMPILER_CHOOSE_PLANSPACE_H
