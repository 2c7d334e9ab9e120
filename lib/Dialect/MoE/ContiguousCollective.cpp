// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives and their copies.

#include "moe/Dialect/MoE/ContiguousCollective.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "moe/Dialect/MoE/CarryOver.h"
#include "moe/Dialect/MoE/DimViews.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace moe;

bool moe::isOutermost(RankedTensorType type, int64_t dim) {
  return llvm::all_of(type.getShape().take_front(dim),
                      [](int64_t size) { return size == 1; });
}

bool moe::isReshape(Operation *op) {
  return isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
}

CollectiveCopies CollectiveCopies::of(Operation *op) {
  CollectiveCopies copies;
  auto isInner = [](Value value, int64_t dim) {
    return !isOutermost(cast<RankedTensorType>(value.getType()), dim);
  };
  if (auto gather = dyn_cast<AllGatherOp>(op)) {
    copies.unpacks = isInner(gather.getResult(), gather.getDim());
  } else if (auto scatter = dyn_cast<ReduceScatterOp>(op)) {
    copies.packs = isInner(scatter.getOperand(), scatter.getDim());
  } else if (auto exchange = dyn_cast<AllToAllOp>(op)) {
    copies.packs = isInner(exchange.getOperand(), exchange.getSplitDim());
    copies.unpacks = isInner(exchange.getResult(), exchange.getConcatDim());
  }
  if (!copies.packs && !copies.unpacks)
    return copies;
  FailureOr<int64_t> ranks =
      cast<CollectiveOpInterface>(op).getGroup().getGroupSize(op);
  return failed(ranks) || *ranks == 1 ? CollectiveCopies() : copies;
}

std::optional<ContiguousCollective> ContiguousCollective::find(Operation *op) {
  CollectiveCopies copies = CollectiveCopies::of(op);
  if (!copies.packs && !copies.unpacks)
    return std::nullopt;
  ContiguousCollective form(
      op, *cast<CollectiveOpInterface>(op).getGroup().getGroupSize(op));
  if (auto gather = dyn_cast<AllGatherOp>(op)) {
    form.unpackDim = gather.getDim();
    auto before = gather.getOperand().getDefiningOp<TransposeOp>();
    if (before && before->hasOneUse() && before->getBlock() == op->getBlock())
      form.transpose = before;
  } else if (auto scatter = dyn_cast<ReduceScatterOp>(op)) {
    form.packDim = scatter.getDim();
    if (scatter->hasOneUse()) {
      auto after = dyn_cast<TransposeOp>(*scatter->user_begin());
      if (after && after->getBlock() == op->getBlock())
        form.transpose = after;
    }
  } else {
    auto exchange = cast<AllToAllOp>(op);
    // The exchange itself uses dim 0, so it needs no copies.
    if (exchange.getSplitDim() != 0)
      form.packDim = exchange.getSplitDim();
    if (exchange.getConcatDim() != 0)
      form.unpackDim = exchange.getConcatDim();
  }
  return form;
}

Value ContiguousCollective::getSource() const {
  TransposeOp before = getTranspose(); // Accessors of ops are not const.
  if (before && isa<AllGatherOp>(op))
    return before.getOperand();
  return op->getOperand(0);
}

Value ContiguousCollective::getResult() const {
  TransposeOp behind = getTranspose();
  if (behind && !isa<AllGatherOp>(op))
    return behind.getResult();
  return op->getResult(0);
}

/// Returns the permutation of the absorbed transpose, or the identity without
/// one.
static SmallVector<int64_t> getPermutation(TransposeOp transpose,
                                           int64_t rank) {
  if (transpose)
    return llvm::to_vector(transpose.getPermutation());
  return llvm::to_vector(llvm::seq<int64_t>(0, rank));
}

Value ContiguousCollective::buildPack(OpBuilder &builder, Location loc,
                                      Value operand) const {
  int64_t rank = cast<RankedTensorType>(operand.getType()).getRank();
  Value view = cutDim(builder, loc, operand, *packDim, ranks);
  SmallVector<int64_t> permutation = {*packDim};
  for (int64_t dim : getPermutation(transpose, rank))
    permutation.push_back(dim + (dim >= *packDim));
  return joinDim(builder, loc,
                 TransposeOp::create(builder, loc, view, permutation), 0);
}

