// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers and their ops.

#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/Shapes.h"

using namespace mlir;
using namespace moe;

//===----------------------------------------------------------------------===//
// PermuteOp
//===----------------------------------------------------------------------===//

LogicalResult PermuteOp::verify() {
  RankedTensorType buffer = tensorOf(getBuffer());
  if (failed(verifyTensorRank(*this, "tokens", getTokens(), 2)) ||
      failed(verifyTensorRank(*this, "ids", getIds(), 2)) ||
      failed(verifyTensorRank(*this, "slots", getSlots(), 2)))
    return failure();
  if (buffer.getRank() < 3)
    return emitOpError() << "expected a buffer [experts..., capacity, hidden] "
                            "of rank at least 3, got "
                         << buffer;
  if (getIds().getType() != getSlots().getType())
    return emitOpError() << "expected slots of the type of ids, "
                         << getIds().getType() << ", got "
                         << getSlots().getType();
  if (failed(verifyDimSize(*this, "ids", getIds(), 0,
                           tensorOf(getTokens()).getDimSize(0))) ||
      failed(verifyDimSize(*this, "the buffer", getBuffer(),
                           buffer.getRank() - 1,
                           tensorOf(getTokens()).getDimSize(1))))
    return failure();
  if (buffer.getElementType() != tensorOf(getTokens()).getElementType())
    return emitOpError() << "expected a buffer of "
                         << tensorOf(getTokens()).getElementType()
                         << " elements, got " << buffer.getElementType();
  if (llvm::any_of(buffer.getShape().drop_back(2), ShapedType::isDynamic))
    return emitOpError() << "expected static expert dims, got " << buffer;
  FailureOr<int64_t> slots = countSlots(buffer);
  if (failed(slots))
    return emitOpError() << "number of slots overflows, got " << buffer;
  return verifyHolds(*this, "slots", getSlots(), *slots);
}

DimMap PermuteOp::getDimMap() {
  DimMap map;
  unsigned hidden = tensorOf(getBuffer()).getRank() - 1;
  map.links = {{0, 1, 0, hidden}};
  return map;
}

//===----------------------------------------------------------------------===//
// ExpertsOp
//===----------------------------------------------------------------------===//

LogicalResult ExpertsOp::verify() {
  if (failed(verifyExperts(*this, getKind(), getTokens(), getExpertsWeights(),
                           getRunOffsets(), getRunSizes(), getActivation(),
                           getBiased())) ||
      failed(verifyBetween(*this, "the kept products", getKept(), getTokens(),
                           getExpertsWeights().front(),
                           countInnerProducts(getKind()))))
    return failure();
  return verifyType(*this, tensorOf(getTokens()), getResult().getType());
}

DimMap ExpertsOp::getDimMap() {
  DimMap map;
  // Rows of runs are indexed, so their dim is not linked.
  bool hasRuns = getRunSizes() != nullptr;
  map.isPartwise = !hasRuns;
  unsigned hidden = tensorOf(getTokens()).getRank() - 1;
  for (unsigned d = 0; !hasRuns && d < hidden; ++d)
    map.links.push_back({0, d, 0, d});
  map.opaqueOperandDims.push_back({0, hidden});
  map.opaqueResultDims.push_back({0, hidden});
  for (unsigned i = 1; i <= getExpertsWeights().size(); ++i) {
    // Slice e of every weight is applied to slice e of the tokens.
    if (!hasRuns)
      map.links.push_back({i, 0, 0, 0});
    map.opaqueOperandDims.push_back({i, 1});
    map.opaqueOperandDims.push_back({i, 2});
  }
  if (getKept()) {
    for (unsigned d = 0; !hasRuns && d < hidden; ++d)
      map.links.push_back({0, d, 1, d + 1});
    map.opaqueResultDims.push_back({1, hidden + 1});
  }
  // A chunk of rows is not contiguous in the kept parts.
  map.isPartwise &= !getKept();
  return map;
}

//===----------------------------------------------------------------------===//
// UnpermuteOp
//===----------------------------------------------------------------------===//

LogicalResult UnpermuteOp::verify() {
  RankedTensorType buffer = tensorOf(getBuffer());
  RankedTensorType result = tensorOf(getResult());
  if (buffer.getRank() < 2)
    return emitOpError() << "expected a buffer [experts..., capacity, hidden] "
                            "of rank at least 2, got "
                         << buffer;
  if (failed(verifyTensorRank(*this, "slots", getSlots(), 2)) ||
      failed(verifyTensorRank(*this, "weights", getWeights(), 2)) ||
      failed(verifyTensorRank(*this, "the result", getResult(), 2)))
    return failure();
  RankedTensorType slots = tensorOf(getSlots());
  if (failed(verifyDimSize(*this, "weights", getWeights(), 0,
                           slots.getDimSize(0))) ||
      failed(verifyDimSize(*this, "weights", getWeights(), 1,
                           slots.getDimSize(1))) ||
      failed(verifyDimSize(*this, "the result", getResult(), 0,
                           slots.getDimSize(0))) ||
      failed(verifyDimSize(*this, "the result", getResult(), 1,
                           buffer.getShape().back())))
    return failure();
  if (buffer.getElementType() != result.getElementType())
    return emitOpError() << "expected a result of " << buffer.getElementType()
                         << " elements, got " << result.getElementType();
  return success();
}

DimMap UnpermuteOp::getDimMap() {
  DimMap map;
  unsigned hidden = tensorOf(getBuffer()).getRank() - 1;
  map.links = {{0, hidden, 0, 1}, {1, 0, 0, 0}, {2, 0, 0, 0}};
  return map;
}

//===----------------------------------------------------------------------===//
// HookOp
//===----------------------------------------------------------------------===//

DimMap HookOp::getDimMap() {
  DimMap map = DimMap::elementwise(*this);
  map.isPartwise = true;
  return map;
}

//===----------------------------------------------------------------------===//
// LayerOp
//===----------------------------------------------------------------------===//

LogicalResult LayerOp::verify() {
  if (getName().empty())
    return emitOpError() << "expected a name that is not empty";
  if (getBody().getNumArguments() != 0)
    return emitOpError() << "expected a region without arguments, got "
                         << getBody().getNumArguments();
  return verifyYield(*this, getBody(), getResultTypes());
}

void LayerOp::getSuccessorRegions(RegionBranchPoint point,
                                  SmallVectorImpl<RegionSuccessor> &regions) {
  if (point.isParent())
    regions.emplace_back(&getBody());
  else
    regions.emplace_back(getOperation(), getResults());
}

void LayerOp::getRegionInvocationBounds(
    ArrayRef<Attribute>, SmallVectorImpl<InvocationBounds> &bounds) {
  bounds.emplace_back(1, 1);
}
