// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dense parts of models and their gradients.

#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/Shapes.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace moe;

//===----------------------------------------------------------------------===//
// Dense parts
//===----------------------------------------------------------------------===//

/// Verifies the common properties of the three ops.
template <typename OpT> static LogicalResult verifyDense(OpT op, Value rows) {
  if (op.getName().empty())
    return op.emitOpError() << "expected a name that is not empty";
  if (failed(verifyTensorRank(op, "rows", rows, 2)))
    return failure();
  if (op.getMacs() < 0)
    return op.emitOpError()
           << "expected macs of at least 0, got " << op.getMacs();
  if (op.getGemms() < 1)
    return op.emitOpError()
           << "expected gemms of at least 1, got " << op.getGemms();
  for (auto [what, count] : {std::pair("sequences", op.getSequences()),
                             std::pair("shards", op.getShards())})
    if (count < 1)
      return op.emitOpError()
             << "expected " << what << " of at least 1, got " << count;
  int64_t numRows = tensorOf(rows).getDimSize(0), pieces = 1;
  if (llvm::MulOverflow(op.getSequences(), op.getShards(), pieces) ||
      (!ShapedType::isDynamic(numRows) && numRows % pieces != 0))
    return op.emitOpError()
           << "expected sequences times shards to divide the number of rows, "
           << numRows << ", got " << op.getSequences() << " times "
           << op.getShards();
  if (std::optional<APFloat> us = op.getUs()) {
    double time = us->convertToDouble();
    if (!std::isfinite(time) || time < 0)
      return op.emitOpError()
             << "expected finite us of at least 0, got " << time;
  }
  return success();
}

template <typename OpT> static LogicalResult verifyParts(OpT op) {
  if (op.getParts() >= 1)
    return success();
  return op.emitOpError() << "expected parts of at least 1, got "
                          << op.getParts();
}

/// Rows of a sequence depend on each other, so the token dims are touched.
static DimMap mapDense(unsigned numOperands, unsigned resultDim) {
  DimMap map;
  for (unsigned i = 0; i < numOperands; ++i)
    map.opaqueOperandDims.push_back({i, 1});
  map.opaqueResultDims.push_back({0, resultDim});
  return map;
}

LogicalResult DenseOp::verify() {
  if (failed(verifyDense(*this, getOperand())))
    return failure();
  return verifyParts(*this);
}

DimMap DenseOp::getDimMap() { return mapDense(1, 1); }

LogicalResult DenseDgradOp::verify() {
  if (failed(verifyDense(*this, getTokens())))
    return failure();
  return verifyParts(*this);
}

DimMap DenseDgradOp::getDimMap() { return mapDense(2, 1); }

LogicalResult DenseWgradOp::verify() {
  if (failed(verifyDense(*this, getTokens())) ||
      failed(verifyTensorRank(*this, "the result", getResult(), 1)))
    return failure();
  RankedTensorType tokens = tensorOf(getTokens());
  if (tensorOf(getResult()).getElementType().isF32() &&
      tokens.getElementTypeBitWidth() < 32)
    return success();
  return verifyElements(*this, "the result", getResult(),
                        tokens.getElementType());
}

DimMap DenseWgradOp::getDimMap() { return mapDense(2, 0); }
