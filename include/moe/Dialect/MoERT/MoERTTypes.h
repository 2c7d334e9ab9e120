// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of the moert dialect.

#ifndef MOE_DIALECT_MOERT_MOERTTYPES_H
#define MOE_DIALECT_MOERT_MOERTTYPES_H

#include "mlir/IR/BuiltinTypes.h"

#define GET_TYPEDEF_CLASSES
#include "moe/Dialect/MoERT/MoERTTypes.h.inc"

#endif // MOE_DIALECT_MOERT_MOERTTYPES_H
