// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dims of structured ops.

#ifndef MOE_LIB_DIALECT_MOE_STRUCTUREDDIMS_H
#define MOE_LIB_DIALECT_MOE_STRUCTUREDDIMS_H

#include "moe/Dialect/MoE/DimMap.h"

namespace moe {

/// The dim map of a structured op of linalg on tensors, by its indexing maps
/// and kinds of loops: a dim of a result is linked to those of operands that
/// the same parallel loop goes along, and what a reduction goes along is read
/// as a whole. Parts of it are the same function. Nullopt of other ops, of one
/// that asks where it is in a loop (`linalg.index`), and of one whose region
/// reads values from outside.
std::optional<DimMap> getStructuredDims(mlir::Operation *op);

} // namespace moe

#endif // MOE_LIB_DIALECT_MOE_STRUCTUREDDIMS_H
