// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled programs in this process.

#ifndef MOE_LIB_EXECUTION_JIT_H
#define MOE_LIB_EXECUTION_JIT_H

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/BuiltinOps.h"
#include "moert.h"

namespace moe {

/// A compiled entry function: a status of the runtime's C interface.
using EntryFunction = int32_t (*)(moert_context *context, void **inputs,
                                  void **results);

/// What makes beforehand what a first call makes.
using PrepareFunction = int32_t (*)(moert_context *context);

/// Code made from a module in the LLVM dialect, with the runtime of this
/// process behind its calls.
class Jit {
public:
  /// With `recorded`, a `Recorder` stands between the code and the runtime.
  /// Emits an error and fails when the module cannot be compiled.
  static mlir::FailureOr<Jit> create(mlir::ModuleOp module,
                                     bool recorded = false);

  /// The function `moe_ENTRY`.
  mlir::FailureOr<EntryFunction> lookup(mlir::Location loc,
                                        llvm::StringRef entry) const;
  /// The function `moe_ENTRY_prepare`.
  mlir::FailureOr<PrepareFunction> lookupPrepare(mlir::Location loc,
                                                 llvm::StringRef entry) const;

private:
  mlir::FailureOr<void *> find(mlir::Location loc,
                               const std::string &name) const;
  explicit Jit(std::unique_ptr<mlir::ExecutionEngine> engine)
      : engine(std::move(engine)) {}

  std::unique_ptr<mlir::ExecutionEngine> engine;
};

} // namespace moe

#endif // MOE_LIB_EXECUTION_JIT_H
