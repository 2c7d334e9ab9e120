// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows on ways of several steps.

#ifndef MOE_DIALECT_MOE_RUNINTERFACES_H
#define MOE_DIALECT_MOE_RUNINTERFACES_H

#include "mlir/IR/OpDefinition.h"
#include "moe/Cost/Traffic.h"
#include "moe/Dialect/MoE/MoEInterfaces.h"

namespace moe::traffic {
struct RowMatrix;
} // namespace moe::traffic

#include "moe/Dialect/MoE/MoERunInterfaces.h.inc"

#endif // MOE_DIALECT_MOE_RUNINTERFACES_H
