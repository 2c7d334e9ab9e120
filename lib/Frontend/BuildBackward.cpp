// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backward pass of MoE layers.
//
// A collective is a linear map of the data on all ranks, and its transpose
// propagates gradients: an all_to_all with split = concat is its own transpose;
// an all_gather and a reduce_scatter are each other's.
//
// If all ranks of a group hold the same tokens (no sequence parallelism), the
// gradient of a value they share is also shared: it counts once instead of once
// per rank. Therefore, the all_reduce that completes partial sums passes its
// gradient on unchanged, and a shared value that every rank used differently,
// through its shard of an expert, needs an all_reduce to sum the ranks'
// gradients (Megatron's f and g).
//
// The loss is a sum over tokens, so the gradient of a parameter is the sum over
// all ranks with tokens that used it. Within each rank, the sum covers tokens
// exchanged over ep for experts, and tokens that a gather brought for shards.
// The rest is an all_reduce over the axes along which ranks hold different
// tokens and the same parameter, but never over axes along which they hold the
// same tokens.

#include "ModuleBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace moe;

ModuleBuilder::SmallVector<StringRef>
ModuleBuilder::getTokenAxes(ArrayRef<StringRef> varying) {
  SmallVector<StringRef> axes = tokenAxes;
  llvm::erase_if(
      axes, [&](StringRef axis) { return llvm::is_contained(varying, axis); });
  return axes;
}

ModuleBuilder::SmallVector<StringRef>
ModuleBuilder::getRoutedAxes(ArrayRef<StringRef> varying) {
  SmallVector<StringRef> axes = getTokenAxes(varying);
  if (sharesRouting())
    for (StringRef axis : layout.tpAxes)
      if (!llvm::is_contained(varying, axis))
        axes.push_back(axis);
  return axes;
}

Value ModuleBuilder::sumOver(Value gradient, ArrayRef<StringRef> axes,
                             const Twine &name) {
  SmallVector<StringRef> several;
  for (StringRef axis : axes)
    for (auto [other, size] : llvm::zip_equal(layout.axes, layout.shape))
      if (axis == other && size > 1)
        several.push_back(axis);
  if (several.empty())
    return gradient;
  return AllReduceOp::create(b, loc(name), gradient.getType(), gradient,
                             group(several));
}

Value ModuleBuilder::buildExpertsDgrad(Value cotangent,
                                       const Exchange &exchange,
                                       ArrayRef<unsigned> weights,
                                       StringRef name, bool biased) {
  return ExpertsDgradOp::create(b, loc(name), exchange.rows.getType(),
                                getExpertsKind(), exchange.rows,
                                getArguments(weights), cotangent,
                                exchange.runs.offsets, exchange.runs.sizes,
                                getActivation(), biased)
      .getResult();
}

void ModuleBuilder::addExpertsWgrad(Value cotangent, const Exchange &exchange,
                                    ArrayRef<unsigned> weights,
                                    ArrayRef<StringRef> axes, StringRef name,
                                    bool biased, Gradients &gradients) {
  SmallVector<Value, 3> values = getArguments(weights);
  auto wgrad = ExpertsWgradOp::create(
      b, loc(name), ValueRange(values).getTypes(), getExpertsKind(),
      exchange.rows, values, cotangent, exchange.runs.offsets,
      exchange.runs.sizes, getActivation(), biased);
  for (auto [gradient, weight] : llvm::zip_equal(wgrad.getGradients(), weights))
    gradients.push_back({sumOver(gradient, axes, name + ".sum"), weight});
}

Value ModuleBuilder::buildRoutedGradient(Value cotangent,
                                         const SavedLayer &saved,
                                         const LayerArguments &args,
                                         Gradients &gradients) {
  const Exchange &exchange = saved.routed;
  Gradients latent;
  cotangent =
      projectGradientToExperts(takeOwn(cotangent), exchange.latent, latent);
  Value kept;
  Value slots =
      splitKept(sendGradient(cotangent, exchange), kept, ".unpermute");
  slots = exchangeRows(slots, exchange, Direction::ToExperts, ".combine");
  GroupAttr espGroup = group(layout.espAxes);
  Value rows = swapLeading(slots, ".combine.transpose");
  if (gathersRows())
    rows = AllGatherOp::create(b, loc(".combine.gather"), rows, espGroup,
                               getRowDim(), layout.esp);
  Value sums = buildExpertsDgrad(rows, exchange, args.experts, ".experts.dgrad",
                                 config.hasExpertBiases);
  if (layout.esp > 1 && !gathersRows())
    sums = AllReduceOp::create(b, loc(".dispatch.reduce"), sums.getType(), sums,
                               espGroup);
  Value back = swapLeading(sums, ".dispatch.transpose");
  if (gathersRows())
    back = ReduceScatterOp::create(b, loc(".dispatch.reduce"), back, espGroup,
                                   getRowDim(), Reduction::Sum, layout.esp);
  back = exchangeRows(back, exchange, Direction::Back, ".dispatch", kept);
  back = joinKept(back, kept, ".permute");
  Value result = projectGradientFromExperts(
      collectGradient(back, exchange),
      sharesRouting() ? exchange.tokens : saved.tokens, latent);

  // The ops below do not delay the exchange, which depends on none of them.
  Value throughGate =
      buildRouterGradient(cotangent, back, saved, args, gradients);
  SmallVector<StringRef> varying(ArrayRef(layout.epAxes));
  llvm::append_range(varying, layout.espAxes);
  addExpertsWgrad(rows, exchange, args.experts, getRoutedAxes(varying),
                  ".experts.wgrad", config.hasExpertBiases, gradients);
  llvm::append_range(gradients, llvm::reverse(latent));
  if (throughGate)
    result = arith::AddFOp::create(b, loc(".gate.add"), result, throughGate);
  return joinOwn(result);
}

