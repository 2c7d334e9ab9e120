// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Construction of a module for a model.

#include "ModuleBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "moe/Dialect/MoE/ModelWork.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace moe;

static Type getElementType(Builder &b, ElementKind kind) {
  switch (kind) {
  case ElementKind::BF16:
    return b.getBF16Type();
  case ElementKind::F16:
    return b.getF16Type();
  case ElementKind::F32:
    return b.getF32Type();
  }
  llvm_unreachable("unknown element kind");
}

ModuleBuilder::ModuleBuilder(MLIRContext &context, const ModelConfig &config,
                             const ImportOptions &options, const Layout &layout)
    : b(&context), config(config), options(options), layout(layout),
      elementType(getElementType(b, options.elements)) {
  llvm::append_range(tokenAxes, layout.batchAxes);
  if (options.sequenceParallel)
    llvm::append_range(tokenAxes, layout.tpAxes);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

unsigned ModuleBuilder::addArgument(const Twine &name, ArrayRef<int64_t> shape,
                                    Type element, ArrayRef<StringRef> varying) {
  return addArgument(name, RankedTensorType::get(shape, element), varying);
}

unsigned ModuleBuilder::addArgument(const Twine &name, Type type,
                                    ArrayRef<StringRef> varying) {
  // Every stage has its own data.
  SmallVector<StringRef> axes(varying);
  if (layout.pp > 1)
    axes.push_back("pp");
  argumentTypes.push_back(type);
  StringAttr text = b.getStringAttr(name);
  SmallVector<NamedAttribute> attrs{b.getNamedAttr(
      MoEDialect::getVaryingAttrName(), b.getStrArrayAttr(axes))};
  // Callers match gradients to arguments by name.
  if (options.layer)
    attrs.push_back(b.getNamedAttr(kNameAttrName, text));
  argumentAttrs.push_back(b.getDictionaryAttr(attrs));
  argumentLocs.push_back(NameLoc::get(text));
  argumentNames.push_back(text.str());
  return argumentTypes.size() - 1;
}

ModuleBuilder::SmallVector<unsigned, 3>
ModuleBuilder::addExperts(const Twine &name, int64_t experts, int64_t hidden,
                          int64_t ffn, bool biased,
                          ArrayRef<StringRef> varying) {
  int64_t biases = biased;
  // The names of the matrices in each model's own code.
  SmallVector<StringRef, 2> inner = {"gate_proj", "up_proj"};
  StringRef outer = "down_proj";
  if (getExpertsKind() == ExpertsKind::GPT) {
    inner = {"c_fc"};
    outer = "c_proj";
  }
  SmallVector<unsigned, 3> weights;
  for (StringRef weight : inner)
    weights.push_back(addArgument(name + "." + weight,
                                  {experts, hidden + biases, ffn}, elementType,
                                  varying));
  weights.push_back(addArgument(name + "." + outer,
                                {experts, ffn + biases, hidden}, elementType,
                                varying));
  return weights;
}

ModuleBuilder::LayerArguments ModuleBuilder::addLayerArguments(int64_t layer) {
  std::string name = "layer." + std::to_string(layer);
  LayerArguments args;
  GateModule gate = config.getGate();
  int64_t hidden = config.hiddenSize, experts = config.getScoredExperts();
  if (config.isGateOutside()) {
    SmallVector<int64_t> shape = {layout.tokens, config.topK};
    args.ids = addArgument("ids", shape, b.getI32Type(), tokenAxes);
    args.weights = addArgument("weights", shape, b.getF32Type(), tokenAxes);
  } else {
    SmallVector<int64_t> router = {layout.projected ? layout.projected : hidden,
                                   experts};
    if (config.hasRouterBias)
      ++router.front();
    if (gate == GateModule::SoftMoE)
      router.push_back(layout.capacity);
    args.router = addArgument(name + ".router", router, elementType, {});
  }
  if (config.hasSelectionBias)
    args.bias =
        addArgument(name + ".router.bias", {experts}, b.getF32Type(), {});
  if (gate == GateModule::GShard)
    args.noise =
        addArgument(name + ".router.noise", {hidden, experts}, elementType, {});
  if (gate == GateModule::XMoE)
    args.projection = addArgument(name + ".router.projection",
                                  {hidden, layout.projected}, elementType, {});
  // Different tokens must have different noise.
  if (gate == GateModule::GShard || options.gateJitter)
    args.seed =
        addArgument(name + ".router.seed", b.getI64Type(), getRoutedAxes());

  SmallVector<StringRef> expertAxes(ArrayRef(layout.epAxes));
  llvm::append_range(expertAxes, layout.espAxes);
  args.experts = addExperts(name + ".experts", layout.localExperts,
                            config.getExpertWidth(), layout.localFFNSize,
                            config.hasExpertBiases, expertAxes);

  if (config.hasSharedGate)
    args.sharedGate = addArgument(name + ".shared.router",
                                  {config.hiddenSize, 1}, elementType, {});
  if (config.sharedFFNSize > 0)
    args.shared = addExperts(name + ".shared", 1, hidden,
                             layout.localSharedFFNSize, /*biased=*/false,
                             isSharedSplit() ? ArrayRef(layout.tpAxes)
                                             : ArrayRef<StringRef>());
  return args;
}

//===----------------------------------------------------------------------===//
// Body
//===----------------------------------------------------------------------===//

Value ModuleBuilder::hook(HookPoint point, Value value) {
  if (!options.hooks)
    return value;
  return HookOp::create(b, loc("." + stringifyHookPoint(point)),
                        value.getType(), point, value);
}

Value ModuleBuilder::applyExperts(const Exchange &exchange,
                                  ArrayRef<unsigned> weights, StringRef name,
                                  bool biased) {
  return ExpertsOp::create(b, loc(name), exchange.rows.getType(),
                           getExpertsKind(), exchange.rows,
                           getArguments(weights), exchange.runs.offsets,
                           exchange.runs.sizes, getActivation(), biased)
      .getResult();
}

Value ModuleBuilder::buildExperts(Value slots, const LayerArguments &args,
                                  Exchange &saved) {
  bool sharded = layout.esp > 1;
  GroupAttr espGroup = group(layout.espAxes);
  if (gathersRows())
    slots = AllGatherOp::create(b, loc(".dispatch.gather"), slots, espGroup,
                                getRowDim(), layout.esp);
  saved.rows = swapLeading(slots, ".dispatch.transpose");
  Value sums =
      applyExperts(saved, args.experts, ".experts", config.hasExpertBiases);
  if (gathersRows())
    sums = ReduceScatterOp::create(b, loc(".combine.reduce"), sums, espGroup,
                                   getRowDim(), Reduction::Sum, layout.esp);
  else if (sharded)
    sums = AllReduceOp::create(b, loc(".combine.reduce"), sums.getType(), sums,
                               espGroup);
  return swapLeading(sums, ".combine.transpose");
}

Value ModuleBuilder::takeOwn(Value rows) {
  return sharesRouting()
             ? DropOp::create(b, loc(".fold.drop"), rows, group(layout.tpAxes),
                              /*dim=*/0, layout.tp)
             : rows;
}

Value ModuleBuilder::joinOwn(Value rows) {
  return sharesRouting()
             ? AllGatherOp::create(b, loc(".fold.gather"), rows,
                                   group(layout.tpAxes), /*dim=*/0, layout.tp)
             : rows;
}

Value ModuleBuilder::buildRouted(Value tokens, const LayerArguments &args,
                                 Exchange &saved) {
  saved.tokens = takeOwn(tokens);
  Value kept;
  Value slots =
      splitKept(sendTokens(saved.tokens, args, saved), kept, ".permute");
  slots = hook(HookPoint::BeforeDispatch, slots);
  slots = exchangeRows(slots, saved, Direction::ToExperts, ".dispatch");
  slots = hook(HookPoint::AfterDispatch, slots);
  slots = buildExperts(slots, args, saved);
  slots = hook(HookPoint::BeforeCombine, slots);
  slots = exchangeRows(slots, saved, Direction::Back, ".combine", kept);
  slots = hook(HookPoint::AfterCombine, slots);
  saved.buffer = joinKept(slots, kept, ".unpermute");
  return joinOwn(projectFromExperts(collectTokens(saved), saved.latent));
}

Value ModuleBuilder::applyShared(Value rows, const LayerArguments &args,
                                 Exchange &saved) {
  GroupAttr tpGroup = group(layout.tpAxes);
  bool gathers = gathersTokens();
  if (gathers)
    rows = AllGatherOp::create(b, loc(".shared.gather"), rows, tpGroup,
                               /*dim=*/1, layout.tp);
  saved.rows = rows;
  Value sums = applyExperts(saved, args.shared, ".shared", /*biased=*/false);
  if (gathers)
    return ReduceScatterOp::create(b, loc(".shared.reduce"), sums, tpGroup,
                                   /*dim=*/1, Reduction::Sum, layout.tp);
  if (isSharedSplit())
    return AllReduceOp::create(b, loc(".shared.reduce"), sums.getType(), sums,
                               tpGroup);
  return sums;
}

Value ModuleBuilder::expandRows(Value rows, StringRef name) {
  return tensor::ExpandShapeOp::create(
      b, loc(name), tensor({1, layout.tokens, config.hiddenSize}), rows,
      SmallVector<ReassociationIndices>{{0, 1}, {2}});
}

Value ModuleBuilder::collapseRows(Value rows, StringRef name) {
  return tensor::CollapseShapeOp::create(
      b, loc(name), tensor({layout.tokens, config.hiddenSize}), rows,
      SmallVector<ReassociationIndices>{{0, 1}, {2}});
}

Value ModuleBuilder::buildShared(Value tokens, const LayerArguments &args,
                                 Exchange &saved) {
  Value rows = expandRows(tokens, ".shared.expand");
  return collapseRows(applyShared(rows, args, saved), ".shared.collapse");
}

Value ModuleBuilder::buildGatedShared(Value tokens, const LayerArguments &args,
                                      Exchange &saved) {
  // This is one expert that every token chooses: the sigmoid gate's weight is
  // then the sigmoid of the token's product with the single router column.
  auto weightType = RankedTensorType::get({layout.tokens, 1}, b.getF32Type());
  auto idType = RankedTensorType::get({layout.tokens, 1}, b.getI32Type());
  auto gate = GateOp::create(
      b, loc(".shared.gate"), idType, weightType, GateKind::Sigmoid, tokens,
      argument(*args.sharedGate), /*bias=*/Value(), /*top_k=*/1,
      /*top_groups=*/IntegerAttr(), /*num_groups=*/IntegerAttr(),
      /*normalize=*/false, APFloat(1.0));
  auto order = PermuteOp::create(
      b, loc(".shared.permute"), tensor({1, layout.tokens, config.hiddenSize}),
      idType, OrderKind::Choice, tokens, gate.getIds());
  Value rows = applyShared(order.getBuffer(), args, saved);
  saved.ids = gate.getIds();
  saved.weights = gate.getWeights();
  saved.slots = order.getSlots();
  saved.buffer = rows;
  return UnpermuteOp::create(b, loc(".shared.unpermute"), tokens.getType(),
                             rows, order.getSlots(), gate.getWeights());
}

ModuleBuilder::SmallVector<Value *>
ModuleBuilder::listSaved(SavedLayer &saved) {
  SmallVector<Value *> values;
  auto add = [&](std::initializer_list<Value *> some) {
    llvm::copy_if(some, std::back_inserter(values),
                  [](Value *value) { return bool(*value); });
  };
  for (Exchange *exchange : {&saved.routed, &saved.shared}) {
    // Arguments of both functions need not be saved.
    if (exchange == &saved.shared || !config.isGateOutside())
      add({&exchange->ids, &exchange->weights});
    add({&exchange->slots, &exchange->mix, &exchange->rows, &exchange->buffer,
         &exchange->projected, &exchange->latent});
    // The host has the plan, but only data on a stream can be passed between
    // functions, so the backward function makes the plan again.
    if (options.layer)
      add({&exchange->counts});
    else
      add({&exchange->sent.offsets, &exchange->sent.sizes,
           &exchange->received.offsets, &exchange->received.sizes,
           &exchange->runs.offsets, &exchange->runs.sizes});
  }
  if (sharesRouting())
    values.push_back(&saved.routed.tokens);
  return values;
}

Value ModuleBuilder::buildLayer(Value tokens, Step &step) {
  layerIndex = step.index;
  SavedLayer &saved = step.layer.emplace();
  saved.tokens = tokens;
  SmallVector<Value> yielded(1);
  SmallVector<Value *> kept;
  auto block = std::make_unique<Block>();
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(block.get());
    Value start = hook(HookPoint::BeforeMoeStart, tokens);
    Value result = buildRouted(start, *step.args, saved.routed);
    if (config.sharedFFNSize > 0) {
      Value shared = config.hasSharedGate
                         ? buildGatedShared(start, *step.args, saved.shared)
                         : buildShared(start, *step.args, saved.shared);
      result = arith::AddFOp::create(b, loc(".shared.add"), result, shared);
    }
    yielded.front() = hook(HookPoint::BeforeMoeEnd, result);
    // Outside its region, a layer's values are only available as results.
    if (hasBackward())
      kept = listSaved(saved);
    for (Value *value : kept)
      yielded.push_back(*value);
    YieldOp::create(b, loc(".yield"), yielded);
  }
  auto op = LayerOp::create(b, loc(""), ValueRange(yielded).getTypes(),
                            b.getStringAttr(Twine(step.index)),
                            PhaseAttr::get(b.getContext(), Phase::Forward));
  op.getBody().push_back(block.release());
  for (auto [value, result] :
       llvm::zip_equal(kept, op.getResults().drop_front()))
    *value = result;
  if (options.layer)
    return op.getResult(0);
  return arith::AddFOp::create(b, loc(".residual"), tokens, op.getResult(0));
}

