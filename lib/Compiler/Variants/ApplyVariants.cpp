// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives layers their variants.

#include "ExpertChain.h"
#include "IsolatedLayer.h"
#include "TokenLayer.h"
#include "VariantPasses.h"
#include "mlir/Pass/PassManager.h"
#include "moe/Compiler/VariantChoice.h"
#include "moe/Dialect/MoE/SubBatchAttr.h"
#include "moe/Transforms/NodeDedup.h"
#include "moe/Transforms/Rules.h"

using namespace mlir;
using namespace moe;

/// Whether chunks are all there is to a form, and made in place.
static bool isOnlyOrder(const LayerVariant &form) {
  return form.exchange == AllToAllAlgorithm::Flat && !form.dropDim &&
         !form.order.empty();
}

/// Whether rows of a layer, or of the forward pass that it belongs to, are
/// planned: what is made of these exchanges is made of both passes at once.
static bool isPlanned(LayerOp layer) {
  LayerOp forward = findLayersAround(layer).front();
  return llvm::any_of(forward.getBody().front(),
                      [](Operation &op) { return isRowPlan(&op); });
}

/// What a layer's passes over one part of the batch have in common, and nothing
/// else has.
static std::string getLayerAndPart(LayerOp layer) {
  return (layer.getName() + "#" + Twine(getPart(layer).value_or(-1))).str();
}

namespace {

/// A layer whose form is made on a copy.
struct Copy {
  LayerOp layer;
  LayerVariant form;
  std::optional<NodeBoundary> boundary;
};

} // namespace

/// Where the nodes of the machine cut the layer; an error where they do not.
static FailureOr<NodeBoundary> findBoundary(LayerOp layer,
                                            const LayerVariant &form,
                                            const ControlInfo &control,
                                            const cost::Machine &machine) {
  IsolatedLayer alone(findLayersAround(layer), control);
  std::string reason;
  std::optional<NodeBoundary> boundary =
      findNodeBoundary(alone.getModule(), machine, reason);
  if (!boundary)
    return layer.emitError() << "layer " << layer.getName()
                             << ": expected a form that is possible, got "
                             << form.str() << ": " << reason;
  return *boundary;
}

/// Makes the form of a copy's layer. Its mesh axis is split already.
static LogicalResult makeVariant(IsolatedLayer &alone, Copy &copy,
                                 VariantPart part) {
  NodeBoundary boundary = copy.boundary.value_or(NodeBoundary());
  boundary.size = boundary.inner;
  PassManager manager(copy.layer.getContext());
  if (part != VariantPart::Chunks)
    addBasePasses(manager, copy.form, &boundary);
  if (part == VariantPart::Decomposition)
    return manager.run(alone.getModule());
  if (copy.form.order.empty()) {
    addLatePasses(manager, copy.form);
    return manager.run(alone.getModule());
  }
  PassManager late(copy.layer.getContext());
  addLatePasses(late, copy.form);
  return success(
      succeeded(manager.run(alone.getModule())) &&
      succeeded(cutExperts(getLayer(alone.getModule()), copy.form)) &&
      succeeded(late.run(alone.getModule())));
}

/// Cuts these layers' parts along their tokens.
static LogicalResult cutAll(ModuleOp module,
                            const llvm::StringMap<TokenForms> &forms) {
  SmallVector<Operation *> plans;
  module.walk([&](Operation *op) {
    if (isRowPlan(op))
      plans.push_back(op);
  });
  RowProvenance rows(module);
  for (Operation *plan : plans) {
    auto layer = plan->getParentOfType<LayerOp>();
    auto it = layer ? forms.find(getLayerAndPart(layer)) : forms.end();
    if (it != forms.end() && failed(cutTokens(plan, rows, it->second)))
      return failure();
  }
  return success();
}