Value ContiguousCollective::buildCollective(OpBuilder &builder,
                                            Value operand) const {
  Location loc = op->getLoc();
  Operation *made;
  if (auto gather = dyn_cast<AllGatherOp>(op)) {
    made =
        AllGatherOp::create(builder, loc, operand, gather.getGroup(), 0, ranks);
  } else if (auto scatter = dyn_cast<ReduceScatterOp>(op)) {
    made = ReduceScatterOp::create(builder, loc, operand, scatter.getGroup(), 0,
                                   scatter.getReduction(), ranks);
  } else {
    auto exchange = cast<AllToAllOp>(op);
    made = AllToAllOp::create(builder, loc, operand, exchange.getGroup(), 0, 0,
                              ranks);
  }
  carryOver(op, made);
  return made->getResult(0);
}

Value ContiguousCollective::buildUnpack(OpBuilder &builder, Location loc,
                                        Value gathered) const {
  int64_t rank = cast<RankedTensorType>(gathered.getType()).getRank();
  Value view = cutDim(builder, loc, gathered, 0, ranks);
  SmallVector<int64_t> permutation;
  for (auto [i, dim] : llvm::enumerate(getPermutation(transpose, rank))) {
    if (static_cast<int64_t>(i) == *unpackDim)
      permutation.push_back(0);
    permutation.push_back(dim + 1);
  }
  return joinDim(builder, loc,
                 TransposeOp::create(builder, loc, view, permutation),
                 *unpackDim);
}

//===----------------------------------------------------------------------===//
// The normal form
//===----------------------------------------------------------------------===//

LogicalResult moe::verifyContiguous(Operation *op) {
  CollectiveCopies copies = CollectiveCopies::of(op);
  if (!copies.packs && !copies.unpacks)
    return success();
  InFlightDiagnostic diag = op->emitOpError()
                            << "expected a collective of contiguous blocks, "
                               "along the outermost dim, got one that ";
  if (auto exchange = dyn_cast<AllToAllOp>(op)) {
    if (copies.packs)
      diag << "cuts dim " << exchange.getSplitDim();
    else
      diag << "joins dim " << exchange.getConcatDim();
  } else if (auto gather = dyn_cast<AllGatherOp>(op)) {
    diag << "joins dim " << gather.getDim();
  } else {
    diag << "cuts dim " << cast<ReduceScatterOp>(op).getDim();
  }
  Value value = copies.packs ? op->getOperand(0) : op->getResult(0);
  return diag << " of " << value.getType()
              << "; moe-make-collectives-contiguous puts the copies around it";
}

static void makeContiguous(Operation *op) {
  ContiguousCollective form = *ContiguousCollective::find(op);
  OpBuilder builder(op);
  Value value = form.getSource();
  if (form.packs())
    value = form.buildPack(builder, op->getLoc(), value);
  value = form.buildCollective(builder, value);
  if (form.unpacks())
    value = form.buildUnpack(builder, op->getLoc(), value);
  Value result = form.getResult();
  result.replaceAllUsesWith(value);
  // Either the transpose is the only user of the collective, or the collective
  // is the only user of the transpose.
  TransposeOp transpose = form.getTranspose();
  bool isBehind = result.getDefiningOp() != op;
  if (isBehind)
    transpose.erase();
  op->erase();
  if (transpose && !isBehind)
    transpose.erase();
}

/// Returns true if dims of a tensor can be cut and joined because all its
/// elements can be counted.
static bool isCountable(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t count = 1;
  return type.hasStaticShape() &&
         llvm::none_of(type.getShape(), [&](int64_t size) {
           return llvm::MulOverflow(count, size, count);
         });
}

int64_t moe::makeCollectivesContiguous(Operation *root) {
  SmallVector<Operation *> ops;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<PipelineOp>(op))
      return WalkResult::skip();
    if (!isa<CollectiveOpInterface>(op))
      return WalkResult::advance();
    CollectiveCopies copies = CollectiveCopies::of(op);
    if ((copies.packs || copies.unpacks) && isCountable(op->getOperand(0)) &&
        isCountable(op->getResult(0)))
      ops.push_back(op);
    return WalkResult::advance();
  });
  for (Operation *op : ops)
    makeContiguous(op);
  return ops.size();
}
