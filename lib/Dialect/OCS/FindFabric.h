// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lookup of the fabric that an op names.

#ifndef MOE_LIB_DIALECT_OCS_FINDFABRIC_H
#define MOE_LIB_DIALECT_OCS_FINDFABRIC_H

#include "moe/Dialect/OCS/OCSOps.h"

namespace moe::ocs {

/// Returns the verified fabric of that name, or emits an error and fails.
mlir::FailureOr<FabricOp> findFabric(mlir::Operation *op,
                                     mlir::FlatSymbolRefAttr name,
                                     mlir::SymbolTableCollection &symbols);

/// Emits an error and fails if the name of a demand is empty.
llvm::LogicalResult checkKey(mlir::Operation *op, llvm::StringRef key);

} // namespace moe::ocs

#endif // MOE_LIB_DIALECT_OCS_FINDFABRIC_H
