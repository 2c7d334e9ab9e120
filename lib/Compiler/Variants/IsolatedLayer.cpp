// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layer isolated in its own module.

#include "IsolatedLayer.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "moe/Dialect/MoE/ExtensionDialect.h"
#include "moe/Dialect/MoE/KeepProducts.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"

using namespace mlir;
using namespace moe;

void IsolatedLayer::findCaptured() {
  llvm::DenseSet<Value> seen;
  for (LayerOp layer : layers)
    visitUsedValuesDefinedAbove(layer->getRegions(), [&](OpOperand *use) {
      Operation *def = use->get().getDefiningOp();
      if (llvm::is_contained(layers, dyn_cast_or_null<LayerOp>(def)) ||
          !seen.insert(use->get()).second)
        return;
      bool isConstant = def && def->hasTrait<OpTrait::ConstantLike>();
      (isConstant ? constants : arguments).push_back(use);
    });
}

/// Returns the branch or loop around an op, or around a call of its function,
/// that prevents scheduling a pipeline; null if there is none. Loops with a
/// constant trip count are unrolled, so they do not count.
static Operation *findBranchAround(Operation *op,
                                   llvm::SmallPtrSetImpl<Operation *> &seen) {
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp()) {
    if (auto loop = dyn_cast<scf::ForOp>(parent); loop && getTripCount(loop))
      continue;
    if (!isa<FunctionOpInterface>(parent))
      return parent;
    auto module = parent->getParentOfType<ModuleOp>();
    if (!seen.insert(parent).second || !module ||
        !llvm::hasNItemsOrMore(module.getOps<func::FuncOp>(), 2))
      return nullptr;
    auto uses = SymbolTable::getSymbolUses(parent, module);
    for (const SymbolTable::SymbolUse &use :
         uses ? *uses : SymbolTable::UseRange({}))
      if (Operation *branch = findBranchAround(use.getUser(), seen))
        return branch;
    return nullptr;
  }
  return nullptr;
}

/// Returns all results of one layer, or the results of several layers that
/// other ops read.
static SmallVector<Value> getLiveOut(ArrayRef<LayerOp> layers) {
  SmallVector<Value> values;
  for (LayerOp layer : layers)
    for (Value result : layer.getResults())
      if (layers.size() == 1 ||
          llvm::any_of(result.getUsers(), [&](Operation *user) {
            return llvm::none_of(
                layers, [&](LayerOp other) { return other->isAncestor(user); });
          }))
        values.push_back(result);
  return values;
}

