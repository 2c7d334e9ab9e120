//===- BuildModule.cpp - A model as a module --------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Frontend/BuildModule.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "moe/IR/MoEOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace moe;

namespace {

/// Positions of a layer's weights among the arguments of `main`.
struct LayerArguments {
  unsigned router = 0;
  std::optional<unsigned> bias;
  SmallVector<unsigned, 3> experts;
  std::optional<unsigned> sharedGate;
  SmallVector<unsigned, 3> shared;
};

/// Builds one module. The arguments of all layers are collected first, then
/// the function with all of them is made and its body filled layer by layer.
class ModuleBuilder {
public:
  ModuleBuilder(MLIRContext &context, const ModelConfig &config,
                const ImportOptions &options, const Layout &layout);

  OwningOpRef<ModuleOp> build();

private:
  //===--------------------------------------------------------------------===//
  // Arguments
  //===--------------------------------------------------------------------===//

  /// Adds an argument whose data varies over the given axes.
  unsigned addArgument(const Twine &name, ArrayRef<int64_t> shape, Type element,
                       ArrayRef<StringRef> varying);
  /// Adds the three weights of SwiGLU experts [experts, hidden, ffn].
  SmallVector<unsigned, 3> addExperts(const Twine &name, int64_t experts,
                                      int64_t ffn, ArrayRef<StringRef> varying);
  LayerArguments addLayerArguments(int64_t layer);

  //===--------------------------------------------------------------------===//
  // Body
  //===--------------------------------------------------------------------===//

  /// One layer, residual included: tokens [S, M] to tokens [S, M].
  Value buildLayer(Value tokens, int64_t layer, const LayerArguments &args);
  /// The routed experts' share of a layer's result.
  Value buildRouted(Value tokens, const LayerArguments &args);
  /// The expert networks on the slots [ep, E/ep, C, M] a rank has received.
  Value buildExperts(Value slots, const LayerArguments &args);
  /// The shared expert's share: DeepSeek's without a gate, Qwen's with one.
  Value buildShared(Value tokens, const LayerArguments &args);
  Value buildGatedShared(Value tokens, const LayerArguments &args);
  /// The shared expert on rows [1, R, M], its parts over tp summed up. Under
  /// sequence parallelism the rows of all tp ranks meet before.
  Value applyShared(Value rows, const LayerArguments &args);

  Value applyExperts(Value tokens, ArrayRef<unsigned> weights, StringRef name);
  Value allToAll(Value value, StringRef name);
  Value swapLeading(Value value, StringRef name);

  //===--------------------------------------------------------------------===//
  // Small things
  //===--------------------------------------------------------------------===//

  /// A location that names the place: "layer.3.dispatch".
  Location loc(const Twine &name) {
    return NameLoc::get(b.getStringAttr("layer." + Twine(layerIndex) + name));
  }
  GroupAttr group(ArrayRef<StringRef> axes) {
    return GroupAttr::get(FlatSymbolRefAttr::get(b.getContext(), "mesh"), axes);
  }
  RankedTensorType tensor(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, elementType);
  }
  Value argument(unsigned position) { return entry->getArgument(position); }
  /// True when the parts of a shared expert lie on several ranks.
  bool isSharedSplit() const { return layout.tp > 1; }

  OpBuilder b;
  const ModelConfig &config;
  const ImportOptions &options;
  const Layout &layout;
  Type elementType;

  SmallVector<Type> argumentTypes;
  SmallVector<DictionaryAttr> argumentAttrs;
  SmallVector<Location> argumentLocs;
  Block *entry = nullptr;
  /// The layer being built, for locations.
  int64_t layerIndex = 0;
};

} // namespace

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
      elementType(getElementType(b, options.elements)) {}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

unsigned ModuleBuilder::addArgument(const Twine &name, ArrayRef<int64_t> shape,
                                    Type element, ArrayRef<StringRef> varying) {
  argumentTypes.push_back(RankedTensorType::get(shape, element));
  argumentAttrs.push_back(b.getDictionaryAttr(b.getNamedAttr(
      MoEDialect::getVaryingAttrName(), b.getStrArrayAttr(varying))));
  argumentLocs.push_back(NameLoc::get(b.getStringAttr(name)));
  return argumentTypes.size() - 1;
}

SmallVector<unsigned, 3>
ModuleBuilder::addExperts(const Twine &name, int64_t experts, int64_t ffn,
                          ArrayRef<StringRef> varying) {
  int64_t hidden = config.hiddenSize;
  return {addArgument(name + ".gate_proj", {experts, hidden, ffn}, elementType,
                      varying),
          addArgument(name + ".up_proj", {experts, hidden, ffn}, elementType,
                      varying),
          addArgument(name + ".down_proj", {experts, ffn, hidden}, elementType,
                      varying)};
}

