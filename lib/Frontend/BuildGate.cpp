// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gates of all kinds and their gradients.
//
// If tokens choose experts, tokens are copied into slots and combined by
// weighted sums. If experts choose tokens, the same ops have one slot for each
// pair of token and expert. A soft gate mixes: slots are sums of tokens and
// tokens are sums of slots, each with its own weights.

#include "ModuleBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace moe;

/// Default divisor of cosines in an xmoe gate.
static constexpr double kTemperature = 0.07;

GateKind ModuleBuilder::getGateKind() const {
  switch (config.getGate()) {
  case GateModule::Sigmoid:
    return GateKind::Sigmoid;
  case GateModule::SqrtSoftplus:
    return GateKind::SqrtSoftplus;
  case GateModule::Switch:
    return GateKind::Switch;
  case GateModule::GShard:
    return GateKind::GShard;
  case GateModule::XMoE:
    return GateKind::XMoE;
  default:
    return GateKind::Softmax;
  }
}

static ChoiceScores getChoiceScores(GateModule gate) {
  return gate == GateModule::ExpertChoice ? ChoiceScores::Experts
                                          : ChoiceScores::Tokens;
}

FloatAttr ModuleBuilder::getJitter() {
  return options.gateJitter ? b.getF64FloatAttr(*options.gateJitter)
                            : FloatAttr();
}

FloatAttr ModuleBuilder::getTemperature() {
  return config.getGate() == GateModule::XMoE
             ? b.getF64FloatAttr(options.gateTemperature.value_or(kTemperature))
             : FloatAttr();
}

Value ModuleBuilder::sendTokens(Value tokens, const LayerArguments &args,
                                Exchange &saved) {
  auto optional = [&](std::optional<unsigned> position) {
    return position ? argument(*position) : Value();
  };
  GateModule module = config.getGate();
  RankedTensorType slotType = getSlotType();
  Value rows = projectToExperts(tokens);
  if (rows != tokens)
    saved.projected = rows;
  if (module == GateModule::SoftMoE) {
    auto type = RankedTensorType::get(
        {layout.routedTokens, config.numExperts, layout.capacity},
        b.getF32Type());
    auto gate = SoftGateOp::create(b, loc(".gate"), type, type, tokens,
                                   argument(*args.router));
    saved.mix = gate.getDispatch();
    saved.weights = gate.getCombine();
    return SoftPermuteOp::create(b, loc(".permute"), slotType, rows, saved.mix);
  }
  if (config.isGateOutside()) {
    takeRouting(args, saved);
    Value copies = orderTokens(rows, saved);
    return config.weighsInputs ? weighCopies(rows, copies, saved) : copies;
  }
  auto typeOf = [&](int64_t columns, Type element) {
    return RankedTensorType::get({layout.routedTokens, columns}, element);
  };
  if (!config.tokensChoose()) {
    auto gate = ExpertChoiceOp::create(
        b, loc(".gate"), typeOf(config.numExperts, b.getI32Type()),
        typeOf(config.numExperts, b.getF32Type()), getChoiceScores(module),
        tokens, argument(*args.router), layout.capacity);
    saved.slots = gate.getSlots();
    saved.weights = gate.getWeights();
    return ScatterOp::create(b, loc(".permute"), slotType, rows, saved.slots,
                             /*weights=*/Value());
  }
  IntegerAttr topGroups, numGroups;
  // A single group means no restriction, like a router without groups.
  if (config.groups && config.groups->count > 1) {
    topGroups = b.getI64IntegerAttr(config.groups->chosen);
    numGroups = b.getI64IntegerAttr(config.groups->count);
  }
  auto gate = GateOp::create(
      b, loc(".gate"), typeOf(config.topK, b.getI32Type()),
      typeOf(config.topK, b.getF32Type()), getGateKind(), tokens,
      argument(*args.router), optional(args.bias), optional(args.noise),
      optional(args.projection), optional(args.seed), config.topK, topGroups,
      numGroups, config.normalizesWeights(), APFloat(config.weightScale()),
      getJitter(), getTemperature(), config.hasRouterBias);
  saved.ids = gate.getIds();
  saved.weights = gate.getWeights();
  Value copies = orderTokens(rows, saved);
  return config.weighsInputs ? weighCopies(rows, copies, saved) : copies;
}

void ModuleBuilder::takeRouting(const LayerArguments &args,
                                Exchange &exchange) {
  exchange.ids = takeOwn(argument(*args.ids));
  exchange.weights = takeOwn(argument(*args.weights));
}

Value ModuleBuilder::collectTokens(const Exchange &saved) {
  RankedTensorType type =
      tensor({layout.routedTokens, config.getExpertWidth()});
  if (saved.mix)
    return SoftUnpermuteOp::create(b, loc(".unpermute"), type, saved.buffer,
                                   saved.weights);
  if (config.weighsInputs)
    return sumCopies(saved.buffer, saved.slots, ".unpermute");
  return UnpermuteOp::create(b, loc(".unpermute"), type, saved.buffer,
                             saved.slots, saved.weights);
}

