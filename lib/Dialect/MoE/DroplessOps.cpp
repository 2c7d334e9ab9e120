// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops of dropless layers.

#include "GroupGrid.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/Shapes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace moe;

/// Returns the product of the static sizes; nullopt if it overflows.
static std::optional<int64_t> multiply(ArrayRef<int64_t> sizes) {
  int64_t product = 1;
  for (int64_t size : sizes)
    if (!ShapedType::isDynamic(size) &&
        llvm::MulOverflow(product, size, product))
      return std::nullopt;
  return product;
}

//===----------------------------------------------------------------------===//
// ExpertCountsOp
//===----------------------------------------------------------------------===//

LogicalResult ExpertCountsOp::verify() {
  RankedTensorType ids = tensorOf(getIds()), counts = tensorOf(getCounts());
  if (ids.getRank() < 2)
    return emitOpError() << "expected ids [..., tokens, choices] of rank at "
                            "least 2, got "
                         << ids;
  if (failed(verifyTensorRank(*this, "counts", getCounts(), ids.getRank() - 1)))
    return failure();
  for (int64_t d = 0; d < ids.getRank() - 2; ++d)
    if (failed(
            verifyDimSize(*this, "counts", getCounts(), d, ids.getDimSize(d))))
      return failure();
  int64_t experts = counts.getShape().back();
  if (ShapedType::isDynamic(experts))
    return emitOpError() << "expected a static number of experts, got "
                         << counts;
  std::optional<int64_t> copies = multiply(ids.getShape().take_back(2));
  if (!copies)
    return emitOpError() << "number of copies overflows, got " << ids;
  if (failed(verifyHolds(*this, "ids", getIds(), experts)))
    return failure();
  return verifyHoldsUpTo(*this, "counts", getCounts(), *copies);
}

DimMap ExpertCountsOp::getDimMap() {
  DimMap map;
  for (unsigned d = 0; d + 2 < tensorOf(getIds()).getRank(); ++d)
    map.links.push_back({0, d, 0, d});
  map.isPartwise = true;
  return map;
}

//===----------------------------------------------------------------------===//
// PermuteRowsOp
//===----------------------------------------------------------------------===//

LogicalResult PermuteRowsOp::verify() {
  if (failed(verifyTensorRank(*this, "tokens", getTokens(), 2)) ||
      failed(verifyTensorRank(*this, "ids", getIds(), 2)) ||
      failed(verifyTensorRank(*this, "rows", getRows(), 2)))
    return failure();
  if (getExperts() < 1)
    return emitOpError() << "expected at least one expert, got "
                         << getExperts();
  if (getIds().getType() != getSlots().getType())
    return emitOpError() << "expected slots of the type of ids, "
                         << getIds().getType() << ", got "
                         << getSlots().getType();
  RankedTensorType tokens = tensorOf(getTokens()), ids = tensorOf(getIds());
  if (failed(verifyDimSize(*this, "ids", getIds(), 0, tokens.getDimSize(0))) ||
      failed(
          verifyDimSize(*this, "rows", getRows(), 1, tokens.getDimSize(1))) ||
      failed(verifyElements(*this, "rows", getRows(), tokens.getElementType())))
    return failure();
  std::optional<int64_t> rows = multiply(ids.getShape());
  if (!rows)
    return emitOpError() << "number of rows overflows, got " << ids;
  if (ids.hasStaticShape() &&
      failed(verifyDimSize(*this, "rows", getRows(), 0, *rows)))
    return failure();
  if (failed(verifyHolds(*this, "ids", getIds(), getExperts())))
    return failure();
  return verifyHolds(*this, "slots", getSlots(), *rows);
}

DimMap PermuteRowsOp::getDimMap() {
  DimMap map;
  map.links = {{0, 1, 0, 1}};
  return map;
}

//===----------------------------------------------------------------------===//
// RaggedPlanOp
//===----------------------------------------------------------------------===//

LogicalResult RaggedPlanOp::verify() {
  unsigned outer = getJoined() ? 1 : 0;
  if (failed(verifyTensorRank(*this, "counts", getCounts(), 2 + outer)) ||
      failed(
          verifyTensorRank(*this, "offsets and sizes", getSendOffsets(), 1)) ||
      failed(verifyTensorRank(*this, "run offsets and sizes", getRunOffsets(),
                              2 + outer)))
    return failure();
  if (tensorOf(getCounts()).isDynamicDim(1 + outer))
    return emitOpError() << "expected a static number of experts, got "
                         << getCounts().getType();
  if (getLimit() < 0)
    return emitOpError() << "expected a limit of at least 0 rows, got "
                         << getLimit();
  return success();
}

LogicalResult RaggedPlanOp::verifySymbolUses(SymbolTableCollection &) {
  FailureOr<int64_t> size = verifyGroup(*this, getGroup());
  if (failed(size))
    return failure();
  int64_t joined = 1;
  unsigned outer = 0;
  if (GroupAttrInterface group = getJoinedAttr()) {
    FailureOr<int64_t> several = verifyGroup(*this, group);
    if (failed(several))
      return failure();
    joined = *several;
    outer = 1;
    if (failed(verifyGrid(*this, {getGroup(), group})) ||
        failed(verifyDimSize(*this, "counts", getCounts(), 0, joined)) ||
        failed(verifyDimSize(*this, "run offsets and sizes", getRunOffsets(), 0,
                             joined)))
      return failure();
  }
  int64_t experts = tensorOf(getCounts()).getDimSize(1 + outer);
  if (experts % *size != 0)
    return emitOpError() << "expected a number of experts that divides by the "
                         << *size << " ranks of the group, got " << experts;
  if (failed(verifyDimSize(*this, "counts", getCounts(), outer, *size)) ||
      failed(verifyDimSize(*this, "offsets and sizes", getSendOffsets(), 0,
                           *size)) ||
      failed(verifyDimSize(*this, "run offsets and sizes", getRunOffsets(),
                           outer, *size)) ||
      failed(verifyDimSize(*this, "run offsets and sizes", getRunOffsets(),
                           outer + 1, experts / *size)))
    return failure();
  int64_t rows;
  if (llvm::MulOverflow(joined, getLimit(), rows))
    return emitOpError() << "number of rows overflows, got a limit of "
                         << getLimit() << " on " << joined << " ranks";
  if (failed(verifyHoldsUpTo(*this, "offsets and sizes", getSendOffsets(),
                             getLimit())))
    return failure();
  return verifyHoldsUpTo(*this, "run offsets and sizes", getRunOffsets(), rows);
}

LogicalResult RaggedPlanOp::canonicalize(RaggedPlanOp op,
                                         PatternRewriter &rewriter) {
  return normalizeGroup(op, rewriter);
}

DimMap RaggedPlanOp::getDimMap() { return {}; }
