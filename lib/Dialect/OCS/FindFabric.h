// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fabric that an op names.

#ifndef MOE_LIB_DIALECT_OCS_FINDFABRIC_H
#define MOE_LIB_DIALECT_OCS_FINDFABRIC_H

#include "moe/Dialect/OCS/OCSOps.h"

namespace moe::ocs {

/// The fabric of that name, a sound one, or an error.
mlir::FailureOr<FabricOp> findFabric(mlir::Operation *op,
                                     mlir::FlatSymbolRefAttr name,
                                     mlir::SymbolTableCollection &symbols);

/// Emits an error where a name of a demand is empty.
llvm::LogicalResult checkKey(mlir::Operation *op, llvm::StringRef key);

} // namespace moe::ocs

#endif // MOE_LIB_DIALECT_OCS_FINDFABRIC_H