Value ModuleBuilder::buildAppliedSharedGradient(Value cotangent,
                                                const Exchange &saved,
                                                const LayerArguments &args,
                                                Gradients &gradients) {
  GroupAttr tpGroup = group(layout.tpAxes);
  if (gathersTokens())
    cotangent = AllGatherOp::create(b, loc(".shared.gather"), cotangent,
                                    tpGroup, /*dim=*/1, layout.tp);
  Value sums = buildExpertsDgrad(cotangent, saved, args.shared, ".shared.dgrad",
                                 /*biased=*/false);
  if (gathersTokens())
    sums = ReduceScatterOp::create(b, loc(".shared.reduce"), sums, tpGroup,
                                   /*dim=*/1, Reduction::Sum, layout.tp);
  else if (isSharedSplit())
    sums = AllReduceOp::create(b, loc(".shared.reduce"), sums.getType(), sums,
                               tpGroup);
  addExpertsWgrad(cotangent, saved, args.shared, getTokenAxes(layout.tpAxes),
                  ".shared.wgrad", /*biased=*/false, gradients);
  return sums;
}

Value ModuleBuilder::buildSharedGradient(Value cotangent,
                                         const SavedLayer &saved,
                                         const LayerArguments &args,
                                         Gradients &gradients) {
  const Exchange &exchange = saved.shared;
  auto tokenType = cast<RankedTensorType>(cotangent.getType());
  if (!config.hasSharedGate) {
    Value rows = expandRows(cotangent, ".shared.expand");
    rows = buildAppliedSharedGradient(rows, exchange, args, gradients);
    return collapseRows(rows, ".shared.collapse");
  }
  Value dWeights = UnpermuteWgradOp::create(
      b, loc(".shared.unpermute.wgrad"), exchange.weights.getType(), cotangent,
      exchange.buffer, exchange.slots);
  auto gate = GateGradOp::create(
      b, loc(".shared.gate"), tokenType, argument(*args.sharedGate).getType(),
      /*further_gradient=*/Type(), GateKind::Sigmoid, saved.tokens,
      argument(*args.sharedGate), exchange.ids, dWeights, /*noise=*/Value(),
      /*projection=*/Value(), /*seed=*/Value(), /*normalize=*/false,
      APFloat(1.0), /*jitter=*/FloatAttr(), /*temperature=*/FloatAttr());
  gradients.push_back(
      {sumOver(gate.getRouterGradient(), getTokenAxes(), ".shared.gate.sum"),
       args.sharedGate});
  Value rows =
      ScatterOp::create(b, loc(".shared.unpermute"), exchange.buffer.getType(),
                        cotangent, exchange.slots, exchange.weights);
  rows = buildAppliedSharedGradient(rows, exchange, args, gradients);
  Value result = sumCopies(rows, exchange.slots, ".shared.permute");
  return arith::AddFOp::create(b, loc(".shared.gate.add"), result,
                               gate.getTokensGradient());
}

Value ModuleBuilder::buildLayerGradient(Value cotangent, const Step &step,
                                        Gradients &gradients) {
  layerIndex = step.index;
  SmallVector<Value> yielded(1);
  auto block = std::make_unique<Block>();
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(block.get());
    SavedLayer saved = *step.layer;
    if (options.layer && isDropless())
      planRows(saved.routed);
    if (config.isGateOutside())
      takeRouting(*step.args, saved.routed);
    Value result = buildRoutedGradient(cotangent, saved, *step.args, gradients);
    if (config.sharedFFNSize > 0) {
      Value shared =
          buildSharedGradient(cotangent, saved, *step.args, gradients);
      result = arith::AddFOp::create(b, loc(".shared.add"), result, shared);
    }
    yielded.front() = result;
    for (const Gradient &gradient : gradients)
      yielded.push_back(gradient.value);
    YieldOp::create(b, loc(".yield"), yielded);
  }
  auto op = LayerOp::create(b, loc(""), ValueRange(yielded).getTypes(),
                            b.getStringAttr(Twine(step.index)),
                            PhaseAttr::get(b.getContext(), Phase::Backward));
  op.getBody().push_back(block.release());
  for (auto [gradient, result] :
       llvm::zip_equal(gradients, op.getResults().drop_front()))
    gradient.value = result;
  if (options.layer)
    return op.getResult(0);
  return arith::AddFOp::create(b, loc(".residual"), cotangent, op.getResult(0));
}
