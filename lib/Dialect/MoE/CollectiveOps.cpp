// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives.

#include "mlir/IR/PatternMatch.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"
#include "moe/Dialect/MoE/Shapes.h"

using namespace mlir;
using namespace moe;

StringRef moe::stringifyCollectiveKind(CollectiveKind kind) {
  switch (kind) {
  case CollectiveKind::AllToAll:
    return "all_to_all";
  case CollectiveKind::RaggedAllToAll:
    return "ragged_all_to_all";
  case CollectiveKind::AllGather:
    return "all_gather";
  case CollectiveKind::ReduceScatter:
    return "reduce_scatter";
  case CollectiveKind::AllReduce:
    return "all_reduce";
  case CollectiveKind::CollectivePermute:
    return "collective_permute";
  }
  llvm_unreachable("unknown collective");
}

//===----------------------------------------------------------------------===//
// AllToAllOp
//===----------------------------------------------------------------------===//

LogicalResult AllToAllOp::verify() {
  auto type = cast<RankedTensorType>(getOperand().getType());
  return success(succeeded(verifyDim(*this, type, getSplitDim(), "split")) &&
                 succeeded(verifyDim(*this, type, getConcatDim(), "concat")));
}

LogicalResult AllToAllOp::verifySymbolUses(SymbolTableCollection &) {
  auto type = cast<RankedTensorType>(getOperand().getType());
  FailureOr<int64_t> size = verifyGroup(*this, getGroup());
  if (failed(size))
    return failure();
  if (failed(inferScatteredType(type, getSplitDim(), *size)))
    return emitOpError() << "expected split dim " << getSplitDim()
                         << " to divide by the " << *size
                         << " ranks of the group, got "
                         << type.getDimSize(getSplitDim());
  FailureOr<RankedTensorType> expected =
      inferAllToAllType(type, getSplitDim(), getConcatDim(), *size);
  if (failed(expected))
    return emitOpError() << "size of concat dim " << getConcatDim()
                         << " overflows";
  if (failed(verifyType(*this, *expected, getType())))
    return failure();
  return verifyJoined(*this, getType(), getConcatDim(), *size);
}

OpFoldResult AllToAllOp::fold(FoldAdaptor) {
  if (isOneRank(*this, getGroup(), getOperand(), getResult()))
    return foldTo(*this, getOperand());
  // all_to_all(c, s) inverts all_to_all(s, c).
  auto inner = getOperand().getDefiningOp<AllToAllOp>();
  if (inner && inner.getGroup() == getGroup() &&
      inner.getSplitDim() == getConcatDim() &&
      inner.getConcatDim() == getSplitDim() &&
      inner.getOperand().getType() == getType())
    return foldTo(*this, inner.getOperand());
  return {};
}

LogicalResult AllToAllOp::canonicalize(AllToAllOp op,
                                       PatternRewriter &rewriter) {
  return normalizeGroup(op, rewriter);
}

void AllToAllOp::build(OpBuilder &builder, OperationState &state, Value operand,
                       GroupAttrInterface group, int64_t splitDim,
                       int64_t concatDim, int64_t groupSize) {
  FailureOr<RankedTensorType> type =
      inferAllToAllType(cast<RankedTensorType>(operand.getType()), splitDim,
                        concatDim, groupSize);
  assert(succeeded(type) && "all_to_all of a dim that does not divide");
  build(builder, state, *type, operand, group, splitDim, concatDim);
}

FailureOr<int64_t> AllToAllOp::getSendBytes() {
  return moe::getSendBytes(*this);
}

FailureOr<Value> AllToAllOp::buildTranspose(OpBuilder &builder,
                                            Value cotangent) {
  return AllToAllOp::create(builder, getLoc(), getOperand().getType(),
                            cotangent, getGroup(), getConcatDim(),
                            getSplitDim())
      .getResult();
}

DimMap AllToAllOp::getDimMap() {
  return linkAllBut(*this, {getSplitDim(), getConcatDim()});
}

//===----------------------------------------------------------------------===//
// RaggedAllToAllOp
//===----------------------------------------------------------------------===//

