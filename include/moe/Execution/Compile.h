//===- Compile.h - The phases that make a program run -----------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_EXECUTION_COMPILE_H
#define MOE_EXECUTION_COMPILE_H

#include "mlir/IR/OwningOpRef.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir {
class DialectRegistry;
class ModuleOp;
} // namespace mlir

namespace moe {

/// Registers what compiling needs beyond the dialects: inlining and the
/// translation to LLVM IR.
void registerCompilation(mlir::DialectRegistry &registry);

/// Runs the phases `schedule`, `runtime` and `llvm`, as far as the module has
/// not been through them, on a copy that keeps only function @`entry` and what
/// it needs. The result has one public function, `moe_ENTRY`, and is in the
/// LLVM dialect. `onScheduled` sees the copy after the phase `schedule`. Emits
/// errors and fails otherwise.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> compileToLLVM(
    mlir::ModuleOp module, llvm::StringRef entry,
    llvm::function_ref<mlir::LogicalResult(mlir::ModuleOp)> onScheduled = {});

} // namespace moe

#endif // MOE_EXECUTION_COMPILE_H
