// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of the moe dialect.

#ifndef MOE_DIALECT_MOE_MOEOPS_H
#define MOE_DIALECT_MOE_MOEOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "moe/Dialect/MoE/MoEAttrs.h"
#include "moe/Dialect/MoE/MoEDialect.h"
#include "moe/Dialect/MoE/MoEInterfaces.h"
#include "moe/Dialect/MoE/MoETypes.h"

#define GET_OP_CLASSES
#include "moe/Dialect/MoE/MoEOps.h.inc"

namespace moe {

/// Returns the result type of an all-to-all of `type` over a group of
/// `groupSize` ranks; dynamic dims stay dynamic. Fails if a dim is out of range
/// or the group size does not divide the split dim.
llvm::FailureOr<mlir::RankedTensorType>
inferAllToAllType(mlir::RankedTensorType type, int64_t splitDim,
                  int64_t concatDim, int64_t groupSize);

/// Returns `type` with dim `dim` multiplied by `groupSize` (all_gather). Fails
/// if the dim is out of range or the size overflows.
llvm::FailureOr<mlir::RankedTensorType>
inferGatheredType(mlir::RankedTensorType type, int64_t dim, int64_t groupSize);

/// Returns `type` with dim `dim` divided by `groupSize` (drop, reduce_scatter).
/// Fails if the dim is out of range or `groupSize` does not divide it.
llvm::FailureOr<mlir::RankedTensorType>
inferScatteredType(mlir::RankedTensorType type, int64_t dim, int64_t groupSize);

/// Returns the bytes of a tensor with a static shape. Elements below 8 bits
/// count as one byte, and `index` as 8 bytes. Fails on a dynamic shape.
llvm::FailureOr<int64_t> getTensorBytes(mlir::RankedTensorType type);

/// Returns the number of ranks of the module around `from`: the size of the
/// mesh or, without one, the number of ranks in the replica groups, or 1 if
/// there are none.
int64_t getNumRanks(mlir::Operation *from);

/// Returns the mesh axes with these names as a bit set, with bit i for axis i.
/// Fails if a name is unknown.
llvm::FailureOr<uint64_t> getAxisBits(MeshOp mesh,
                                      llvm::ArrayRef<llvm::StringRef> names);

} // namespace moe

#endif // MOE_DIALECT_MOE_MOEOPS_H
