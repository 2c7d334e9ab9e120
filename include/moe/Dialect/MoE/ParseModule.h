// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MOE_DIALECT_MOE_PARSEMODULE_H
#define MOE_DIALECT_MOE_PARSEMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

namespace moe {

/// Prepares program text for MLIR's parser. Returns null, with an error
/// emitted, if a use names a result number above 2^20: the parser allocates as
/// many results as a use names, so `%x#2147483647` would abort the process.
/// Replaces op and attribute names of the previous release by today's, with a
/// warning at the first use of each. Returns a view of `text` if nothing
/// changes; bytecode never does.
std::unique_ptr<llvm::MemoryBuffer> prepareText(llvm::MemoryBufferRef text,
                                                mlir::MLIRContext *context);

/// Parses the main buffer of `sources` after `prepareText`. Returns null, with
/// an error emitted, if the text is wrong.
mlir::OwningOpRef<mlir::ModuleOp> parseModule(llvm::SourceMgr &sources,
                                              mlir::MLIRContext *context);

} // namespace moe

#endif // MOE_DIALECT_MOE_PARSEMODULE_H
