// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The axes of a compile plan.

#ifndef MOE_LIB_COMPILER_CHOOSE_PLANSPACE_H
#define MOE_LIB_COMPILER_CHOOSE_PLANSPACE_H

#include "PlanSearch.h"

namespace moe {

/// Padded buffers, or ragged exchanges of the filled slots.
const PlanAxis &getPaddingAxis();
/// Into how many sub-batches the batch is cut.
const PlanAxis &getSubBatchAxis();
/// How each of several sub-batches is planned: as asked, or each layer alone in
/// one or two chunks.
const PlanAxis &getSubBatchPlanAxis();
/// The schedule of a training step.
const PlanAxis &getScheduleAxis();
/// Whether a step sends each token once per node.
const PlanAxis &getNodeDedupAxis();
/// Whether the inner products of experts are kept, for a finished plan.
const PlanAxis &getProductsAxis();
/// The element type in which tokens travel, for a finished plan.
const PlanAxis &getWireTypeAxis();

} // namespace moe

#endif // MOE_LIB_COMPILER_CHOOSE_PLANSPACE_H
