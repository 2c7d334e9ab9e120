// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ragged all-to-alls that permute tensors among ranks, or that move nothing.

#include "moe/Dialect/MoE/RaggedPermute.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "moe/Dialect/MoE/CarryOver.h"
#include "moe/Dialect/MoE/ContiguousCollective.h"
#include "moe/Dialect/MoE/LiveOut.h"
#include "moe/Dialect/MoE/Shapes.h"

using namespace mlir;
using namespace moe;

RaggedAllToAllOp
moe::buildRaggedPermute(OpBuilder &builder, OpBuilder &sizesBuilder,
                        Location loc, GetPartLoc getPartLoc, Value rows,
                        GroupAttrInterface group, int64_t groupSize,
                        ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  OpBuilder &b = sizesBuilder;
  auto type = cast<RankedTensorType>(rows.getType());
  auto count = static_cast<int32_t>(type.getDimSize(0));
  auto vector = RankedTensorType::get({groupSize}, b.getI32Type());
  // Builds a table with the rows between each position and its peers, row by
  // row, and selects this rank's row.
  auto makeSizes = [&](ArrayRef<int64_t> own,
                       ArrayRef<int64_t> other) -> Value {
    SmallVector<int32_t> table(groupSize * groupSize, 0);
    for (auto [position, peer] : llvm::zip_equal(own, other))
      table[position * groupSize + peer] = count;
    Location at = getPartLoc("sizes");
    Value all = arith::ConstantOp::create(
        b, at,
        DenseElementsAttr::get(
            RankedTensorType::get({groupSize, groupSize}, b.getI32Type()),
            ArrayRef<int32_t>(table)));
    Value mine = DropOp::create(b, at, all, group, /*dim=*/0, groupSize);
    return tensor::CollapseShapeOp::create(
        b, at, vector, mine, SmallVector<ReassociationIndices>{{0, 1}});
  };
  Value offsets = arith::ConstantOp::create(
      b, getPartLoc("offsets"),
      DenseElementsAttr::get(vector, b.getI32IntegerAttr(0)));
  Value sent = makeSizes(from, to), received = makeSizes(to, from);
  Value init = arith::ConstantOp::create(
      b, getPartLoc("init"),
      DenseElementsAttr::get(type, b.getZeroAttr(type.getElementType())));
  return RaggedAllToAllOp::create(builder, loc, type, rows, init, offsets, sent,
                                  offsets, received, group);
}

LogicalResult moe::expandPermutes(Operation *function) {
  SmallVector<CollectivePermuteOp> permutes;
  function->walk([&](CollectivePermuteOp op) { permutes.push_back(op); });
  for (CollectivePermuteOp op : permutes) {
    auto type = cast<RankedTensorType>(op.getType());
    FailureOr<int64_t> size = op.getGroup().getGroupSize(op);
    if (!type.hasStaticShape() || failed(size))
      return op.emitOpError()
             << "cannot be put on streams: expected a static shape, got "
             << type;
    OpBuilder builder(op);
    Block *body =
        &op->getParentOfType<FunctionOpInterface>().getFunctionBody().front();
    OpBuilder atEntry = OpBuilder::atBlockBegin(body);
    Value rows = op.getOperand();
    bool isScalar = type.getRank() == 0;
    if (isScalar)
      rows =
          tensor::ExpandShapeOp::create(builder, op.getLoc(), type.clone({1}),
                                        rows, ArrayRef<ReassociationIndices>());
    RaggedAllToAllOp made = buildRaggedPermute(
        builder, atEntry, op.getLoc(), [&](StringRef) { return op.getLoc(); },
        rows, op.getGroup(), *size, op.getFrom(), op.getTo());
    carryOver(op, made);
    Value result = made.getResult();
    if (isScalar)
      result = tensor::CollapseShapeOp::create(
          builder, op.getLoc(), type, result, ArrayRef<ReassociationIndices>());
    op.getResult().replaceAllUsesWith(result);
    op.erase();
  }
  return success();
}

/// Returns true if offsets of the only rank of a group are zeros: its plans
/// make no others, also in slices, reshapes and joins of chunks.
static bool areFirstRows(Value offsets) {
  offsets = getLiveOut(offsets);
  if (matchPattern(offsets, m_Zero()))
    return true;
  if (auto argument = dyn_cast<BlockArgument>(offsets)) {
    auto pipeline = dyn_cast<PipelineOp>(argument.getOwner()->getParentOp());
    return pipeline &&
           areFirstRows(pipeline->getOperand(argument.getArgNumber()));
  }
  Operation *op = offsets.getDefiningOp();
  if (isa<PipelineOp>(op))
    return areFirstRows(op->getRegion(0).front().getTerminator()->getOperand(
        cast<OpResult>(offsets).getResultNumber()));
  if (auto plan = dyn_cast<RaggedPlanOp>(op)) {
    FailureOr<int64_t> size = plan.getGroup().getGroupSize(plan);
    return succeeded(size) && *size == 1 &&
           (offsets == plan.getSendOffsets() ||
            offsets == plan.getRecvOffsets());
  }
  if (auto join = dyn_cast<AssembleOp>(op))
    return llvm::all_of(join.getParts(), areFirstRows);
  return (isa<tensor::ExtractSliceOp>(op) || isReshape(op)) &&
         areFirstRows(op->getOperand(0));
}

/// Returns the first rows of an exchange's operand as its result, which has
/// more or fewer rows if a chunk has fewer tokens than the largest one, whose
/// number of rows all chunks have.
static Value takeFirstRows(RaggedAllToAllOp op) {
  Value rows = op.getOperand();
  auto from = cast<RankedTensorType>(rows.getType()),
       to = cast<RankedTensorType>(op.getResult().getType());
  if (from == to)
    return rows;
  OpBuilder builder(op);
  bool isLonger = to.getDimSize(0) > from.getDimSize(0);
  SmallVector<OpFoldResult> offsets(to.getRank(), builder.getIndexAttr(0)),
      ones(to.getRank(), builder.getIndexAttr(1)),
      sizes = tensor::getMixedSizes(builder, op.getLoc(),
                                    isLonger ? rows : op.getInit());
  if (isLonger)
    return tensor::InsertSliceOp::create(builder, op.getLoc(), rows,
                                         op.getInit(), offsets, sizes, ones);
  return tensor::ExtractSliceOp::create(builder, op.getLoc(), to, rows, offsets,
                                        sizes, ones);
}

void moe::foldOneRankExchanges(Operation *function) {
  SmallVector<RaggedAllToAllOp> folded;
  function->walk([&](RaggedAllToAllOp op) {
    auto from = cast<RankedTensorType>(op.getOperand().getType()),
         to = cast<RankedTensorType>(op.getResult().getType());
    FailureOr<int64_t> size = op.getGroup().getGroupSize(op);
    // Rows of an empty tensor that are not written may have any value.
    if (succeeded(size) && *size == 1 &&
        (from == to || (from.hasStaticShape() && to.hasStaticShape())) &&
        op.getInit().getDefiningOp<tensor::EmptyOp>() &&
        areFirstRows(op.getSendOffsets()) && areFirstRows(op.getRecvOffsets()))
      folded.push_back(op);
  });
  for (RaggedAllToAllOp op : folded) {
    op.getResult().replaceAllUsesWith(takeFirstRows(op));
    op.erase();
  }
}
