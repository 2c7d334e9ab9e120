// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients of gates, experts and data movement.

#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/Shapes.h"

using namespace mlir;
using namespace moe;

/// Verifies a buffer [experts..., capacity, hidden] with at least one dim
/// besides hidden.
static LogicalResult verifyBuffer(Operation *op, Value buffer) {
  if (tensorOf(buffer).getRank() >= 2)
    return success();
  return op->emitOpError()
         << "expected a buffer [experts..., capacity, hidden] of rank at least "
            "2, got "
         << buffer.getType();
}

//===----------------------------------------------------------------------===//
// Experts
//===----------------------------------------------------------------------===//

LogicalResult ExpertsDgradOp::verify() {
  int64_t inner = countInnerProducts(getKind());
  if (failed(verifyExperts(*this, getKind(), getTokens(), getExpertsWeights(),
                           getRunOffsets(), getRunSizes(), getActivation(),
                           getBiased())) ||
      failed(verifyBetween(*this, "the kept products", getKept(), getTokens(),
                           getExpertsWeights().front(), inner)))
    return failure();
  return verifyBetween(*this, "what is handed on", getHanded(), getTokens(),
                       getExpertsWeights().front(), inner + 1);
}

DimMap ExpertsDgradOp::getDimMap() {
  DimMap map;
  // Rows of runs are indexed, so their dim is not linked.
  bool hasRuns = getRunSizes() != nullptr;
  map.isPartwise = !hasRuns;
  unsigned hidden = tensorOf(getTokens()).getRank() - 1;
  unsigned cotangent = getCotangentMutable().getOperandNumber();
  for (unsigned operand : {0u, cotangent}) {
    for (unsigned d = 0; !hasRuns && d < hidden; ++d)
      map.links.push_back({operand, d, 0, d});
    map.opaqueOperandDims.push_back({operand, hidden});
  }
  map.opaqueResultDims.push_back({0, hidden});
  for (unsigned i = 1; i < cotangent; ++i) {
    if (!hasRuns)
      map.links.push_back({i, 0, 0, 0});
    map.opaqueOperandDims.push_back({i, 1});
    map.opaqueOperandDims.push_back({i, 2});
  }
  if (getKept()) {
    unsigned kept = getKeptMutable()[0].getOperandNumber();
    for (unsigned d = 0; !hasRuns && d < hidden; ++d)
      map.links.push_back({kept, d + 1, 0, d});
    map.opaqueOperandDims.push_back({kept, hidden + 1});
  }
  if (getHanded()) {
    for (unsigned d = 0; !hasRuns && d < hidden; ++d)
      map.links.push_back({0, d, 1, d + 1});
    map.opaqueResultDims.push_back({1, hidden + 1});
  }
  // A chunk of rows is not contiguous in the kept or handed-on parts.
  map.isPartwise &= !getKept() && !getHanded();
  return map;
}

LogicalResult ExpertsWgradOp::verify() {
  if (failed(verifyExperts(*this, getKind(), getTokens(), getExpertsWeights(),
                           getRunOffsets(), getRunSizes(), getActivation(),
                           getBiased())) ||
      failed(verifyBetween(*this, "what is handed on", getHanded(), getTokens(),
                           getExpertsWeights().front(),
                           countInnerProducts(getKind()) + 1)))
    return failure();
  if (getGradients().size() != getExpertsWeights().size())
    return emitOpError() << "expected " << getExpertsWeights().size()
                         << " results, one a weight, got "
                         << getGradients().size();
  Type element = tensorOf(getGradients().front()).getElementType();
  bool isNarrow = tensorOf(getTokens()).getElementTypeBitWidth() < 32;
  for (auto [i, gradient, weight] :
       llvm::enumerate(getGradients(), getExpertsWeights())) {
    Type expected = isNarrow && element.isF32()
                        ? tensorOf(weight).clone(element)
                        : weight.getType();
    if (gradient.getType() != expected) {
      InFlightDiagnostic error = emitOpError() << "expected result " << i
                                               << " to have the type of weight "
                                               << i << ", " << weight.getType();
      if (isNarrow)
        error << ", or its shape with f32 elements in all results";
      return error << ", got " << gradient.getType();
    }
  }
  return success();
}

