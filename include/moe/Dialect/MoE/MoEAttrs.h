// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of the moe dialect.

#ifndef MOE_DIALECT_MOE_MOEATTRS_H
#define MOE_DIALECT_MOE_MOEATTRS_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "moe/Dialect/MoE/MoEInterfaces.h"
#include "moe/Dialect/MoE/PlanEnums.h"
#include "moe/Schedule/GradientPartition.h"

#include "moe/Dialect/MoE/MoEEnums.h.inc"

namespace moe {

/// The plan of a module, function or layer.
constexpr llvm::StringLiteral kPlanAttrName = "moe.plan";

} // namespace moe

#define GET_ATTRDEF_CLASSES
#include "moe/Dialect/MoE/MoEAttrs.h.inc"

#endif // MOE_DIALECT_MOE_MOEATTRS_H
