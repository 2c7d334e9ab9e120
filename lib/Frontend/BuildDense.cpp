// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dense parts between MoE layers.
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
// Ranks hold tokens of whole sequences, or of every sequence the same piece:
// under sequence parallelism, and along cp.
//
// Either way a rank's gradient of its share of the weights is complete within
// its tp group, and lacks what ranks with other tokens add, along dp, cp and
// ep.
//
// Where ranks share a sequence, an attention is two parts: its projections, and
// behind an exchange of keys and values the rest.

#include "ModuleBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace moe;

Value ModuleBuilder::buildDenseParts(Value tokens, int64_t from, int64_t to,
                                     Step &step) {
  for (int64_t layer = from + 1; layer <= to && layer < config.numLayers;
       ++layer) {
    layerIndex = layer;
    LayerParts parts = config.getParts(layer);
    // Numbers distinguish several parts of a kind.
    int attentions = 0, networks = 0;
    auto nameOf = [](const char *kind, int number) {
      return number == 0 ? std::string(kind)
                         : std::string(kind) + std::to_string(number);
    };
    for (bool isAttention : parts.listInOrder()) {
      if (!isAttention) {
        tokens = buildDense(tokens, nameOf("ffn", networks++), *layout.denseFFN,
                            nullptr, step);
        continue;
      }
      const AttentionCost &attention = layout.getAttention(parts);
      tokens = buildDense(tokens, nameOf("attention", attentions++),
                          attention.cost, &attention, step);
    }
  }
  return tokens;
}

Value ModuleBuilder::buildDense(Value tokens, StringRef name,
                                const DenseCost &cost,
                                const AttentionCost *attention, Step &step) {
  SavedDense &saved = step.dense.emplace_back();
  saved.name = (Twine(layerIndex) + "." + name).str();
  saved.cost = cost;
  saved.layer = layerIndex;
  Value rows = tokens;
  if (gathersTokens())
    rows = AllGatherOp::create(b, loc("." + name + ".gather"), rows,
                               group(layout.tpAxes), /*dim=*/0, layout.tp);
  if (attention && attention->projections) {
    // Of every rank the projections as they are: what is split over the
    // tensor-parallel ranks is added up behind the rest.
    saved.split = attention;
    saved.rowsBefore = rows;
    const DenseCost &before = *attention->projections;
    rows = DenseOp::create(b, loc("." + name + ".projections"), rows.getType(),
                           saved.name + ".projections", rows,
                           before.forward.macs, before.forward.gemms,
                           /*parts=*/1, layout.sequences, getShards(),
                           /*us=*/FloatAttr());
    rows = gatherContext(rows, attention->contextWidths, name);
  }
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
  auto addWgrad = [&](StringRef part, Value dy, Value x,
                      const DenseCost &cost) {
    std::string site = ("." + name + part + ".wgrad").str();
    Value weights = DenseWgradOp::create(
        b, loc(site), tensor({cost.parameters}), saved.name + part.str(), dy, x,
        cost.wgrad.macs, cost.wgrad.gemms, layout.sequences, getShards(),
        /*us=*/FloatAttr());
    gradients.push_back(
        sumOver(weights, getTokenAxes(layout.tpAxes), site + ".sum"));
  };
  Value projected;
  const DenseCost *before = saved.split ? &*saved.split->projections : nullptr;
  if (before) {
    projected =
        gatherContextGradient(gradient, saved.split->contextWidths, name);
    gradient = DenseDgradOp::create(
        b, loc("." + name + ".projections.dgrad"), rows.getType(),
        saved.name + ".projections", projected, saved.rowsBefore,
        before->dgrad.macs, before->dgrad.gemms, /*parts=*/1, layout.sequences,
        getShards(), /*us=*/FloatAttr());
  }
  if (gathersTokens())
    gradient = ReduceScatterOp::create(b, loc("." + name + ".reduce"), gradient,
                                       group(layout.tpAxes),
                                       /*dim=*/0, Reduction::Sum, layout.tp);
  else if (layout.tp > 1)
    gradient =
        AllReduceOp::create(b, loc("." + name + ".reduce"), gradient.getType(),
                            gradient, group(layout.tpAxes));
  // Last first: they are turned round once more.
  addWgrad("", rows, saved.rows, cost);
  if (before)
    addWgrad(".projections", projected, saved.rowsBefore, *before);
  return arith::AddFOp::create(b, loc("." + name + ".residual"), cotangent,
                               gradient);
}
