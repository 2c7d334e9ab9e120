// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs as object files.

#ifndef MOE_EXECUTION_EMIT_H
#define MOE_EXECUTION_EMIT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace moe {

/// Writes the object file of a module that `compileToLLVM` has made, for this
/// machine's kind of processor, its oldest model. Emits an error and fails when
/// the code generator does.
mlir::LogicalResult emitObject(mlir::ModuleOp module,
                               llvm::raw_pwrite_stream &os);

/// Writes that module as LLVM IR, not optimized. Emits an error and fails when
/// it cannot be translated.
mlir::LogicalResult emitLLVM(mlir::ModuleOp code, llvm::raw_ostream &os);

/// Writes the kernels of a module that `compileToLLVM` has made for the target
/// `nccl` as PTX. Emits an error and fails when it has none.
mlir::LogicalResult emitPTXText(mlir::ModuleOp code, llvm::raw_ostream &os);

/// Checks that a program has a C header. Emits an error and fails when the
/// entry's name is no part of a C identifier or a type has no buffer at run
/// time. `entry` takes and gives tensors.
mlir::LogicalResult verifyHeader(mlir::func::FuncOp entry);

/// Writes the C header of a program that has one: the declarations of its
/// functions, how many ranks it is for, what its inputs and results are, and
/// how often the host waits. `code` is what `compileToLLVM` has made of it.
void emitHeader(mlir::func::FuncOp entry, mlir::ModuleOp code,
                llvm::raw_ostream &os);

} // namespace moe

#endif // MOE_EXECUTION_EMIT_H
