// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The moert dialect.

#ifndef MOE_DIALECT_MOERT_MOERTDIALECT_H
#define MOE_DIALECT_MOERT_MOERTDIALECT_H

#include "mlir/IR/Dialect.h"
#include "moe/Dialect/MoE/MoEDialect.h"

#include "moe/Dialect/MoERT/MoERTDialect.h.inc"

#endif // MOE_DIALECT_MOERT_MOERTDIALECT_H
