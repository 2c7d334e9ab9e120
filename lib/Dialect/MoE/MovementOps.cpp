// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that move local data.

#include "mlir/IR/PatternMatch.h"
#include "moe/Dialect/MoE/CarryOver.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/Shapes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace moe;

//===----------------------------------------------------------------------===//
// DropOp
//===----------------------------------------------------------------------===//

LogicalResult DropOp::verify() {
  return verifyDim(*this, cast<RankedTensorType>(getOperand().getType()),
                   getDim(), "dim");
}

LogicalResult DropOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyScattered(*this, getOperand(), getResult(), getDim(),
                         getGroup());
}

OpFoldResult DropOp::fold(FoldAdaptor) {
  if (isOneRank(*this, getGroup(), getOperand(), getResult()))
    return foldTo(*this, getOperand());
  // drop(all_gather(x)) = x, because each rank's block of the gathered data is
  // its own data.
  if (auto gather = getOperand().getDefiningOp<AllGatherOp>())
    if (gather.getGroup() == getGroup() && gather.getDim() == getDim() &&
        gather.getOperand().getType() == getType())
      return foldTo(*this, gather.getOperand());
  return {};
}

LogicalResult DropOp::canonicalize(DropOp op, PatternRewriter &rewriter) {
  return normalizeGroup(op, rewriter);
}

void DropOp::build(OpBuilder &builder, OperationState &state, Value operand,
                   GroupAttrInterface group, int64_t dim, int64_t groupSize) {
  FailureOr<RankedTensorType> type = inferScatteredType(
      cast<RankedTensorType>(operand.getType()), dim, groupSize);
  assert(succeeded(type) && "drop of a dim that does not divide");
  build(builder, state, *type, operand, group, dim);
}

DimMap DropOp::getDimMap() { return linkAllBut(*this, {getDim()}); }

//===----------------------------------------------------------------------===//
// AssembleOp
//===----------------------------------------------------------------------===//

LogicalResult AssembleOp::verify() {
  auto type = cast<RankedTensorType>(getType());
  int64_t dim = getDim();
  if (getParts().empty())
    return emitOpError() << "expected at least one part";
  if (dim < 0 || dim >= type.getRank())
    return emitOpError() << "expected dim in [0, " << type.getRank()
                         << "), got " << dim;
  int64_t sum = 0;
  bool dynamic = false;
  for (auto [i, part] : llvm::enumerate(getParts())) {
    auto partType = cast<RankedTensorType>(part.getType());
    if (partType.getElementType() != type.getElementType())
      return emitOpError() << "expected part " << i << " to have elements "
                           << type.getElementType() << ", got "
                           << partType.getElementType();
    if (partType.getEncoding() != type.getEncoding())
      return emitOpError() << "expected part " << i << " to be like the result "
                           << type << ", got " << partType;
    if (partType.getRank() != type.getRank())
      return emitOpError() << "expected part " << i << " to have rank "
                           << type.getRank() << ", got " << partType.getRank();
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (d != dim &&
          !areCompatible(partType.getDimSize(d), type.getDimSize(d)))
        return emitOpError() << "expected part " << i << " to have size "
                             << type.getDimSize(d) << " in dim " << d
                             << ", got " << partType.getDimSize(d);
    dynamic |= partType.isDynamicDim(dim);
    if (!partType.isDynamicDim(dim) &&
        llvm::AddOverflow(sum, partType.getDimSize(dim), sum))
      return emitOpError() << "sizes of the parts overflow in dim " << dim;
  }
  if (!type.isDynamicDim(dim) && !dynamic && sum != type.getDimSize(dim))
    return emitOpError() << "expected the parts to add up to "
                         << type.getDimSize(dim) << " in dim " << dim
                         << ", got " << sum;
  if (!type.isDynamicDim(dim) && dynamic && sum > type.getDimSize(dim))
    return emitOpError() << "expected the parts to add up to "
                         << type.getDimSize(dim) << " in dim " << dim
                         << ", got at least " << sum;
  return success();
}

OpFoldResult AssembleOp::fold(FoldAdaptor) {
  if (getParts().size() == 1 && getParts().front().getType() == getType())
    return foldTo(*this, getParts().front());
  return {};
}

DimMap AssembleOp::getDimMap() {
  DimMap map = linkAllBut(*this, {getDim()});
  map.isPartwise = true;
  return map;
}

//===----------------------------------------------------------------------===//
// TransposeOp
//===----------------------------------------------------------------------===//

LogicalResult TransposeOp::verify() {
  auto type = cast<RankedTensorType>(getOperand().getType());
  ArrayRef<int64_t> permutation = getPermutation();
  if (static_cast<int64_t>(permutation.size()) != type.getRank() ||
      !isPermutation(permutation))
    return emitOpError() << "expected a permutation of the operand's "
                         << type.getRank() << " dims, got [" << permutation
                         << "]";
  return verifyType(*this, permuteType(type, permutation), getType());
}

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  if (getOperand().getType() == getType() &&
      llvm::equal(getPermutation(),
                  llvm::seq<int64_t>(0, getPermutation().size())))
    return foldTo(*this, getOperand());
  return {};
}

LogicalResult TransposeOp::canonicalize(TransposeOp op,
                                        PatternRewriter &rewriter) {
  // transpose(transpose(x)) is one transpose.
  auto inner = op.getOperand().getDefiningOp<TransposeOp>();
  if (!inner || inner == op)
    return failure();
  SmallVector<int64_t> permutation;
  for (int64_t dim : op.getPermutation())
    permutation.push_back(inner.getPermutation()[dim]);
  // The type in between may be dynamic while the outer two contradict each
  // other. Such a program fails at run time, but the rewritten one would not
  // even verify.
  RankedTensorType type = permuteType(
      cast<RankedTensorType>(inner.getOperand().getType()), permutation);
  if (!areCompatible(type.getShape(), op.getType().getShape()))
    return rewriter.notifyMatchFailure(op, "the types contradict each other");
  auto merged = TransposeOp::create(rewriter, fuseLocs(op, inner), op.getType(),
                                    inner.getOperand(), permutation);
  carryOver(op, merged);
  carryOver(inner, merged);
  rewriter.replaceOp(op, merged);
  return success();
}

void TransposeOp::build(OpBuilder &builder, OperationState &state,
                        Value operand, ArrayRef<int64_t> permutation) {
  build(builder, state,
        permuteType(cast<RankedTensorType>(operand.getType()), permutation),
        operand, permutation);
}

DimMap TransposeOp::getDimMap() {
  DimMap map;
  for (auto [resultDim, operandDim] : llvm::enumerate(getPermutation()))
    map.links.push_back({0, static_cast<unsigned>(operandDim), 0,
                         static_cast<unsigned>(resultDim)});
  map.isPartwise = true;
  return map;
}
