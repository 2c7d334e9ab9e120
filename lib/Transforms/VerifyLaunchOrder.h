// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One order on every rank.

#ifndef MOE_LIB_TRANSFORMS_LAUNCHORDER_H
#define MOE_LIB_TRANSFORMS_LAUNCHORDER_H

#include "mlir/IR/BuiltinOps.h"

namespace moe {

/// Checks that ranks which take different ways through a branch launch the
/// collectives they share in one order. Two launches are the same collective
/// when op, attributes, types and ranks are, and it is the n-th launch of both.
/// Emits, for each branch where two collectives sharing more than one of the
/// ranks it separates change places, an error at one with notes at the other
/// and at the branch. Branches inside the one that is looked at count with all
/// their ways, so not every disorder below nested branches is found: that
/// ranks meet at all is `moe-verify-collectives`' to prove.
llvm::LogicalResult verifyLaunchOrder(mlir::ModuleOp module);

} // namespace moe

#endif // MOE_LIB_TRANSFORMS_LAUNCHORDER_H