LogicalResult RaggedAllToAllOp::verify() {
  auto type = cast<RankedTensorType>(getOperand().getType());
  auto init = cast<RankedTensorType>(getInit().getType());
  if (type.getRank() < 1)
    return emitOpError() << "expected an operand of rank at least 1, got "
                         << type;
  if (type.getRank() != init.getRank() ||
      type.getElementType() != init.getElementType())
    return emitOpError() << "expected init to have the operand's rank and "
                            "element type, got "
                         << init << " for " << type;
  for (int64_t d = 1; d < type.getRank(); ++d)
    if (!areCompatible(type.getDimSize(d), init.getDimSize(d)))
      return emitOpError() << "expected init to have size "
                           << type.getDimSize(d) << " in dim " << d << ", got "
                           << init.getDimSize(d);
  return success();
}

LogicalResult RaggedAllToAllOp::verifySymbolUses(SymbolTableCollection &) {
  FailureOr<int64_t> size = verifyGroup(*this, getGroup());
  if (failed(size))
    return failure();
  auto vector = cast<RankedTensorType>(getSendOffsets().getType());
  if (vector.getRank() != 1 || !areCompatible(vector.getDimSize(0), *size))
    return emitOpError() << "expected offsets and sizes to be vectors of "
                         << *size << " integers, one per rank of the group, "
                         << "got " << vector;
  return success();
}

LogicalResult RaggedAllToAllOp::canonicalize(RaggedAllToAllOp op,
                                             PatternRewriter &rewriter) {
  return normalizeGroup(op, rewriter);
}

FailureOr<int64_t> RaggedAllToAllOp::getSendBytes() {
  return moe::getSendBytes(*this);
}

FailureOr<Value> RaggedAllToAllOp::buildTranspose(OpBuilder &, Value) {
  return failure();
}

DimMap RaggedAllToAllOp::getDimMap() {
  DimMap map;
  auto type = cast<RankedTensorType>(getType());
  for (unsigned operand : {0u, 1u})
    for (unsigned d = 1; d < type.getRank(); ++d)
      map.links.push_back({operand, d, 0, d});
  return map;
}

//===----------------------------------------------------------------------===//
// AllGatherOp
//===----------------------------------------------------------------------===//

LogicalResult AllGatherOp::verify() {
  return verifyDim(*this, cast<RankedTensorType>(getOperand().getType()),
                   getDim(), "dim");
}

LogicalResult AllGatherOp::verifySymbolUses(SymbolTableCollection &) {
  auto type = cast<RankedTensorType>(getOperand().getType());
  FailureOr<int64_t> size = verifyGroup(*this, getGroup());
  if (failed(size))
    return failure();
  FailureOr<RankedTensorType> expected =
      inferGatheredType(type, getDim(), *size);
  if (failed(expected))
    return emitOpError() << "size of dim " << getDim() << " overflows";
  if (failed(verifyType(*this, *expected, getType())))
    return failure();
  return verifyJoined(*this, getType(), getDim(), *size);
}

OpFoldResult AllGatherOp::fold(FoldAdaptor) {
  if (isOneRank(*this, getGroup(), getOperand(), getResult()))
    return foldTo(*this, getOperand());
  return {};
}

LogicalResult AllGatherOp::canonicalize(AllGatherOp op,
                                        PatternRewriter &rewriter) {
  return normalizeGroup(op, rewriter);
}

void AllGatherOp::build(OpBuilder &builder, OperationState &state,
                        Value operand, GroupAttrInterface group, int64_t dim,
                        int64_t groupSize) {
  FailureOr<RankedTensorType> type = inferGatheredType(
      cast<RankedTensorType>(operand.getType()), dim, groupSize);
  assert(succeeded(type) && "all_gather of a dim out of range");
  build(builder, state, *type, operand, group, dim);
}

FailureOr<int64_t> AllGatherOp::getSendBytes() {
  return moe::getSendBytes(*this);
}

FailureOr<Value> AllGatherOp::buildTranspose(OpBuilder &builder,
                                             Value cotangent) {
  return ReduceScatterOp::create(builder, getLoc(), getOperand().getType(),
                                 cotangent, getGroup(), getDim(),
                                 Reduction::Sum)
      .getResult();
}

DimMap AllGatherOp::getDimMap() { return linkAllBut(*this, {getDim()}); }

//===----------------------------------------------------------------------===//
// ReduceScatterOp
//===----------------------------------------------------------------------===//

LogicalResult ReduceScatterOp::verify() {
  return verifyDim(*this, cast<RankedTensorType>(getOperand().getType()),
                   getDim(), "dim");
}

LogicalResult ReduceScatterOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyScattered(*this, getOperand(), getResult(), getDim(),
                         getGroup());
}

