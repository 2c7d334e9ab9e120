// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes programs as object files, text and headers.

#ifndef MOE_EXECUTION_EMIT_H
#define MOE_EXECUTION_EMIT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace moe {

class Program;

/// Writes the object file of a module that `compileToLLVM` made, for the oldest
/// model of this machine's processor architecture. Emits an error and fails if
/// the code generator fails.
mlir::LogicalResult emitObject(mlir::ModuleOp module,
                               llvm::raw_pwrite_stream &os);

/// Adds the constant `moe_NAME_description` to a module that `compileToLLVM`
/// made. It describes the program's interface as JSON, for callers that do not
/// have the header. Inputs and results have an element `type`, a `shape`, and a
/// `name` if the program has one. If known, inputs also have the axes that they
/// are `varying` over and, for integers, the allowed `range`.
void addDescription(const Program &program, mlir::ModuleOp code);

/// Writes a module that `compileToLLVM` made as LLVM IR, without optimization.
/// Emits an error and fails if it cannot be translated.
mlir::LogicalResult emitLLVM(mlir::ModuleOp code, llvm::raw_ostream &os);

/// Writes the kernels of a module that `compileToLLVM` made for the target
/// `nccl` as PTX. Emits an error and fails if it has no kernels.
mlir::LogicalResult emitPTXText(mlir::ModuleOp code, llvm::raw_ostream &os);

/// Checks that a program can have a C header. Emits an error and fails if the
/// entry's name cannot be a part of a C identifier, or if a type has no buffer
/// at run time. The arguments and results of `entry` must be tensors.
mlir::LogicalResult verifyHeader(mlir::func::FuncOp entry);

/// Writes the C header of a program that passed `verifyHeader`: the
/// declarations of its functions, its number of ranks, its inputs and results,
/// and the number of host waits. `code` is the module that `compileToLLVM` made
/// of it.
void emitHeader(const Program &program, mlir::ModuleOp code,
                llvm::raw_ostream &os);

} // namespace moe

#endif // MOE_EXECUTION_EMIT_H
