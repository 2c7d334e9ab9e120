// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The moe dialect.

#ifndef MOE_DIALECT_MOE_MOEDIALECT_H
#define MOE_DIALECT_MOE_MOEDIALECT_H

#include "mlir/IR/Dialect.h"

#include "moe/Dialect/MoE/MoEDialect.h.inc"

#endif // MOE_DIALECT_MOE_MOEDIALECT_H
