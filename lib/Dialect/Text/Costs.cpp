// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Execution times of ops of other dialects.

#include "moe/Dialect/Text/Costs.h"
#include "moe/Dialect/MoE/AnnotatedCost.h"
#include "moe/Dialect/Text/StableHLO/Costs.h"
#include "moe/Dialect/Text/Torch/Ops.h"

using namespace mlir;
using namespace moe;

bool moe::hasTextCost(OperationName name) {
  return hasTorchCost(name) || hasStableHLOCost(name);
}

FailureOr<cost::Microseconds> moe::getTextTime(Operation *op,
                                               CostContext &context) {
  if (std::optional<double> us = getStatedTimeUs(op))
    return cost::Microseconds(*us);
  return hasTorchCost(op->getName()) ? getTorchTime(op, context)
                                     : getStableHLOTime(op, context);
}

static FailureOr<double> countBytes(Operation *op, ValueRange values) {
  double sum = 0;
  for (Value value : values) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      continue;
    if (!type.getElementType().isIntOrIndexOrFloat())
      return op->emitOpError()
             << "cannot be timed: expected elements that are integers or "
                "floats, got "
             << type << "; state its time in microseconds, {"
             << kStatedTimeAttrName << " = 1.0 : f64}";
    FailureOr<cost::Bytes> bytes = getStaticBytes(op, value);
    if (failed(bytes))
      return failure();
    sum += bytes->value();
  }
  return sum;
}

FailureOr<cost::Microseconds> moe::getPassTime(Operation *op,
                                               CostContext &context) {
  FailureOr<double> read = countBytes(op, op->getOperands());
  FailureOr<double> written = countBytes(op, op->getResults());
  if (failed(read) || failed(written))
    return failure();
  return getCopyTime(op, context, cost::Bytes(std::max(*read, *written)));
}