DimMap ExpertsWgradOp::getDimMap() {
  // The op sums over the dims of the rows, so they are touched.
  DimMap map;
  unsigned hidden = tensorOf(getTokens()).getRank() - 1;
  bool hasRuns = getRunSizes() != nullptr;
  unsigned cotangent = getCotangentMutable().getOperandNumber();
  map.opaqueOperandDims = {{0, hidden}, {cotangent, hidden}};
  for (unsigned i = 1; i < cotangent; ++i) {
    map.opaqueOperandDims.push_back({i, 1});
    map.opaqueOperandDims.push_back({i, 2});
  }
  for (unsigned r = 0; r < getNumResults(); ++r) {
    for (unsigned operand = 0; !hasRuns && operand <= cotangent; ++operand)
      map.links.push_back({operand, 0, r, 0});
    map.opaqueResultDims.push_back({r, 1});
    map.opaqueResultDims.push_back({r, 2});
  }
  if (getHanded()) {
    unsigned handed = getHandedMutable()[0].getOperandNumber();
    for (unsigned r = 0; !hasRuns && r < getNumResults(); ++r)
      map.links.push_back({handed, 1, r, 0});
    map.opaqueOperandDims.push_back({handed, hidden + 1});
  }
  return map;
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

LogicalResult ScatterOp::verify() {
  RankedTensorType rows = tensorOf(getRows());
  RankedTensorType buffer = tensorOf(getResult());
  if (failed(verifyBuffer(*this, getResult())) ||
      failed(verifyTensorRank(*this, "rows", getRows(), 2)) ||
      failed(verifyTensorRank(*this, "slots", getSlots(), 2)) ||
      failed(
          verifyDimSize(*this, "slots", getSlots(), 0, rows.getDimSize(0))) ||
      failed(verifyDimSize(*this, "the buffer", getResult(),
                           buffer.getRank() - 1, rows.getDimSize(1))) ||
      failed(verifyElements(*this, "the buffer", getResult(),
                            rows.getElementType())))
    return failure();
  if (llvm::any_of(buffer.getShape().drop_back(), ShapedType::isDynamic))
    return emitOpError() << "expected static expert dims and capacity, got "
                         << buffer;
  if (failed(countSlots(buffer)))
    return emitOpError() << "number of slots overflows, got " << buffer;
  if (!getWeights())
    return success();
  RankedTensorType slots = tensorOf(getSlots());
  if (failed(verifyTensorRank(*this, "weights", getWeights(), 2)) ||
      failed(verifyDimSize(*this, "weights", getWeights(), 0,
                           slots.getDimSize(0))) ||
      failed(verifyDimSize(*this, "weights", getWeights(), 1,
                           slots.getDimSize(1))))
    return failure();
  return success();
}

DimMap ScatterOp::getDimMap() {
  DimMap map;
  map.links = {
      {0, 1, 0, static_cast<unsigned>(tensorOf(getResult()).getRank() - 1)}};
  return map;
}

LogicalResult UnpermuteWgradOp::verify() {
  RankedTensorType cotangent = tensorOf(getCotangent());
  RankedTensorType buffer = tensorOf(getBuffer());
  if (failed(verifyBuffer(*this, getBuffer())) ||
      failed(verifyTensorRank(*this, "dy", getCotangent(), 2)) ||
      failed(verifyTensorRank(*this, "slots", getSlots(), 2)) ||
      failed(verifyTensorRank(*this, "the result", getResult(), 2)) ||
      failed(verifyDimSize(*this, "dy", getCotangent(), 1,
                           buffer.getShape().back())) ||
      failed(verifyDimSize(*this, "slots", getSlots(), 0,
                           cotangent.getDimSize(0))) ||
      failed(
          verifyElements(*this, "dy", getCotangent(), buffer.getElementType())))
    return failure();
  RankedTensorType slots = tensorOf(getSlots());
  if (failed(verifyDimSize(*this, "the result", getResult(), 0,
                           slots.getDimSize(0))) ||
      failed(verifyDimSize(*this, "the result", getResult(), 1,
                           slots.getDimSize(1))))
    return failure();
  return success();
}

DimMap UnpermuteWgradOp::getDimMap() {
  // A dot product reads both of its rows as a whole.
  DimMap map;
  unsigned hidden = tensorOf(getBuffer()).getRank() - 1;
  map.links = {{0, 0, 0, 0}, {2, 0, 0, 0}};
  map.opaqueOperandDims = {{0, 1}, {1, hidden}};
  return map;
}