LayerArguments ModuleBuilder::addLayerArguments(int64_t layer) {
  std::string name = "layer." + std::to_string(layer);
  LayerArguments args;
  args.router =
      addArgument(name + ".router", {config.hiddenSize, config.numExperts},
                  elementType, {});
  if (config.hasSelectionBias)
    args.bias = addArgument(name + ".router.bias", {config.numExperts},
                            b.getF32Type(), {});

  SmallVector<StringRef> expertAxes = {"ep"};
  llvm::append_range(expertAxes, layout.espAxes);
  args.experts = addExperts(name + ".experts", layout.localExperts,
                            layout.localFFNSize, expertAxes);

  if (config.hasSharedGate)
    args.sharedGate = addArgument(name + ".shared.router",
                                  {config.hiddenSize, 1}, elementType, {});
  if (config.sharedFFNSize > 0)
    args.shared = addExperts(name + ".shared", 1, layout.localSharedFFNSize,
                             isSharedSplit() ? ArrayRef(layout.tpAxes)
                                             : ArrayRef<StringRef>());
  return args;
}

//===----------------------------------------------------------------------===//
// Body
//===----------------------------------------------------------------------===//

Value ModuleBuilder::allToAll(Value value, StringRef name) {
  return AllToAllOp::create(b, loc(name), value, group({"ep"}), /*splitDim=*/0,
                            /*concatDim=*/0, layout.ep);
}

Value ModuleBuilder::swapLeading(Value value, StringRef name) {
  return TransposeOp::create(b, loc(name), value,
                             ArrayRef<int64_t>{1, 0, 2, 3});
}

Value ModuleBuilder::applyExperts(Value tokens, ArrayRef<unsigned> weights,
                                  StringRef name) {
  auto values = llvm::map_to_vector(
      weights, [&](unsigned position) { return argument(position); });
  return ExpertsOp::create(b, loc(name), tokens.getType(), ExpertsKind::SwiGLU,
                           tokens, values, /*activation=*/ActivationAttr());
}

Value ModuleBuilder::buildExperts(Value slots, const LayerArguments &args) {
  bool sharded = layout.esp > 1;
  bool gathers = sharded && options.sequenceParallel;
  GroupAttr espGroup = group(layout.espAxes);
  // Ranks that share an expert hold other tokens each under sequence
  // parallelism; every part of the expert must see all of them.
  if (gathers)
    slots = AllGatherOp::create(b, loc(".dispatch.gather"), slots, espGroup,
                                /*dim=*/2, layout.esp);
  Value rows = swapLeading(slots, ".dispatch.transpose");
  Value sums = applyExperts(rows, args.experts, ".experts");
  if (gathers)
    sums = ReduceScatterOp::create(b, loc(".combine.reduce"), sums, espGroup,
                                   /*dim=*/2, Reduction::Sum, layout.esp);
  else if (sharded)
    sums = AllReduceOp::create(b, loc(".combine.reduce"), sums.getType(), sums,
                               espGroup);
  return swapLeading(sums, ".combine.transpose");
}

Value ModuleBuilder::buildRouted(Value tokens, const LayerArguments &args) {
  auto weightType =
      RankedTensorType::get({layout.tokens, config.topK}, b.getF32Type());
  auto idType =
      RankedTensorType::get({layout.tokens, config.topK}, b.getI32Type());
  IntegerAttr topGroups, numGroups;
  // One group limits nothing and is the same router without groups.
  if (config.groups && config.groups->count > 1) {
    topGroups = b.getI64IntegerAttr(config.groups->chosen);
    numGroups = b.getI64IntegerAttr(config.groups->count);
  }
  auto gate = GateOp::create(
      b, loc(".gate"), idType, weightType,
      config.scores == ScoreFunction::Sigmoid ? GateKind::Sigmoid
                                              : GateKind::Softmax,
      tokens, argument(args.router), args.bias ? argument(*args.bias) : Value(),
      config.topK, topGroups, numGroups, config.normalizesWeights(),
      APFloat(config.weightScale()));

  auto slotType = tensor(
      {layout.ep, layout.localExperts, layout.capacity, config.hiddenSize});
  auto order = OrderOp::create(b, loc(".order"), slotType, idType,
                               OrderKind::Choice, tokens, gate.getIds());
  Value slots = allToAll(order.getBuffer(), ".dispatch");
  slots = buildExperts(slots, args);
  slots = allToAll(slots, ".combine");
  return UnorderOp::create(b, loc(".unorder"), tokens.getType(), slots,
                           order.getSlots(), gate.getWeights());
}

Value ModuleBuilder::applyShared(Value rows, const LayerArguments &args) {
  GroupAttr tpGroup = group(layout.tpAxes);
  bool gathers = isSharedSplit() && options.sequenceParallel;
  if (gathers)
    rows = AllGatherOp::create(b, loc(".shared.gather"), rows, tpGroup,
                               /*dim=*/1, layout.tp);
  Value sums = applyExperts(rows, args.shared, ".shared");
  if (gathers)
    return ReduceScatterOp::create(b, loc(".shared.reduce"), sums, tpGroup,
                                   /*dim=*/1, Reduction::Sum, layout.tp);
  if (isSharedSplit())
    return AllReduceOp::create(b, loc(".shared.reduce"), sums.getType(), sums,
                               tpGroup);
  return sums;
}

