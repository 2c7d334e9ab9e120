//===- MoEModules.cpp - The modules of a layer ------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shapes.h"
#include "moe/IR/MoEOps.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace moe;

/// Emits an error unless the elements of `value`, taken as signed, can hold
/// the numbers below `count`.
static LogicalResult verifyHolds(Operation *op, StringRef what, Value value,
                                 int64_t count) {
  Type type = tensorOf(value).getElementType();
  int64_t largest = count - 1;
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  if (width >= 64 || (width > 0 && largest < (int64_t(1) << (width - 1))))
    return success();
  return op->emitOpError() << "expected " << what << " of integers that hold "
                           << largest << ", got " << type;
}

//===----------------------------------------------------------------------===//
// GateOp
//===----------------------------------------------------------------------===//

LogicalResult GateOp::verify() {
  if (failed(verifyTensorRank(*this, "tokens", getTokens(), 2)) ||
      failed(verifyTensorRank(*this, "the router", getRouter(), 2)) ||
      failed(verifyTensorRank(*this, "ids", getIds(), 2)) ||
      failed(verifyTensorRank(*this, "weights", getWeights(), 2)))
    return failure();
  RankedTensorType tokens = tensorOf(getTokens());
  int64_t experts = tensorOf(getRouter()).getDimSize(1);
  int64_t topK = getTopK();
  if (ShapedType::isDynamic(experts))
    return emitOpError() << "expected a static number of experts, got "
                         << getRouter().getType();
  if (topK < 1 || topK > experts)
    return emitOpError() << "expected top_k in [1, " << experts << "], got "
                         << topK;
  if (failed(verifyDimSize(*this, "the router", getRouter(), 0,
                           tokens.getDimSize(1))) ||
      failed(verifyDimSize(*this, "ids", getIds(), 0, tokens.getDimSize(0))) ||
      failed(verifyDimSize(*this, "ids", getIds(), 1, topK)) ||
      failed(verifyDimSize(*this, "weights", getWeights(), 0,
                           tokens.getDimSize(0))) ||
      failed(verifyDimSize(*this, "weights", getWeights(), 1, topK)))
    return failure();
  if (failed(verifyHolds(*this, "ids", getIds(), experts)))
    return failure();
  if (getBias()) {
    if (getKind() != GateKind::Sigmoid)
      return emitOpError() << "expected no bias: kind '"
                           << stringifyGateKind(getKind())
                           << "' has none, only 'sigmoid' has";
    if (failed(verifyTensorRank(*this, "the bias", getBias(), 1)) ||
        failed(verifyDimSize(*this, "the bias", getBias(), 0, experts)))
      return failure();
  }
  if (getNumGroups().has_value() != getTopGroups().has_value())
    return emitOpError() << "expected both group counts or neither";
  if (getNumGroups()) {
    int64_t all = *getNumGroups(), top = *getTopGroups();
    if (all < 1 || experts % all != 0)
      return emitOpError() << "expected the number of groups to divide the "
                           << experts << " experts, got " << all;
    if (top < 1 || top > all)
      return emitOpError() << "expected the groups to choose from in [1, "
                           << all << "], got " << top;
    if (top * (experts / all) < topK)
      return emitOpError() << "expected " << top << " groups of "
                           << experts / all
                           << " experts to hold top_k = " << topK << " experts";
  }
  double scale = getScale().convertToDouble();
  if (!std::isfinite(scale) || scale <= 0)
    return emitOpError() << "expected a finite positive scale, got " << scale;
  return success();
}

DimMap GateOp::getDimMap() {
  // Tokens are scored one by one; the chosen experts' dim is made here and its
  // values index, so it is touched.
  DimMap map;
  map.links = {{0, 0, 0, 0}, {0, 0, 1, 0}};
  map.opaqueOperandDims = {{0, 1}, {1, 0}};
  return map;
}

//===----------------------------------------------------------------------===//
// OrderOp
//===----------------------------------------------------------------------===//

LogicalResult OrderOp::verify() {
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

DimMap OrderOp::getDimMap() {
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
                           getActivation())))
    return failure();
  return verifyType(*this, tensorOf(getTokens()), getType());
}

DimMap ExpertsOp::getDimMap() {
  DimMap map;
  unsigned hidden = tensorOf(getTokens()).getRank() - 1;
  for (unsigned d = 0; d < hidden; ++d)
    map.links.push_back({0, d, 0, d});
  map.opaqueOperandDims.push_back({0, hidden});
  map.opaqueResultDims.push_back({0, hidden});
  for (unsigned i = 1; i <= getExpertsWeights().size(); ++i) {
    // Expert e of every weight meets slice e of the tokens.
    map.links.push_back({i, 0, 0, 0});
    map.opaqueOperandDims.push_back({i, 1});
    map.opaqueOperandDims.push_back({i, 2});
  }
  return map;
}

//===----------------------------------------------------------------------===//
// UnorderOp
//===----------------------------------------------------------------------===//

LogicalResult UnorderOp::verify() {
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

DimMap UnorderOp::getDimMap() {
  DimMap map;
  unsigned hidden = tensorOf(getBuffer()).getRank() - 1;
  map.links = {{0, hidden, 0, 1}, {1, 0, 0, 0}, {2, 0, 0, 0}};
  return map;
}
