// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes ops on rows of fewer bits.
//
// Only on numbers; on terms, these ops are unknown functions of each row.

#include "ExecutorImpl.h"
#include "Scalars.h"
#include "moe/Interpreter/Rounding.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace moe;

/// The largest finite number of e4m3.
constexpr float kLargest = 448;

/// Calls `body(begin, end, scale)` with the cells of each block of rows and the
/// number of its scale.
static void forBlocks(const LocalTensor &rows, int64_t block,
                      function_ref<void(int64_t, int64_t, int64_t)> body) {
  int64_t hidden = rows.getDimSize(1), scale = 0;
  for (int64_t row = 0; row < rows.getDimSize(0); ++row)
    for (int64_t at = 0; at < hidden; at += std::min(block, hidden - at))
      body(row * hidden + at, row * hidden + at + std::min(block, hidden - at),
           scale++);
}

LogicalResult ExecutorImpl::runQuantize(QuantizeOp op, int64_t rank,
                                        const LocalTensor &x,
                                        MutableArrayRef<LocalTensor> results) {
  int64_t hidden = x.getDimSize(1), block = op.getBlock();
  auto values = allocateResult(op, 0, rank, {x.getDimSize(0), hidden});
  auto scales = allocateResult(
      op, 1, rank, {x.getDimSize(0), llvm::divideCeilSigned(hidden, block)});
  if (failed(values) || failed(scales))
    return failure();
  Rounder round(Float8E4M3FNType::get(op.getContext()));
  MutableArrayRef<Cell> to = values->getMutableCells();
  MutableArrayRef<Cell> scaleTo = scales->getMutableCells();
  forBlocks(x, block, [&](int64_t begin, int64_t end, int64_t number) {
    float most = 0;
    bool isFinite = true;
    for (Cell cell : x.getCells().slice(begin, end - begin)) {
      auto value = static_cast<float>(toDouble(cell));
      isFinite &= std::isfinite(value);
      most = std::max(most, std::fabs(value));
    }
    float scale = isFinite ? std::max(most / kLargest, 0x1p-126f)
                           : std::numeric_limits<float>::quiet_NaN();
    scaleTo[number] = fromDouble(scale);
    for (int64_t i = begin; i < end; ++i) {
      float value = static_cast<float>(toDouble(x.getCells()[i])) / scale;
      to[i] =
          fromDouble(isFinite ? round(std::clamp(value, -kLargest, kLargest))
                              : std::numeric_limits<double>::quiet_NaN());
    }
  });
  results[0] = *values;
  results[1] = *scales;
  return success();
}

LogicalResult ExecutorImpl::runDequantize(DequantizeOp op, int64_t rank,
                                          ArrayRef<LocalTensor> operands,
                                          LocalTensor &result) {
  const LocalTensor &values = operands[0], &scales = operands[1];
  int64_t blocks = llvm::divideCeilSigned(values.getDimSize(1), op.getBlock());
  if (failed(verifySize(op, rank, "the rows of scales", scales.getDimSize(0),
                        values.getDimSize(0))) ||
      failed(verifySize(op, rank, "the scales of a row", scales.getDimSize(1),
                        blocks)))
    return failure();
  auto tensor = allocateResult(op, 0, rank, values.getShape());
  if (failed(tensor))
    return failure();
  Rounder round(cast<FloatType>(
      cast<RankedTensorType>(op.getResult().getType()).getElementType()));
  MutableArrayRef<Cell> to = tensor->getMutableCells();
  forBlocks(
      values, op.getBlock(), [&](int64_t begin, int64_t end, int64_t number) {
        auto scale = static_cast<float>(toDouble(scales.getCells()[number]));
        for (int64_t i = begin; i < end; ++i) {
          auto value = static_cast<float>(toDouble(values.getCells()[i]));
          to[i] = fromDouble(round(value * scale));
        }
      });
  result = *tensor;
  return success();
}
