// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of the moe dialect.

#ifndef MOE_DIALECT_MOE_MOETYPES_H
#define MOE_DIALECT_MOE_MOETYPES_H

#include "mlir/IR/BuiltinTypes.h"

#define GET_TYPEDEF_CLASSES
#include "moe/Dialect/MoE/MoETypes.h.inc"

#endif // MOE_DIALECT_MOE_MOETYPES_H