/// Lets the rows of these layers be exchanged in two steps.
static LogicalResult splitPlans(ModuleOp module,
                                const llvm::StringMap<LayerVariant> &forms) {
  SmallVector<RaggedPlanOp> plans;
  module.walk([&](RaggedPlanOp plan) { plans.push_back(plan); });
  for (RaggedPlanOp plan : plans) {
    auto layer = plan->getParentOfType<LayerOp>();
    auto it = layer ? forms.find(getLayerAndPart(layer)) : forms.end();
    if (it == forms.end())
      continue;
    std::string reason;
    if (it->second.exchange == AllToAllAlgorithm::HierarchicalLeader)
      reason = "expected blocks of equal sizes, got rows of uneven runs";
    else if (it->second.chunks > 1)
      reason = "expected rows of a layer in one chunk";
    else
      splitRaggedPlan(plan, reason);
    if (!reason.empty())
      return layer.emitError()
             << "layer " << layer.getName() << ": expected a form that is "
             << "possible, got " << it->second.str() << ": " << reason;
  }
  return success();
}

/// Splits the mesh axes that these boundaries cut.
static LogicalResult splitAxes(ModuleOp module, ArrayRef<NodeBoundary> splits) {
  PassManager manager(module.getContext());
  for (const NodeBoundary &split : splits)
    manager.addPass(split.createSplitPass());
  return manager.run(module);
}

/// Lets layers whose forms say so send tokens once a node, both passes at once.
/// Layers that hand out more for it are made anew.
static LogicalResult sendOnceANode(ModuleOp module,
                                   MutableArrayRef<ChosenVariant> forms,
                                   const cost::Machine &machine) {
  auto replication = ReplicationInfo::compute(module);
  if (failed(replication))
    return failure();
  ControlInfo control(**replication);
  llvm::StringMap<LayerVariant> chosen;
  SmallVector<NodeBoundary> splits;
  for (const ChosenVariant &one : forms) {
    if (one.form.exchange != AllToAllAlgorithm::NodeDedup)
      continue;
    auto boundary = findBoundary(one.layer, one.form, control, machine);
    if (failed(boundary))
      return failure();
    chosen[getLayerAndPart(one.layer)] = one.form;
    if (boundary->cutsAxis() && !llvm::is_contained(splits, *boundary))
      splits.push_back(*boundary);
  }
  if (!splits.empty() && failed(splitAxes(module, splits)))
    return failure();
  auto list = [&] {
    SmallVector<LayerOp> layers;
    module.walk([&](LayerOp layer) { layers.push_back(layer); });
    return layers;
  };
  SmallVector<LayerOp> before = list();
  SmallVector<RaggedPlanOp> plans;
  module.walk([&](RaggedPlanOp plan) { plans.push_back(plan); });
  RowProvenance rows(module);
  for (RaggedPlanOp plan : plans) {
    auto layer = plan->getParentOfType<LayerOp>();
    auto it = layer ? chosen.find(getLayerAndPart(layer)) : chosen.end();
    if (it == chosen.end())
      continue;
    std::string reason;
    std::optional<NodeDedup> form = findNodeDedup(plan, rows, reason);
    if (!form)
      return layer.emitError()
             << "layer " << layer.getName() << ": expected a form that is "
             << "possible, got " << it->second.str() << ": " << reason;
    buildNodeDedup(*form);
  }
  SmallVector<LayerOp> after = list();
  for (ChosenVariant &one : forms)
    one.layer = after[llvm::find(before, one.layer) - before.begin()];
  return success();
}

