// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All-reduces of gradient buckets.

#ifndef MOE_LIB_COMPILER_GRADIENTS_GRADIENTBUCKETS_H
#define MOE_LIB_COMPILER_GRADIENTS_GRADIENTBUCKETS_H

#include "BackwardPass.h"
#include "moe/Compiler/Plan.h"

namespace moe {

/// Sorts the gradients of a pass by availability: a backward layer's gradients
/// precede the gradients of the dense part after it.
void orderByReadiness(BackwardPass &pass);

/// Returns true if gradients may share an all-reduce, because they have the
/// same group and element type.
bool canShareAllReduce(const Gradient &a, const Gradient &b);

/// Replaces the all-reduces of a backward pass by all-reduces of buckets, each
/// at the program position where it must be sent: before the dense part that it
/// overlaps, directly before the experts of the MoE part that it overlaps, or
/// before the return. If the plan fuses, buckets with the same group, element
/// type and position share an all-reduce. Returns the number of all-reduces.
/// The plan's buckets are in units and in send order, and must pass
/// `checkPartition`. If the plan has a bucket size, each entry is a whole
/// gradient, in the order of `orderByReadiness`.
int64_t sendPieces(BackwardPass &pass, const GradientPlan &plan);

} // namespace moe

#endif // MOE_LIB_COMPILER_GRADIENTS_GRADIENTBUCKETS_H
