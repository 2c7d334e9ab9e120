//===- MoETypes.h - Types of the moe dialect --------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_DIALECT_MOE_MOETYPES_H
#define MOE_DIALECT_MOE_MOETYPES_H

#include "mlir/IR/BuiltinTypes.h"

#define GET_TYPEDEF_CLASSES
#include "moe/Dialect/MoE/MoETypes.h.inc"

#endif // MOE_DIALECT_MOE_MOETYPES_H
