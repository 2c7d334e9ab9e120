//===- VerifyCircuits.h - Circuits and their traffic ------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_LIB_TRANSFORMS_VERIFYCIRCUITS_H
#define MOE_LIB_TRANSFORMS_VERIFYCIRCUITS_H

#include "mlir/IR/BuiltinOps.h"

namespace moe {

/// Checks that the schedules of a module change circuits only while nothing
/// uses them, on any rank, and use only circuits that are up. Emits an error
/// that names both places for everything that is wrong.
llvm::LogicalResult verifyCircuits(mlir::ModuleOp module);

} // namespace moe

#endif // MOE_LIB_TRANSFORMS_VERIFYCIRCUITS_H