IsolatedLayer::IsolatedLayer(ArrayRef<LayerOp> layers,
                             const ControlInfo &control)
    : layers(layers) {
  llvm::SmallPtrSet<Operation *, 4> seen;
  LayerOp layer = layers.front();
  if (Operation *branch = findBranchAround(layer, seen))
    pipelineObstacle = "pipelines are not supported in branches, nor in loops "
                       "that are not unrolled; the layer is in " +
                       branch->getName().getStringRef().str();
  const ReplicationInfo &replication = control.getReplication();
  findCaptured();
  SmallVector<Value> captured =
      llvm::map_to_vector(arguments, [](OpOperand *use) { return use->get(); });
  SmallVector<Value> handedOut = getLiveOut(layers);
  OpBuilder builder(layer.getContext());
  Location loc = layer.getLoc();
  module = ModuleOp::create(loc);
  // Schedules depend on these attributes.
  if (auto around = layer->getParentOfType<ModuleOp>())
    for (StringRef name :
         {MoEDialect::getPlatformAttrName(), MoEDialect::getTrafficAttrName()})
      if (Attribute attr = around->getAttr(name))
        (*module)->setAttr(name, attr);
  // The forward pass that keeps products for gradients may be in another
  // module.
  if (llvm::any_of(layers, [](LayerOp one) {
        return one->walk([](ExpertsDgradOp) { return WalkResult::interrupt(); })
            .wasInterrupted();
      })) {
    setExpertProducts(*module,
                      getExpertProducts(layer->getParentOfType<ModuleOp>()));
    (*module)->setAttr(kPartOfStepAttrName, builder.getUnitAttr());
  }
  builder.setInsertionPointToStart(module->getBody());
  MeshOp mesh = replication.getAxes().getMesh();
  if (mesh)
    builder.clone(*mesh);
  if (auto around = layer->getParentOfType<ModuleOp>())
    for (Operation &op : around.getOps())
      if (getExtension(&op))
        builder.clone(op);
  auto function = func::FuncOp::create(
      builder, loc, "main",
      builder.getFunctionType(ValueRange(captured).getTypes(),
                              ValueRange(handedOut).getTypes()));
  Block *body = function.addEntryBlock();
  IRMapping mapping;
  // The isolated layer has no control flow that shows which ranks execute it.
  const MeshAxes &axes = replication.getAxes();
  if (uint64_t divergent = control.getDivergentAxes(layer, axes.all());
      mesh && divergent != 0)
    function->setAttr(MoEDialect::getDivergentAttrName(),
                      builder.getStrArrayAttr(axes.getNames(divergent)));
  for (auto [i, value] : llvm::enumerate(captured)) {
    mapping.map(value, body->getArgument(i));
    if (mesh)
      function.setArgAttr(i, MoEDialect::getVaryingAttrName(),
                          builder.getStrArrayAttr(
                              axes.getNames(replication.getVarying(value))));
  }
  builder.setInsertionPointToEnd(body);
  for (OpOperand *constant : constants)
    builder.clone(*constant->get().getDefiningOp(), mapping);
  for (LayerOp one : layers)
    builder.clone(*one, mapping);
  func::ReturnOp::create(builder, loc,
                         llvm::map_to_vector(handedOut, [&](Value value) {
                           return mapping.lookup(value);
                         }));
}

std::string IsolatedLayer::getKey() {
  std::string text;
  llvm::raw_string_ostream os(text);
  OwningOpRef<ModuleOp> copy(module->clone());
  // A routing trace refers to the layer's name.
  bool isRouted = false;
  if (copy->getOperation()->hasAttr(MoEDialect::getTrafficAttrName()))
    copy->walk([&](RoutedExchangeOpInterface) { isRouted = true; });
  if (!isRouted)
    copy->walk([](LayerOp op) { op.setName("layer"); });
  copy->print(os);
  os << pipelineObstacle;
  return text;
}

LayerOp moe::getLayer(ModuleOp alone) {
  LayerOp layer;
  alone.walk([&](LayerOp found) { layer = found; });
  return layer;
}

LayerOp moe::getLayer(ModuleOp alone, Phase phase) {
  LayerOp layer;
  alone.walk([&](LayerOp found) {
    if (!layer || found.getPhase() == phase)
      layer = found;
  });
  return layer;
}

/// Returns the constant among these that equals `op`, or null.
static Value findSame(ArrayRef<OpOperand *> constants, Operation &op) {
  Attribute own, other;
  if (op.getNumResults() != 1 || !matchPattern(&op, m_Constant(&own)))
    return {};
  for (OpOperand *use : constants)
    if (use->get().getType() == op.getResult(0).getType() &&
        matchPattern(use->get(), m_Constant(&other)) && own == other)
      return use->get();
  return {};
}

void IsolatedLayer::putBack() {
  assert(layers.size() == 1 && "expected one layer to put back");
  LayerOp layer = layers.front();
  auto function = module->lookupSymbol<func::FuncOp>("main");
  Block &body = function.getBody().front();
  IRMapping mapping;
  for (auto [argument, use] : llvm::zip_equal(body.getArguments(), arguments))
    mapping.map(argument, use->get());
  OpBuilder builder(layer);
  for (Operation &op : body.without_terminator()) {
    if (Value constant = findSame(constants, op))
      mapping.map(op.getResult(0), constant);
    else
      builder.clone(op, mapping);
  }
  for (auto [result, value] :
       llvm::zip_equal(layer.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  layer.erase();
}