OwningOpRef<ModuleOp> ModuleBuilder::build() {
  Location mainLoc = NameLoc::get(b.getStringAttr(options.entry));
  OwningOpRef<ModuleOp> module =
      ModuleOp::create(NameLoc::get(b.getStringAttr(config.modelType)));
  b.setInsertionPointToEnd(module->getBody());
  MeshOp::create(b, NameLoc::get(b.getStringAttr(kMeshName)), kMeshName,
                 b.getStrArrayAttr(layout.axes), layout.shape);

  if (options.layer) {
    buildLayerPrograms(*module);
    return module;
  }
  SmallVector<int64_t> tokenShape = {layout.tokens, config.hiddenSize};
  addArgument("tokens", tokenShape, elementType, tokenAxes);
  // The layers of the first stage; the other stages have as many.
  auto layers = ArrayRef(config.moeLayers).take_front(layout.stageLayers);
  auto arguments = llvm::map_to_vector(
      layers, [&](int64_t layer) { return addLayerArguments(layer); });
  // The gradient from the layers after the last one, or from the loss.
  unsigned cotangent =
      options.train ? addArgument("dresult", tokenShape, elementType, tokenAxes)
                    : 0;

  // All attributes are set at once, because setting them one by one copies all
  // of them each time, which is quadratic in the number of layers.
  auto type = b.getFunctionType(argumentTypes, argumentTypes.front());
  auto func = func::FuncOp::create(b, mainLoc, options.entry, type,
                                   ArrayRef<NamedAttribute>(), argumentAttrs);
  func->setAttr(
      kModelWorkAttrName,
      b.getDictionaryAttr(
          {b.getNamedAttr("flops", b.getF64FloatAttr(layout.modelFlops)),
           b.getNamedAttr("tokens", b.getI64IntegerAttr(layout.batchTokens))}));
  entry = b.createBlock(&func.getBody(), {}, argumentTypes, argumentLocs);
  std::vector<Step> steps;
  Value tokens = argument(0);
  int64_t before = -1;
  for (auto [layer, args] : llvm::zip_equal(layers, arguments)) {
    Step &step = steps.emplace_back();
    step.index = layer;
    step.args = &args;
    if (options.train)
      tokens = buildDenseParts(tokens, before, layer, step);
    tokens = buildLayer(tokens, step);
    before = layer;
  }
  // A truncated model ends with its last MoE layer.
  if (options.train && layout.pp == 1 &&
      layers.size() == config.moeLayers.size())
    tokens =
        buildDenseParts(tokens, before, config.numLayers, steps.emplace_back());
  if (layout.pp > 1)
    tokens = sendToStage(tokens, StageDirection::Onwards, ".stage.send");
  if (!options.train) {
    func::ReturnOp::create(b, mainLoc, tokens);
    return module;
  }

  isBackward = true;
  Value gradient = argument(cotangent);
  SmallVector<Gradients> gradients;
  for (const Step &step : llvm::reverse(steps)) {
    Gradients own;
    if (step.layer)
      gradient = buildLayerGradient(gradient, step, own);
    Gradients dense;
    for (const SavedDense &part : llvm::reverse(step.dense))
      gradient = buildDenseGradient(gradient, part, dense);
    // The order of the forward pass: dense parts, then the layer.
    Gradients &all = gradients.emplace_back();
    llvm::append_range(all, llvm::reverse(dense));
    llvm::append_range(all, own);
  }
  if (layout.pp > 1)
    gradient = sendToStage(gradient, StageDirection::Back, ".stage.send");
  SmallVector<Value> results = {tokens, gradient};
  for (const Gradients &step : llvm::reverse(gradients))
    for (const Gradient &gradient : step)
      results.push_back(gradient.value);
  func.setFunctionType(
      b.getFunctionType(argumentTypes, ValueRange(results).getTypes()));
  func::ReturnOp::create(b, mainLoc, results);
  return module;
}

