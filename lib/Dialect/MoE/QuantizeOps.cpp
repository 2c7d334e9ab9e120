// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows with fewer bits per element.

#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/Shapes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace moe;

/// Verifies rows, and the same rows as e4m3 with the scales of their blocks.
static LogicalResult verifyBlocks(Operation *op, StringRef what, Value rows,
                                  Value values, Value scales, int64_t block) {
  if (failed(verifyTensorRank(op, what, rows, 2)) ||
      failed(verifyTensorRank(op, "values", values, 2)) ||
      failed(verifyTensorRank(op, "scales", scales, 2)))
    return failure();
  if (block < 1)
    return op->emitOpError()
           << "expected blocks of at least one element, got " << block;
  RankedTensorType type = tensorOf(rows);
  Type element = type.getElementType();
  if (!element.isF32() && !element.isF16() && !element.isBF16())
    return op->emitOpError()
           << "expected " << what << " of f32, f16 or bf16, got " << element;
  if (type.isDynamicDim(1))
    return op->emitOpError()
           << "expected rows of a static length, got " << type;
  MLIRContext *context = op->getContext();
  int64_t hidden = type.getDimSize(1);
  if (failed(verifyElements(op, "values", values,
                            Float8E4M3FNType::get(context))) ||
      failed(verifyElements(op, "scales", scales, Float32Type::get(context))))
    return failure();
  for (auto [name, other, size] :
       {std::tuple(StringRef("values"), values, hidden),
        std::tuple(StringRef("scales"), scales,
                   llvm::divideCeilSigned(hidden, block))})
    if (failed(verifyDimSize(op, name, other, 0, type.getDimSize(0))) ||
        failed(verifyDimSize(op, name, other, 1, size)))
      return failure();
  return success();
}

LogicalResult QuantizeOp::verify() {
  return verifyBlocks(*this, "x", getX(), getValues(), getScales(), getBlock());
}

LogicalResult DequantizeOp::verify() {
  return verifyBlocks(*this, "the result", getResult(), getValues(),
                      getScales(), getBlock());
}

/// Each row is converted independently and as a whole.
DimMap QuantizeOp::getDimMap() {
  DimMap map;
  map.links = {{0, 0, 0, 0}, {0, 0, 1, 0}};
  map.opaqueOperandDims = {{0, 1}};
  map.opaqueResultDims = {{0, 1}, {1, 1}};
  map.isPartwise = true;
  return map;
}

DimMap DequantizeOp::getDimMap() {
  DimMap map;
  map.links = {{0, 0, 0, 0}, {1, 0, 0, 0}};
  map.opaqueOperandDims = {{0, 1}, {1, 1}};
  map.opaqueResultDims = {{0, 1}};
  map.isPartwise = true;
  return map;
}
