// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties of ops of other dialects.

#include "moe/Dialect/Text/Ops.h"
#include "moe/Dialect/Text/StableHLO/Ops.h"
#include "moe/Dialect/Text/Torch/Ops.h"

using namespace mlir;
using namespace moe;

bool moe::isTextDialect(StringRef dialect) {
  return llvm::is_contained({"stablehlo", "chlo", "mhlo", "sdy", "torch"},
                            dialect);
}

bool moe::isTextFunction(Operation *op) {
  return isStableHLOFunction(op) || isTorchFunction(op);
}

SmallVector<llvm::SmallBitVector> moe::getTextDependencies(Operation *op) {
  // For PyTorch ops and all others, each result depends on all operands.
  return getStableHLODependencies(op);
}

bool moe::hasTextDims(OperationName name) {
  return hasStableHLODims(name) || hasTorchDims(name);
}

bool moe::isTextReshape(Operation *op) {
  return op->getNumOperands() == 1 && op->getNumResults() == 1 &&
         (op->getName().getStringRef() == "stablehlo.reshape" ||
          isTorchView(op));
}

bool moe::isTextProduct(OperationName name) {
  return isStableHLOProduct(name) || isTorchProduct(name);
}

std::optional<DimMap> moe::getTextDimMap(Operation *op) {
  return isTorchFunction(op) ? getTorchDimMap(op) : getStableHLODimMap(op);
}
