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

/// Result type of an all-to-all of `type` over a group of `groupSize` ranks;
/// dynamic dims stay dynamic. Fails when a dim is out of range or the split
/// dim does not divide.
llvm::FailureOr<mlir::RankedTensorType>
inferAllToAllType(mlir::RankedTensorType type, int64_t splitDim,
                  int64_t concatDim, int64_t groupSize);

/// Type of `type` with dim `dim` multiplied by `groupSize` (all_gather).
/// Fails when the dim is out of range or the size overflows.
llvm::FailureOr<mlir::RankedTensorType>
inferGatheredType(mlir::RankedTensorType type, int64_t dim, int64_t groupSize);

/// Type of `type` with dim `dim` divided by `groupSize` (drop,
/// reduce_scatter). Fails when the dim is out of range or does not divide.
llvm::FailureOr<mlir::RankedTensorType>
inferScatteredType(mlir::RankedTensorType type, int64_t dim, int64_t groupSize);

/// Bytes of a tensor with a static shape; sub-byte elements count as one
/// byte. Fails on a dynamic shape, on `index` elements counts 8 a piece.
llvm::FailureOr<int64_t> getTensorBytes(mlir::RankedTensorType type);

/// The ranks of the module around `from`: the mesh's, or without a mesh those
/// of the replica groups, or 1 when nothing names a rank.
int64_t getNumRanks(mlir::Operation *from);

/// The mesh axes in ascending mesh order that `names` are, as a bit set with
/// bit i for axis i. Fails when a name is unknown.
llvm::FailureOr<uint64_t> getAxisBits(MeshOp mesh,
                                      llvm::ArrayRef<llvm::StringRef> names);

} // namespace moe

#endif // MOE_DIALECT_MOE_MOEOPS_H
