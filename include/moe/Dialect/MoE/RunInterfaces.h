//===- RunInterfaces.h - Rows on ways of several steps ----------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_DIALECT_MOE_RUNINTERFACES_H
#define MOE_DIALECT_MOE_RUNINTERFACES_H

#include "mlir/IR/OpDefinition.h"
#include "moe/Cost/Traffic.h"

namespace moe::traffic {
struct RowMatrix;
} // namespace moe::traffic

#include "moe/Dialect/MoE/MoERunInterfaces.h.inc"

#endif // MOE_DIALECT_MOE_RUNINTERFACES_H
