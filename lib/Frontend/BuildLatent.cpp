// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Experts on latent vectors.
//
// If experts have narrower rows than the model's tokens, the layer projects its
// tokens before the dispatch and back after the combine. Both projections are
// dense parts: ops with a stated cost and without modelled weights. A dense
// part keeps the shape of its rows, so its first columns represent the latent
// vector. Like in Megatron, every rank computes both whole projections.

#include "ModuleBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace moe;

/// Returns the first columns of rows [S, M].
static Value takeColumns(OpBuilder &b, Location loc, Value rows,
                         int64_t columns) {
  auto type = cast<RankedTensorType>(rows.getType());
  return tensor::ExtractSliceOp::create(
      b, loc, rows, SmallVector<OpFoldResult>(2, b.getIndexAttr(0)),
      SmallVector<OpFoldResult>{b.getIndexAttr(type.getDimSize(0)),
                                b.getIndexAttr(columns)},
      SmallVector<OpFoldResult>(2, b.getIndexAttr(1)));
}

/// Pads rows with columns of zeros to [S, M].
static Value addColumns(OpBuilder &b, Location loc, Value rows,
                        int64_t columns) {
  auto type = cast<RankedTensorType>(rows.getType());
  int64_t count = type.getDimSize(0), width = type.getDimSize(1);
  if (width == columns)
    return rows;
  auto restType =
      RankedTensorType::get({count, columns - width}, type.getElementType());
  Value rest = arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(restType, b.getZeroAttr(type.getElementType())));
  return AssembleOp::create(
      b, loc, RankedTensorType::get({count, columns}, type.getElementType()),
      ValueRange{rows, rest}, /*dim=*/1);
}

Value ModuleBuilder::buildLatentProjection(Value rows, StringRef name) {
  const DenseCost &cost = *layout.latentProjection;
  // The rows are independent of each other.
  return DenseOp::create(b, loc("." + name), rows.getType(),
                         (Twine(layerIndex) + "." + name).str(), rows,
                         cost.forward.macs, cost.forward.gemms, /*parts=*/1,
                         /*sequences=*/layout.routedTokens, /*shards=*/1,
                         /*us=*/FloatAttr());
}

Value ModuleBuilder::buildLatentGradient(Value cotangent, Value rows,
                                         StringRef name, Gradients &gradients) {
  const DenseCost &cost = *layout.latentProjection;
  std::string part = (Twine(layerIndex) + "." + name).str();
  Value gradient = DenseDgradOp::create(
      b, loc("." + name + ".dgrad"), rows.getType(), part, cotangent, rows,
      cost.dgrad.macs, cost.dgrad.gemms, /*parts=*/1,
      /*sequences=*/layout.routedTokens, /*shards=*/1, /*us=*/FloatAttr());
  Value weights = DenseWgradOp::create(
      b, loc("." + name + ".wgrad"), tensor({cost.parameters}), part, cotangent,
      rows, cost.wgrad.macs, cost.wgrad.gemms,
      /*sequences=*/layout.routedTokens, /*shards=*/1, /*us=*/FloatAttr());
  gradients.push_back(
      {sumOver(weights, getRoutedAxes(), "." + name + ".wgrad.sum"),
       std::nullopt});
  return gradient;
}

Value ModuleBuilder::projectToExperts(Value tokens) {
  if (config.expertWidth == 0)
    return tokens;
  return takeColumns(b, loc(".latent.in"),
                     buildLatentProjection(tokens, "latent.in"),
                     config.expertWidth);
}

Value ModuleBuilder::projectFromExperts(Value rows, Value &given) {
  if (config.expertWidth == 0)
    return rows;
  given = addColumns(b, loc(".latent.out"), rows, config.hiddenSize);
  return buildLatentProjection(given, "latent.out");
}

Value ModuleBuilder::projectGradientToExperts(Value cotangent, Value given,
                                              Gradients &gradients) {
  if (config.expertWidth == 0)
    return cotangent;
  return takeColumns(
      b, loc(".latent.out"),
      buildLatentGradient(cotangent, given, "latent.out", gradients),
      config.expertWidth);
}

Value ModuleBuilder::projectGradientFromExperts(Value cotangent, Value tokens,
                                                Gradients &gradients) {
  if (config.expertWidth == 0)
    return cotangent;
  cotangent = addColumns(b, loc(".latent.in"), cotangent, config.hiddenSize);
  return buildLatentGradient(cotangent, tokens, "latent.in", gradients);
}