/// Gives layers their forms, each on its own.
static LogicalResult applyEach(ModuleOp module, ArrayRef<ChosenVariant> forms,
                               const cost::Machine &machine, VariantPart part) {
  SmallVector<Copy> copies;
  for (ChosenVariant chosen : forms) {
    // What is dropped already, and what is not cut into chunks yet.
    if (part == VariantPart::Chunks)
      chosen.form.dropDim.reset();
    if (part == VariantPart::Decomposition) {
      LayerVariant form;
      form.exchange = chosen.form.exchange;
      form.dropDim = chosen.form.dropDim;
      chosen.form = form;
    }
    if (chosen.form.isBaseline())
      continue;
    if (!isOnlyOrder(chosen.form))
      copies.push_back({chosen.layer, chosen.form, std::nullopt});
    else if (failed(cutExperts(chosen.layer, chosen.form)))
      return failure();
  }
  if (copies.empty())
    return success();
  auto replication = ReplicationInfo::compute(module);
  if (failed(replication))
    return failure();
  std::optional<ControlInfo> control(**replication);
  SmallVector<NodeBoundary> splits;
  for (Copy &copy : copies) {
    if (copy.form.exchange == AllToAllAlgorithm::Flat ||
        part == VariantPart::Chunks)
      continue;
    auto boundary = findBoundary(copy.layer, copy.form, *control, machine);
    if (failed(boundary))
      return failure();
    copy.boundary = *boundary;
    if (boundary->cutsAxis() && !llvm::is_contained(splits, *boundary))
      splits.push_back(*boundary);
  }
  // Groups of the whole module name the axes.
  if (!splits.empty()) {
    if (failed(splitAxes(module, splits)))
      return failure();
    replication = ReplicationInfo::compute(module);
    if (failed(replication))
      return failure();
    control.emplace(**replication);
  }
  // All of them before the first is put back: what is known of replication is
  // about the values that are replaced then.
  std::vector<IsolatedLayer> alone;
  for (Copy &copy : copies) {
    alone.emplace_back(copy.layer, *control);
    // Once the axes are split, `splitPlans` does it.
    if (isPlanned(copy.layer))
      copy.form.exchange = AllToAllAlgorithm::Flat;
  }
  for (auto [isolated, copy] : llvm::zip_equal(alone, copies)) {
    if (failed(makeVariant(isolated, copy, part)))
      return failure();
    isolated.putBack();
  }
  return success();
}

LogicalResult moe::applyVariants(ModuleOp module, ArrayRef<ChosenVariant> given,
                                 const cost::Machine &machine,
                                 VariantPart part) {
  SmallVector<ChosenVariant> forms(given);
  // Both passes of these, before anything of them is dropped or cut.
  bool onceANode = llvm::any_of(forms, [](const ChosenVariant &chosen) {
    return chosen.form.exchange == AllToAllAlgorithm::NodeDedup;
  });
  if (onceANode && part != VariantPart::Chunks &&
      failed(sendOnceANode(module, forms, machine)))
    return failure();
  for (ChosenVariant &chosen : forms)
    if (chosen.form.exchange == AllToAllAlgorithm::NodeDedup)
      chosen.form.exchange = AllToAllAlgorithm::Flat;
  // Layers whose tokens are cut, forward and backward pass at once, when all
  // else is done.
  llvm::StringMap<TokenForms> ofTokens;
  SmallVector<ChosenVariant> others(forms);
  if (part != VariantPart::Decomposition)
    for (ChosenVariant &chosen : others) {
      if (chosen.form.scope != ChainScope::Layer || !isPlanned(chosen.layer))
        continue;
      TokenForms &own = ofTokens[getLayerAndPart(chosen.layer)];
      (chosen.layer.getPhase() == Phase::Backward ? own.backward
                                                  : own.forward) = chosen.form;
      chosen.form.scope.reset();
      chosen.form.chunks = 1;
      chosen.form.sizes.clear();
      chosen.form.order.clear();
    }
  // Both passes of these in two steps, too, when their axes have been split.
  llvm::StringMap<LayerVariant> inSteps;
  for (const ChosenVariant &chosen : forms)
    if (chosen.form.exchange != AllToAllAlgorithm::Flat &&
        isPlanned(chosen.layer))
      inSteps[getLayerAndPart(chosen.layer)] = chosen.form;
  if (failed(applyEach(module, others, machine, part)))
    return failure();
  if (part != VariantPart::Decomposition && failed(splitPlans(module, inSteps)))
    return failure();
  return cutAll(module, ofTokens);
}
