// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The op that drops assignments beyond limits.

#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/Shapes.h"

using namespace mlir;
using namespace moe;

LogicalResult LimitChoicesOp::verify() {
  if (failed(verifyTensorRank(*this, "ids", getIds(), 2)) ||
      failed(verifyTensorRank(*this, "limits", getLimits(), 1)))
    return failure();
  int64_t limits = tensorOf(getLimits()).getDimSize(0);
  if (ShapedType::isDynamic(limits) || limits < 1)
    return emitOpError() << "expected a static number of limits, at least one, "
                            "got "
                         << getLimits().getType();
  if (getExperts() < 1 || getExperts() % limits != 0)
    return emitOpError() << "expected a number of experts that divides by the "
                         << limits << " limits, got " << getExperts();
  return verifyHolds(*this, "ids", getIds(), getExperts());
}

/// Any assignment may affect which ones are dropped, so all dims are touched.
DimMap LimitChoicesOp::getDimMap() { return {}; }
