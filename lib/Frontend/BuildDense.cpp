// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dense parts between MoE layers.
//
// Dense parts use Megatron's tensor parallelism: every rank has a share of the
// weights, reads all tokens of its group, and computes a partial sum.
//
// - If all tp ranks have the same tokens, nothing precedes the part and an
//   all_reduce follows it. Backward, the gradient of the sum is the gradient of
//   every partial sum, and an all_reduce sums the operand's gradients through
//   the shares of the weights (f and g, which swap).
// - With sequence parallelism, an all_gather precedes the part and a
//   reduce_scatter follows it. They are each other's transpose, so they swap in
//   the backward pass as well.
//
// Each rank holds tokens of whole sequences, or the same piece of every
// sequence, under sequence parallelism and along cp.
//
// In both cases, a rank's gradient of its share of the weights is complete
// within its tp group, and lacks the contributions of ranks with different
// tokens, along dp, cp and ep.
//
// If ranks share sequences, an attention is two parts: its projections, and,
// after an exchange of keys and values, the rest.

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
    // Numbers distinguish several parts of the same kind.
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
    // Every rank computes its projections without a reduction: the all_reduce
    // after the rest adds up the parts of the tensor-parallel ranks.
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
        {sumOver(weights, getTokenAxes(layout.tpAxes), site + ".sum"),
         std::nullopt});
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
  // The last gradient comes first, because the caller reverses them again.
  addWgrad("", rows, saved.rows, cost);
  if (before)
    addWgrad(".projections", projected, saved.rowsBefore, *before);
  return arith::AddFOp::create(b, loc("." + name + ".residual"), cotangent,
                               gradient);
}
