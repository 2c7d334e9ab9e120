// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that send tokens once per node.

#include "GroupGrid.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/Shapes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace moe;

//===----------------------------------------------------------------------===//
// DistinctNodesOp
//===----------------------------------------------------------------------===//

LogicalResult DistinctNodesOp::verify() {
  if (failed(verifyTensorRank(*this, "ids", getIds(), 2)) ||
      failed(verifyTensorRank(*this, "nodes", getResult(), 2)))
    return failure();
  if (getNodes() < 1)
    return emitOpError() << "expected at least one node, got " << getNodes();
  if (getExperts() < 1 || getExperts() % getNodes() != 0)
    return emitOpError() << "expected a number of experts that divides by the "
                         << getNodes() << " nodes, got " << getExperts();
  RankedTensorType ids = tensorOf(getIds()), nodes = tensorOf(getResult());
  if (failed(
          verifyElements(*this, "nodes", getResult(), ids.getElementType())) ||
      failed(verifyDimSize(*this, "nodes", getResult(), 0, ids.getDimSize(0))))
    return failure();
  int64_t width = nodes.getDimSize(1);
  int64_t most = ids.isDynamicDim(1) ? getNodes()
                                     : std::min(ids.getDimSize(1), getNodes());
  if (ShapedType::isDynamic(width) || width < 1 || width > most)
    return emitOpError() << "expected nodes to have size 1 to " << most
                         << " in dim 1, got " << nodes;
  return verifyHolds(*this, "ids", getIds(), getExperts());
}

DimMap DistinctNodesOp::getDimMap() {
  DimMap map;
  map.links = {{0, 0, 0, 0}};
  map.isPartwise = true;
  return map;
}

//===----------------------------------------------------------------------===//
// NodePlanOp
//===----------------------------------------------------------------------===//

LogicalResult NodePlanOp::verify() {
  unsigned outer = getJoined() ? 1 : 0;
  if (failed(verifyTensorRank(*this, "counts", getCounts(), 2 + outer)) ||
      failed(verifyTensorRank(*this, "offsets and sizes between nodes",
                              getNodeSendOffsets(), 1)) ||
      failed(verifyTensorRank(*this, "offsets and sizes inside",
                              getSendOffsets(), 1)) ||
      failed(verifyTensorRank(*this, "run offsets and sizes", getRunOffsets(),
                              2 + outer)))
    return failure();
  if (tensorOf(getCounts()).isDynamicDim(1 + outer))
    return emitOpError()
           << "expected a static number of experts and nodes, got "
           << getCounts().getType();
  for (int64_t limit : {getNodeLimit(), getLimit()})
    if (limit < 0)
      return emitOpError() << "expected a limit of at least 0 rows, got "
                           << limit;
  return success();
}

LogicalResult NodePlanOp::verifySymbolUses(SymbolTableCollection &) {
  FailureOr<int64_t> nodes = verifyGroup(*this, getGroup());
  if (failed(nodes))
    return failure();
  FailureOr<int64_t> places = verifyGroup(*this, getInside());
  if (failed(places))
    return failure();
  int64_t ranks;
  if (llvm::MulOverflow(*nodes, *places, ranks))
    return emitOpError() << "number of ranks overflows, got " << *nodes
                         << " nodes of " << *places;
  int64_t joined = 1;
  unsigned outer = 0;
  if (GroupAttrInterface group = getJoinedAttr()) {
    FailureOr<int64_t> several = verifyGroup(*this, group);
    if (failed(several))
      return failure();
    joined = *several;
    outer = 1;
  }
  if (failed(verifyGrid(*this, {getGroup(), getInside(), getJoinedAttr()})))
    return failure();
  if (outer) {
    if (failed(verifyDimSize(*this, "counts", getCounts(), 0, joined)) ||
        failed(verifyDimSize(*this, "run offsets and sizes", getRunOffsets(), 0,
                             joined)))
      return failure();
  }
  int64_t experts = tensorOf(getCounts()).getShape().back() - *nodes;
  if (experts < ranks || experts % ranks != 0)
    return emitOpError() << "expected counts of experts, a multiple of the "
                         << ranks << " ranks, and then of " << *nodes
                         << " nodes, got " << getCounts().getType();
  if (failed(verifyDimSize(*this, "counts", getCounts(), outer, ranks)) ||
      failed(verifyDimSize(*this, "offsets and sizes between nodes",
                           getNodeSendOffsets(), 0, *nodes)) ||
      failed(verifyDimSize(*this, "offsets and sizes inside", getSendOffsets(),
                           0, *places)) ||
      failed(verifyDimSize(*this, "run offsets and sizes", getRunOffsets(),
                           outer, *places)) ||
      failed(verifyDimSize(*this, "run offsets and sizes", getRunOffsets(),
                           outer + 1, experts / ranks)))
    return failure();
  int64_t rows;
  if (llvm::MulOverflow(joined, getLimit(), rows))
    return emitOpError() << "number of rows overflows, got a limit of "
                         << getLimit() << " on " << joined << " ranks";
  if (failed(verifyHoldsUpTo(*this, "offsets and sizes between nodes",
                             getNodeSendOffsets(), getNodeLimit())) ||
      failed(verifyHoldsUpTo(*this, "offsets and sizes inside",
                             getSendOffsets(), getLimit())))
    return failure();
  return verifyHoldsUpTo(*this, "run offsets and sizes", getRunOffsets(), rows);
}

LogicalResult NodePlanOp::canonicalize(NodePlanOp op,
                                       PatternRewriter &rewriter) {
  return normalizeGroup(op, rewriter);
}

DimMap NodePlanOp::getDimMap() { return {}; }
