// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dim maps of structured ops.

#ifndef MOE_LIB_DIALECT_MOE_STRUCTUREDDIMS_H
#define MOE_LIB_DIALECT_MOE_STRUCTUREDDIMS_H

#include "moe/Dialect/MoE/DimMap.h"

namespace moe {

/// Returns the dim map of a structured linalg op on tensors, from its indexing
/// maps and loop kinds. A result dim is linked to the operand dims of the same
/// parallel loop, and dims of a reduction loop are read as a whole. The op is
/// partwise. Nullopt for other ops, for an op that reads its loop position
/// (`linalg.index`), and for a region that reads outside values.
std::optional<DimMap> getStructuredDims(mlir::Operation *op);

} // namespace moe

#endif // MOE_LIB_DIALECT_MOE_STRUCTUREDDIMS_H
