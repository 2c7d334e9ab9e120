//===- Emit.h - Programs as object files ------------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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

/// Writes the C header of a program: the declaration of `moe_ENTRY`, how many
/// ranks it is for, and what its inputs and results are. Emits an error and
/// fails when the entry's name is no part of a C identifier or a type has no
/// buffer at run time. `entry` takes and gives tensors.
mlir::LogicalResult emitHeader(mlir::func::FuncOp entry, llvm::raw_ostream &os);

} // namespace moe

#endif // MOE_EXECUTION_EMIT_H
