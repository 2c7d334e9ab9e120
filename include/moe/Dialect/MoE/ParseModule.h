// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MOE_DIALECT_MOE_PARSEMODULE_H
#define MOE_DIALECT_MOE_PARSEMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

namespace moe {

/// Checks text before MLIR's parser reads it: the parser makes room for as many
/// results as a use names, and `%x#2147483647` would end the process. Emits an
/// error at the place of a result number above 2^20. Bytecode passes.
llvm::LogicalResult checkResultNumbers(const llvm::SourceMgr &sources,
                                       mlir::MLIRContext *context);

/// Parses the main buffer of `sources` after that check; null, with an error
/// emitted, if the text is wrong.
mlir::OwningOpRef<mlir::ModuleOp> parseModule(llvm::SourceMgr &sources,
                                              mlir::MLIRContext *context);

} // namespace moe

#endif // MOE_DIALECT_MOE_PARSEMODULE_H