Value ModuleBuilder::sendGradient(Value cotangent, const Exchange &saved) {
  Type type = saved.buffer.getType();
  if (saved.mix)
    return SoftPermuteOp::create(b, loc(".unpermute"), type, cotangent,
                                 saved.weights);
  return ScatterOp::create(b, loc(".unpermute"), type, cotangent, saved.slots,
                           config.weighsInputs ? Value() : saved.weights);
}

Value ModuleBuilder::weighCopies(Value tokens, Value copies,
                                 const Exchange &exchange) {
  // Only the slots of the copies are used.
  return ScatterOp::create(b, loc(".permute.weigh"), copies.getType(), tokens,
                           exchange.slots, exchange.weights);
}

Value ModuleBuilder::sumCopies(Value buffer, Value slots, StringRef name) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(slots.getType()).getShape();
  auto ones = RankedTensorType::get(shape, b.getF32Type());
  Value weights = arith::ConstantOp::create(
      b, loc(name),
      DenseElementsAttr::get(ones, b.getF32FloatAttr(1.0f).getValue()));
  int64_t width = cast<RankedTensorType>(buffer.getType()).getShape().back();
  return UnpermuteOp::create(b, loc(name), tensor({shape.front(), width}),
                             buffer, slots, weights);
}

Value ModuleBuilder::collectGradient(Value sent, const Exchange &saved) {
  if (saved.mix)
    return SoftUnpermuteOp::create(
        b, loc(".permute"),
        tensor({layout.routedTokens, config.getExpertWidth()}), sent,
        saved.mix);
  if (config.weighsInputs)
    return UnpermuteOp::create(
        b, loc(".permute"),
        tensor({layout.routedTokens, config.getExpertWidth()}), sent,
        saved.slots, saved.weights);
  return sumCopies(sent, saved.slots, ".permute");
}

Value ModuleBuilder::buildRouterGradient(Value cotangent, Value sent,
                                         const SavedLayer &saved,
                                         const LayerArguments &args,
                                         Gradients &gradients) {
  auto optional = [&](std::optional<unsigned> position) {
    return position ? argument(*position) : Value();
  };
  auto add = [&](Value gradient, unsigned of, StringRef name) {
    gradients.push_back({sumOver(gradient, getRoutedAxes(), name), of});
  };
  const Exchange &exchange = saved.routed;
  Value tokens = sharesRouting() ? exchange.tokens : saved.tokens;
  Value rows = exchange.projected ? exchange.projected : tokens;
  if (exchange.mix) {
    Value ofMix = SoftWgradOp::create(b, loc(".permute.wgrad"),
                                      exchange.mix.getType(), rows, sent);
    Value ofWeights = SoftWgradOp::create(b, loc(".unpermute.wgrad"),
                                          exchange.weights.getType(), cotangent,
                                          exchange.buffer);
    Value router = argument(*args.router);
    auto gate = SoftGateGradOp::create(b, loc(".gate"), tokens.getType(),
                                       router.getType(), tokens, router, ofMix,
                                       ofWeights);
    add(gate.getRouterGradient(), *args.router, ".gate.sum");
    return gate.getTokensGradient();
  }
  // The weight multiplies either the expert's output or its input, so its
  // gradient is the product of a row with that copy.
  bool ofInputs = config.weighsInputs;
  Value ofWeights = UnpermuteWgradOp::create(
      b, loc(".unpermute.wgrad"), exchange.weights.getType(),
      ofInputs ? rows : cotangent, ofInputs ? sent : exchange.buffer,
      exchange.slots);
  if (config.isGateOutside()) {
    // The weights belong to the rank's own tokens, and so does their gradient.
    gradients.push_back({joinOwn(ofWeights), args.weights});
    return Value();
  }
  Value router = argument(*args.router);
  if (!config.tokensChoose()) {
    auto gate = ExpertChoiceGradOp::create(
        b, loc(".gate"), tokens.getType(), router.getType(),
        getChoiceScores(config.getGate()), tokens, router, exchange.slots,
        ofWeights);
    add(gate.getRouterGradient(), *args.router, ".gate.sum");
    return gate.getTokensGradient();
  }
  Value further = optional(args.noise ? args.noise : args.projection);
  auto gate = GateGradOp::create(
      b, loc(".gate"), tokens.getType(), router.getType(),
      further ? further.getType() : Type(), getGateKind(), tokens, router,
      exchange.ids, ofWeights, optional(args.noise), optional(args.projection),
      optional(args.seed), config.normalizesWeights(),
      APFloat(config.weightScale()), getJitter(), getTemperature(),
      config.hasRouterBias);
  add(gate.getRouterGradient(), *args.router, ".gate.sum");
  if (further)
    add(gate.getFurtherGradient(), args.noise ? *args.noise : *args.projection,
        args.noise ? ".gate.noise.sum" : ".gate.projection.sum");
  return gate.getTokensGradient();
}