Value ModuleBuilder::buildShared(Value tokens, const LayerArguments &args) {
  SmallVector<ReassociationIndices> reassociation = {{0, 1}, {2}};
  Value rows = tensor::ExpandShapeOp::create(
      b, loc(".shared.expand"), tensor({1, layout.tokens, config.hiddenSize}),
      tokens, reassociation);
  rows = applyShared(rows, args);
  return tensor::CollapseShapeOp::create(b, loc(".shared.collapse"),
                                         tokens.getType(), rows, reassociation);
}

Value ModuleBuilder::buildGatedShared(Value tokens,
                                      const LayerArguments &args) {
  // One expert that every token chooses: the sigmoid gate's weight is then the
  // sigmoid of the token's product with the one router column.
  auto weightType = RankedTensorType::get({layout.tokens, 1}, b.getF32Type());
  auto idType = RankedTensorType::get({layout.tokens, 1}, b.getI32Type());
  auto gate = GateOp::create(
      b, loc(".shared.gate"), idType, weightType, GateKind::Sigmoid, tokens,
      argument(*args.sharedGate), /*bias=*/Value(), /*top_k=*/1,
      /*top_groups=*/IntegerAttr(), /*num_groups=*/IntegerAttr(),
      /*normalize=*/false, APFloat(1.0));
  auto order = OrderOp::create(
      b, loc(".shared.order"), tensor({1, layout.tokens, config.hiddenSize}),
      idType, OrderKind::Choice, tokens, gate.getIds());
  Value rows = applyShared(order.getBuffer(), args);
  return UnorderOp::create(b, loc(".shared.unorder"), tokens.getType(), rows,
                           order.getSlots(), gate.getWeights());
}

Value ModuleBuilder::buildLayer(Value tokens, int64_t layer,
                                const LayerArguments &args) {
  layerIndex = layer;
  auto op = LayerOp::create(b, loc(""), tokens.getType(),
                            b.getStringAttr(Twine(layer)),
                            PhaseAttr::get(b.getContext(), Phase::Forward));
  {
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&op.getBody());
    Value result = buildRouted(tokens, args);
    if (config.sharedFFNSize > 0) {
      Value shared = config.hasSharedGate ? buildGatedShared(tokens, args)
                                          : buildShared(tokens, args);
      result = arith::AddFOp::create(b, loc(".shared.add"), result, shared);
    }
    YieldOp::create(b, loc(".yield"), ValueRange(result));
  }
  return arith::AddFOp::create(b, loc(".residual"), tokens, op.getResult(0));
}

OwningOpRef<ModuleOp> ModuleBuilder::build() {
  Location mainLoc = NameLoc::get(b.getStringAttr("main"));
  OwningOpRef<ModuleOp> module =
      ModuleOp::create(NameLoc::get(b.getStringAttr(config.modelType)));
  b.setInsertionPointToEnd(module->getBody());
  MeshOp::create(b, NameLoc::get(b.getStringAttr("mesh")), "mesh",
                 b.getStrArrayAttr(layout.axes), layout.shape);

  SmallVector<StringRef> tokenAxes = {"dp", "ep"};
  if (options.sequenceParallel)
    llvm::append_range(tokenAxes, layout.tpAxes);
  addArgument("tokens", {layout.tokens, config.hiddenSize}, elementType,
              tokenAxes);
  auto layers = ArrayRef(config.moeLayers).take_front(layout.numLayers);
  auto arguments = llvm::map_to_vector(
      layers, [&](int64_t layer) { return addLayerArguments(layer); });

  // The attributes go in at once: setting them one by one copies all of them
  // each time, which is quadratic in the number of layers.
  auto type = b.getFunctionType(argumentTypes, argumentTypes.front());
  auto func = func::FuncOp::create(b, mainLoc, "main", type,
                                   ArrayRef<NamedAttribute>(), argumentAttrs);
  entry = b.createBlock(&func.getBody(), {}, argumentTypes, argumentLocs);
  Value tokens = argument(0);
  for (auto [layer, args] : llvm::zip_equal(layers, arguments))
    tokens = buildLayer(tokens, layer, args);
  func::ReturnOp::create(b, mainLoc, tokens);
  return module;
}

llvm::Expected<OwningOpRef<ModuleOp>>
moe::buildModule(MLIRContext &context, const ModelConfig &config,
                 const ImportOptions &options) {
  llvm::Expected<Layout> layout = computeLayout(config, options);
  if (!layout)
    return layout.takeError();
  context.loadDialect<MoEDialect, arith::ArithDialect, func::FuncDialect,
                      tensor::TensorDialect>();
  OwningOpRef<ModuleOp> module =
      ModuleBuilder(context, config, options, *layout).build();
  if (failed(mlir::verify(*module)))
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "expected a module that verifies, got one "
                                   "that does not");
  return std::move(module);
}