/// Compiled code and its header contain the name, so it must be valid in C.
static llvm::Error verifyEntry(StringRef name) {
  bool isName =
      !name.empty() && !llvm::isDigit(name.front()) &&
      llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (isName && name != kMeshName)
    return llvm::Error::success();
  return makeImportError(
      "--entry: expected a name of letters, digits and _ that begins with no "
      "digit and is not '" +
      kMeshName + "', got '" + name + "'");
}

llvm::Expected<OwningOpRef<ModuleOp>>
moe::buildModule(MLIRContext &context, const ModelConfig &config,
                 const ImportOptions &options) {
  if (llvm::Error error = verifyEntry(options.entry))
    return error;
  if (options.layer && options.train)
    return makeImportError("expected either a training step or a layer, got "
                           "both");
  if (options.layer && options.pp > 1)
    return makeImportError("--phase=layer is not supported with --pp: a layer "
                           "alone has no stages");
  if (options.layer && options.numLayers.value_or(1) != 1)
    return makeImportError(
        "--phase=layer imports the first MoE layer, expected --layers=1, got " +
        Twine(*options.numLayers));
  llvm::Expected<Layout> layout = computeLayout(config, options);
  if (!layout)
    return layout.takeError();
  context.loadDialect<MoEDialect, arith::ArithDialect, func::FuncDialect,
                      tensor::TensorDialect>();
  OwningOpRef<ModuleOp> module =
      ModuleBuilder(context, config, options, *layout).build();
  if (failed(mlir::verify(*module)))
    return makeImportError("expected a module that verifies, got one "
                           "that does not");
  if (layout->capacity != layout->exactCapacity)
    emitRemark(UnknownLoc::get(&context))
        << layout->capacity << " slots an expert instead of "
        << layout->exactCapacity
        << ", so that more numbers of chunks divide them; "
           "--capacity-multiple=1 keeps these";
  return std::move(module);
}

std::vector<std::string> moe::listLeftOut(const ModelConfig &config,
                                          const ImportOptions &options) {
  std::vector<std::string> phrases = config.leavesOut;
  // Latent attention has no separate heads of keys and values.
  if (options.train && config.attention && config.attention->latent == 0 &&
      config.attention->keyValueHeads < options.tp)
    phrases.push_back(
        "the gather of queries, keys and values by tensor-parallel ranks that "
        "share heads, and its work is spread evenly over them (" +
        std::to_string(config.attention->keyValueHeads) +
        " heads of keys and values, " + std::to_string(options.tp) +
        " ranks); moe-plan memory and sweep count it for Megatron");
  return phrases;
}
