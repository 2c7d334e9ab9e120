// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ocs dialect.

#ifndef MOE_DIALECT_OCS_OCSDIALECT_H
#define MOE_DIALECT_OCS_OCSDIALECT_H

#include "mlir/IR/Dialect.h"
#include "moe/Dialect/MoE/MoEDialect.h"

#include "moe/Dialect/OCS/OCSDialect.h.inc"

#endif // MOE_DIALECT_OCS_OCSDIALECT_H