OpFoldResult ReduceScatterOp::fold(FoldAdaptor) {
  if (isOneRank(*this, getGroup(), getOperand(), getResult()))
    return foldTo(*this, getOperand());
  return {};
}

LogicalResult ReduceScatterOp::canonicalize(ReduceScatterOp op,
                                            PatternRewriter &rewriter) {
  return normalizeGroup(op, rewriter);
}

void ReduceScatterOp::build(OpBuilder &builder, OperationState &state,
                            Value operand, GroupAttrInterface group,
                            int64_t dim, Reduction reduction,
                            int64_t groupSize) {
  FailureOr<RankedTensorType> type = inferScatteredType(
      cast<RankedTensorType>(operand.getType()), dim, groupSize);
  assert(succeeded(type) && "reduce_scatter of a dim that does not divide");
  build(builder, state, *type, operand, group, dim, reduction);
}

FailureOr<int64_t> ReduceScatterOp::getSendBytes() {
  return moe::getSendBytes(*this);
}

FailureOr<Value> ReduceScatterOp::buildTranspose(OpBuilder &builder,
                                                 Value cotangent) {
  if (getReduction() != Reduction::Sum)
    return failure();
  return AllGatherOp::create(builder, getLoc(), getOperand().getType(),
                             cotangent, getGroup(), getDim())
      .getResult();
}

DimMap ReduceScatterOp::getDimMap() { return linkAllBut(*this, {getDim()}); }

//===----------------------------------------------------------------------===//
// AllReduceOp
//===----------------------------------------------------------------------===//

LogicalResult AllReduceOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyGroup(*this, getGroup());
}

OpFoldResult AllReduceOp::fold(FoldAdaptor) {
  if (isOneRank(*this, getGroup(), getOperand(), getResult()))
    return foldTo(*this, getOperand());
  return {};
}

LogicalResult AllReduceOp::canonicalize(AllReduceOp op,
                                        PatternRewriter &rewriter) {
  return normalizeGroup(op, rewriter);
}

FailureOr<int64_t> AllReduceOp::getSendBytes() {
  return moe::getSendBytes(*this);
}

FailureOr<Value> AllReduceOp::buildTranspose(OpBuilder &builder,
                                             Value cotangent) {
  if (getReduction() != Reduction::Sum)
    return failure();
  return AllReduceOp::create(builder, getLoc(), getOperand().getType(),
                             cotangent, getGroup(), Reduction::Sum)
      .getResult();
}

DimMap AllReduceOp::getDimMap() { return linkAllBut(*this, {}); }

//===----------------------------------------------------------------------===//
// CollectivePermuteOp
//===----------------------------------------------------------------------===//

LogicalResult CollectivePermuteOp::verify() {
  if (getFrom().size() != getTo().size())
    return emitOpError() << "expected as many positions in to as in from, "
                         << getFrom().size() << ", got " << getTo().size();
  return success();
}

LogicalResult CollectivePermuteOp::verifySymbolUses(SymbolTableCollection &) {
  FailureOr<int64_t> size = verifyGroup(*this, getGroup());
  if (failed(size))
    return failure();
  for (auto [name, positions] :
       {std::pair("from", getFrom()), std::pair("to", getTo())}) {
    llvm::SmallDenseSet<int64_t> seen;
    for (int64_t position : positions) {
      if (position < 0 || position >= *size)
        return emitOpError() << "expected positions in [0, " << *size << ") in "
                             << name << ", got " << position;
      if (!seen.insert(position).second)
        return emitOpError() << "expected each position once in " << name
                             << ", got " << position << " twice";
    }
  }
  return success();
}

OpFoldResult CollectivePermuteOp::fold(FoldAdaptor) {
  // Every rank keeps its own data.
  if (reachesAll() && getFrom() == getTo())
    return foldTo(*this, getOperand());
  return {};
}

FailureOr<int64_t> CollectivePermuteOp::getSendBytes() {
  return moe::getSendBytes(*this);
}

FailureOr<Value> CollectivePermuteOp::buildTranspose(OpBuilder &builder,
                                                     Value cotangent) {
  return CollectivePermuteOp::create(builder, getLoc(), cotangent.getType(),
                                     cotangent, getGroup(), getTo(), getFrom())
      .getResult();
}

DimMap CollectivePermuteOp::getDimMap() { return linkAllBut(*this, {}); }
