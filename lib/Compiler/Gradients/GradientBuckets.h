// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All-reduces of pieces of gradients.

#ifndef MOE_LIB_COMPILER_GRADIENTS_GRADIENTBUCKETS_H
#define MOE_LIB_COMPILER_GRADIENTS_GRADIENTBUCKETS_H

#include "BackwardPass.h"
#include "moe/Compiler/Plan.h"

namespace moe {

/// Sorts the gradients of a pass by when they are made: a backward layer's
/// gradients come before the gradients of the dense part after it.
void orderByReadiness(BackwardPass &pass);

/// True if gradients may travel in one all-reduce: they have the same group and
/// element type.
bool canShareAllReduce(const Gradient &a, const Gradient &b);

/// Replaces the all-reduces of a backward pass by all-reduces of pieces, each
/// in the program where it is to be sent: beside a dense part in front of it,
/// beside an MoE part right in front of its experts, after the backward pass in
/// front of the return. If the plan fuses, pieces of one group and element type
/// that go to one place travel in one all-reduce, or in buckets. Returns the
/// number of all-reduces. The plan's pieces are in units and in the order they
/// are sent in, and pass `checkPartition`; with buckets, each is a gradient, in
/// the order of `orderByReadiness`.
int64_t sendPieces(BackwardPass &pass, const GradientPlan &plan);

} // namespace moe

#endif // MOE_LIB_COMPILER_GRADIENTS_GRADIENTBUCKETS_H
