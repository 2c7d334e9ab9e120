//===- BuildDense.cpp - Dense parts between MoE layers ----------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensor parallelism around a dense part is Megatron's: every rank has a share
// of the weights, sees all tokens of its group, and gives a partial sum.
//
// - Tokens the same on all tp ranks: nothing before the part, an all_reduce
//   behind it. Backward, the gradient of the sum is the gradient of every
//   partial sum as it is, and the gradients of the operand, each through one
//   share of the weights, are added up by an all_reduce (f and g, which swap).
// - Sequence parallelism: an all_gather before, a reduce_scatter behind; each
//   is the transpose of the other, so backward they swap as well.
//
// Ranks hold tokens of whole sequences, or under sequence parallelism the same
// piece of every sequence.
//
// Either way a rank's gradient of its share of the weights is complete within
// its tp group, and lacks what ranks with other tokens add, along dp and ep.
//
//===----------------------------------------------------------------------===//

#include "ModuleBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace moe;

Value ModuleBuilder::buildDenseParts(Value tokens, int64_t from, int64_t to,
                                     Step &step) {
  for (int64_t layer = from + 1; layer <= to && layer < config.numLayers;
       ++layer) {
    layerIndex = layer;
    tokens = buildDense(tokens, "attention", *layout.attention, step);
    if (layer != to)
      tokens = buildDense(tokens, "ffn", *layout.denseFFN, step);
  }
  return tokens;
}

Value ModuleBuilder::buildDense(Value tokens, StringRef name,
                                const DenseCost &cost, Step &step) {
  SavedDense &saved = step.dense.emplace_back();
  saved.name = (Twine(layerIndex) + "." + name).str();
  saved.cost = cost;
  saved.layer = layerIndex;
  Value rows = tokens;
  if (gathersTokens())
    rows = AllGatherOp::create(b, loc("." + name + ".gather"), rows,
                               group(layout.tpAxes), /*dim=*/0, layout.tp);
  saved.rows = rows;
  Value result = DenseOp::create(b, loc("." + name), rows.getType(), saved.name,
                                 rows, cost.forward.macs, cost.forward.gemms,
                                 /*parts=*/layout.tp, layout.sequences,
                                 getShards(), /*us=*/FloatAttr());
  if (gathersTokens())
    result = ReduceScatterOp::create(b, loc("." + name + ".reduce"), result,
                                     group(layout.tpAxes), /*dim=*/0,
                                     Reduction::Sum, layout.tp);
  else if (layout.tp > 1)
    result =
        AllReduceOp::create(b, loc("." + name + ".reduce"), result.getType(),
                            result, group(layout.tpAxes));
  return arith::AddFOp::create(b, loc("." + name + ".residual"), tokens,
                               result);
}

Value ModuleBuilder::buildDenseGradient(Value cotangent,
                                        const SavedDense &saved,
                                        Gradients &gradients) {
  layerIndex = saved.layer;
  StringRef name = StringRef(saved.name).split('.').second;
  const DenseCost &cost = saved.cost;
  Value rows = cotangent;
  if (gathersTokens())
    rows = AllGatherOp::create(b, loc("." + name + ".gather"), rows,
                               group(layout.tpAxes), /*dim=*/0, layout.tp);
  Value gradient = DenseDgradOp::create(
      b, loc("." + name + ".dgrad"), rows.getType(), saved.name, rows,
      saved.rows, cost.dgrad.macs, cost.dgrad.gemms, /*parts=*/layout.tp,
      layout.sequences, getShards(), /*us=*/FloatAttr());
  if (gathersTokens())
    gradient = ReduceScatterOp::create(b, loc("." + name + ".reduce"), gradient,
                                       group(layout.tpAxes),
                                       /*dim=*/0, Reduction::Sum, layout.tp);
  else if (layout.tp > 1)
    gradient =
        AllReduceOp::create(b, loc("." + name + ".reduce"), gradient.getType(),
                            gradient, group(layout.tpAxes));
  Value weights = DenseWgradOp::create(
      b, loc("." + name + ".wgrad"), tensor({cost.parameters}), saved.name,
      rows, saved.rows, cost.wgrad.macs, cost.wgrad.gemms, layout.sequences,
      getShards(), /*us=*/FloatAttr());
  gradients.push_back(
      sumOver(weights, getTokenAxes(layout.tpAxes), "." + name + ".wgrad.sum"));
  return arith::AddFOp::create(b, loc("." + name + ".residual"), cotangent,
                               gradient);
}
