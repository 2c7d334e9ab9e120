// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interface of runs: rows that travel in several steps.

#ifndef MOE_DIALECT_MOE_RUNINTERFACES_H
#define MOE_DIALECT_MOE_RUNINTERFACES_H

#include "mlir/IR/OpDefinition.h"
#include "moe/Cost/Matrix.h"
#include "moe/Cost/Traffic.h"
#include "moe/Dialect/MoE/MoEInterfaces.h"

#include "moe/Dialect/MoE/MoERunInterfaces.h.inc"

#endif // MOE_DIALECT_MOE_RUNINTERFACES_H
