// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention with sequences on several ranks.
//
// Ranks along cp share sequences. The attention of each rank's tokens reads
// keys and values of all tokens, so these are gathered: some columns of the
// rows represent them, as many as they are wide, in pieces no wider than a row.
// The computation of the scores is not modelled; so that the result depends on
// data from other ranks, the first of the gathered parts replaces the rank's
// own. Backward, a reduce_scatter sums the ranks' gradients of the keys and
// values on the ranks that own them.

#include "ModuleBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace moe;

/// Returns `count` columns of rows [S, M], starting at `from`.
static Value sliceColumns(OpBuilder &b, Location loc, Value rows, int64_t from,
                          int64_t count) {
  auto type = cast<RankedTensorType>(rows.getType());
  if (count == type.getDimSize(1))
    return rows;
  return tensor::ExtractSliceOp::create(
      b, loc, rows,
      SmallVector<OpFoldResult>{b.getIndexAttr(0), b.getIndexAttr(from)},
      SmallVector<OpFoldResult>{b.getIndexAttr(type.getDimSize(0)),
                                b.getIndexAttr(count)},
      SmallVector<OpFoldResult>(2, b.getIndexAttr(1)));
}

/// Replaces the first columns of rows.
static Value replaceColumns(OpBuilder &b, Location loc, Value rows,
                            Value first) {
  auto type = cast<RankedTensorType>(rows.getType());
  int64_t width = cast<RankedTensorType>(first.getType()).getDimSize(1);
  if (width == type.getDimSize(1))
    return first;
  Value rest = sliceColumns(b, loc, rows, width, type.getDimSize(1) - width);
  return AssembleOp::create(b, loc, type, ValueRange{first, rest}, /*dim=*/1);
}

Value ModuleBuilder::gatherContext(Value rows, ArrayRef<int64_t> widths,
                                   StringRef name) {
  int64_t numRows = cast<RankedTensorType>(rows.getType()).getDimSize(0);
  for (int64_t width : widths) {
    Location place = loc("." + name + ".context");
    Value own = sliceColumns(b, place, rows, 0, width);
    Value all = AllGatherOp::create(b, loc("." + name + ".context.gather"), own,
                                    group({"cp"}), /*dim=*/0, layout.cp);
    Value first = tensor::ExtractSliceOp::create(
        b, place, all, SmallVector<OpFoldResult>(2, b.getIndexAttr(0)),
        SmallVector<OpFoldResult>{b.getIndexAttr(numRows),
                                  b.getIndexAttr(width)},
        SmallVector<OpFoldResult>(2, b.getIndexAttr(1)));
    rows = replaceColumns(b, place, rows, first);
  }
  return rows;
}

Value ModuleBuilder::gatherContextGradient(Value cotangent,
                                           ArrayRef<int64_t> widths,
                                           StringRef name) {
  int64_t numRows = cast<RankedTensorType>(cotangent.getType()).getDimSize(0);
  for (int64_t width : llvm::reverse(widths)) {
    Location place = loc("." + name + ".context");
    Value first = sliceColumns(b, place, cotangent, 0, width);
    RankedTensorType others = tensor({(layout.cp - 1) * numRows, width});
    Value zeros = arith::ConstantOp::create(
        b, place, DenseElementsAttr::get(others, b.getZeroAttr(elementType)));
    Value all =
        AssembleOp::create(b, place, tensor({layout.cp * numRows, width}),
                           ValueRange{first, zeros}, /*dim=*/0);
    Value own = ReduceScatterOp::create(b, loc("." + name + ".context.reduce"),
                                        all, group({"cp"}), /*dim=*/0,
                                        Reduction::Sum, layout.cp);
    cotangent = replaceColumns(b, place, cotangent, own);
  }
  return cotangent;
}
