// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Application of layer variants, and the passes of the phases that apply a plan.

#include "StepChoices.h"
#include "StepSchedules.h"
#include "Variants/ExpertChain.h"
#include "Variants/IsolatedLayer.h"
#include "Variants/TokenLayer.h"
#include "Variants/VariantSearch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "moe/Compiler/Passes.h"
#include "moe/Compiler/ScheduleEvaluator.h"
#include "moe/Compiler/VariantChoice.h"
#include "moe/Dialect/MoE/SubBatchAttr.h"
#include "moe/Transforms/ModulePlatform.h"
#include "moe/Transforms/NodeDedup.h"
#include "moe/Transforms/Passes.h"
#include "moe/Transforms/Rules.h"

namespace moe {
#define GEN_PASS_DEF_DECOMPOSEPLAN
#define GEN_PASS_DEF_PIPELINEPLAN
#define GEN_PASS_DEF_SCHEDULEPLAN
#define GEN_PASS_DEF_VERIFYPLAN
#include "moe/Compiler/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

//===----------------------------------------------------------------------===//
// Variants of layers
//===----------------------------------------------------------------------===//

/// Returns true if a variant only has chunks with an order, which are built in
/// place.
static bool isOnlyOrder(const LayerVariant &form) {
  return form.exchange == AllToAllAlgorithm::Flat && !form.dropDim &&
         !form.order.empty();
}

/// Returns true if the layer's rows, or the rows of its forward pass, have a
/// plan. Such exchanges are rewritten in both directions at once.
static bool isPlanned(LayerOp layer) {
  LayerOp forward = findLayersAround(layer).front();
  return llvm::any_of(forward.getBody().front(),
                      [](Operation &op) { return isRowPlan(&op); });
}

/// Returns a key that is common to exactly one layer's directions on one
/// sub-batch.
static std::string getLayerAndPart(LayerOp layer) {
  return (layer.getName() + "#" + Twine(getPart(layer).value_or(-1))).str();
}

namespace {

/// A layer with a variant that is built on a copy.
struct Copy {
  LayerOp layer;
  LayerVariant form;
  std::optional<NodeBoundary> boundary;
};

} // namespace

/// Returns the layer's node boundary; emits an error and fails if there is
/// none.
static FailureOr<NodeBoundary> findBoundary(LayerOp layer,
                                            const LayerVariant &form,
                                            const ControlInfo &control,
                                            const cost::Machine &machine) {
  IsolatedLayer alone(findLayersAround(layer), control);
  std::string reason;
  std::optional<NodeBoundary> boundary =
      findNodeBoundary(alone.getModule(), machine, reason);
  if (!boundary)
    return emitImpossible(layer, form, reason);
  return *boundary;
}

/// Builds the variant of a copy's layer. Its mesh axis is already split.
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

/// Cuts these layers along their tokens.
static LogicalResult cutAll(ModuleOp module,
                            const llvm::StringMap<TokenVariants> &forms) {
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

/// Splits the row exchanges of these layers into two steps.
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
      return emitImpossible(layer, it->second, reason);
  }
  return success();
}

static LogicalResult splitAxes(ModuleOp module, ArrayRef<NodeBoundary> splits) {
  PassManager manager(module.getContext());
  for (const NodeBoundary &split : splits)
    manager.addPass(split.createSplitPass());
  return manager.run(module);
}

/// Makes layers with the node-dedup variant send tokens once per node, in both
/// directions at once. Layers that need more results for it are rebuilt.
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
      return emitImpossible(layer, it->second, reason);
    buildNodeDedup(*form);
  }
  SmallVector<LayerOp> after = list();
  for (ChosenVariant &one : forms)
    one.layer = after[llvm::find(before, one.layer) - before.begin()];
  return success();
}

static LogicalResult applyEach(ModuleOp module, ArrayRef<ChosenVariant> forms,
                               const cost::Machine &machine, VariantPart part) {
  SmallVector<Copy> copies;
  for (ChosenVariant chosen : forms) {
    // Excludes slices that are already applied, or chunks that are applied
    // later.
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
  // Isolates all layers before the first one is replaced, because the
  // replication analysis refers to values that are replaced then.
  std::vector<IsolatedLayer> alone;
  for (Copy &copy : copies) {
    alone.emplace_back(copy.layer, *control);
    // `splitPlans` does this after the axes are split.
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
  // Rewrites both directions before anything is sliced or cut.
  bool onceANode = llvm::any_of(forms, [](const ChosenVariant &chosen) {
    return chosen.form.exchange == AllToAllAlgorithm::NodeDedup;
  });
  if (onceANode && part != VariantPart::Chunks &&
      failed(sendOnceANode(module, forms, machine)))
    return failure();
  for (ChosenVariant &chosen : forms)
    if (chosen.form.exchange == AllToAllAlgorithm::NodeDedup)
      chosen.form.exchange = AllToAllAlgorithm::Flat;
  // Layers in chunks of tokens are cut in both directions at once, after
  // everything else.
  llvm::StringMap<TokenVariants> ofTokens;
  SmallVector<ChosenVariant> others(forms);
  if (part != VariantPart::Decomposition)
    for (ChosenVariant &chosen : others) {
      if (chosen.form.scope != ChainScope::Layer || !isPlanned(chosen.layer))
        continue;
      TokenVariants &own = ofTokens[getLayerAndPart(chosen.layer)];
      (chosen.layer.getPhase() == Phase::Backward ? own.backward
                                                  : own.forward) = chosen.form;
      chosen.form.scope.reset();
      chosen.form.chunks = 1;
      chosen.form.sizes.clear();
      chosen.form.order.clear();
    }
  // Both directions of these layers get two steps, after their axes have been
  // split.
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

//===----------------------------------------------------------------------===//
// Plans of modules
//===----------------------------------------------------------------------===//

/// Reads the plan of a module that has passed the phase `expected`.
static FailureOr<StepPlan> readPlanAt(ModuleOp module, CompilePhase expected) {
  FailureOr<StepPlan> plan = readStepPlan(module);
  if (succeeded(plan) && plan->phase != expected)
    return emitError(module.getLoc())
           << "expected a plan that the phase " << getName(expected)
           << " left, got one of phase " << getName(plan->phase);
  return plan;
}

/// Applies a part of the variants to all layers of a module.
static LogicalResult applyPlan(ModuleOp module, const cost::Machine &machine,
                               VariantPart part) {
  SmallVector<ChosenVariant> forms;
  WalkResult result = module.walk([&](LayerOp layer) {
    FailureOr<LayerVariant> form = readVariant(layer);
    if (failed(form))
      return WalkResult::interrupt();
    forms.push_back({layer, *form});
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  if (part != VariantPart::Decomposition)
    for (const ChosenVariant &chosen : forms)
      erasePlan(chosen.layer);
  return applyVariants(module, forms, machine, part);
}

namespace {

/// A pass that applies a part of the plan for a machine: the one that the
/// caller gives, or the machine of the module's platform.
template <typename BaseT> struct PlanPass : public BaseT {
  PlanPass() = default;
  explicit PlanPass(const cost::Machine &machine) : given(&machine) {}

  // Nested passes build the variants.
  void getDependentDialects(DialectRegistry &registry) const override {
    BaseT::getDependentDialects(registry);
    registry.insert<func::FuncDialect>();
  }

protected:
  FailureOr<cost::Machine> loadMachine() {
    if (given)
      return *given;
    auto loaded =
        loadPlatformOf(this->getOperation(), /*given=*/"", this->getArgument());
    if (failed(loaded))
      return failure();
    return loaded->machine;
  }

private:
  const cost::Machine *given = nullptr;
};

struct DecomposePlan
    : public PlanPass<moe::impl::DecomposePlanBase<DecomposePlan>> {
  using PlanPass::PlanPass;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run(std::unique_ptr<Pass> pass) {
    OpPassManager manager(ModuleOp::getOperationName());
    manager.addPass(std::move(pass));
    return runPipeline(manager, getOperation());
  }

  LogicalResult run() {
    ModuleOp module = getOperation();
    if (!hasPlan(module))
      return failure(failed(verifyPlanApplied(module)) ||
                     failed(run(createDecomposeAllToAll())));
    FailureOr<StepPlan> plan = readPlanAt(module, CompilePhase::Choose);
    if (failed(plan))
      return failure();
    // Deduplicate per node first; the slice below then applies to the rewritten
    // ops.
    auto machine = loadMachine();
    if (failed(machine) ||
        failed(applyPlan(module, *machine, VariantPart::Decomposition)))
      return failure();
    if (plan->dropDim) {
      DecomposeAllToAllOptions options;
      options.dropDim = *plan->dropDim;
      if (failed(run(createDecomposeAllToAll(options))))
        return failure();
    }
    if (std::optional<int64_t> block = std::exchange(plan->quantizeBlock, {})) {
      QuantizeDispatchOptions options;
      options.block = *block;
      if (failed(run(createQuantizeDispatch(options))))
        return failure();
    }
    plan->phase = CompilePhase::Decompose;
    writeStepPlan(module, *plan);
    return success();
  }
};

struct PipelinePlan
    : public PlanPass<moe::impl::PipelinePlanBase<PipelinePlan>> {
  using PlanPass::PlanPass;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run() {
    ModuleOp module = getOperation();
    if (!hasPlan(module)) {
      if (failed(verifyPlanApplied(module)))
        return failure();
      // The warning is attached to the first layer, because a location without
      // an op does not print the whole module.
      Location place = module.getLoc();
      module.walk([&](LayerOp layer) {
        place = layer.getLoc();
        return WalkResult::interrupt();
      });
      emitWarning(place)
          << "has no plan, which the phase choose makes for a platform "
             "(platform=F): no layer and no gradient is cut";
      return success();
    }
    FailureOr<StepPlan> plan = readPlanAt(module, CompilePhase::Decompose);
    if (failed(plan))
      return failure();
    auto machine = loadMachine();
    if (failed(machine))
      return failure();
    for (auto function : module.getOps<func::FuncOp>()) {
      FailureOr<std::optional<GradientPlan>> pieces =
          readGradientPlan(function);
      if (failed(pieces))
        return failure();
      if (!*pieces)
        continue;
      erasePlan(function);
      if (failed(sendGradients(function, **pieces, *machine)))
        return failure();
    }
    if (failed(applyPlan(module, *machine, VariantPart::Chunks)))
      return failure();
    if (plan->fills)
      overlapWeightGradients(module);
    plan->phase = CompilePhase::Pipeline;
    writeStepPlan(module, *plan);
    return success();
  }
};

struct VerifyPlan : public moe::impl::VerifyPlanBase<VerifyPlan> {
  void runOnOperation() override {
    if (failed(verifyPlanApplied(getOperation())))
      signalPassFailure();
  }
};

struct SchedulePlan : public moe::impl::SchedulePlanBase<SchedulePlan> {
  using SchedulePlanBase::SchedulePlanBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run() {
    ModuleOp module = getOperation();
    ScheduleOptions launch;
    launch.searchWidth = searchWidth;
    // The platform file of a module without a plan need not exist.
    const bool isPlanned = hasPlan(module);
    if (isPlanned) {
      FailureOr<StepPlan> plan = readPlanAt(module, CompilePhase::Pipeline);
      if (failed(plan))
        return failure();
      launch.collectives = plan->collectives;
      launch.reorder = plan->reorders;
      launch.mergePasses = plan->schedule != ScheduleChoice::Layers &&
                           getRecipe(plan->schedule).merges;
      if (!priorities.empty() && plan->schedule != ScheduleChoice::Layers)
        return emitError(module.getLoc())
               << getArgument() << ": expected priorities of a program whose "
               << "gradients are summed where they stand (schedule=layers), "
               << "got the plan of schedule=" << moe::getName(plan->schedule);
      launch.priorities.assign(plan->priorities.begin(),
                               plan->priorities.end());
      erasePlan(module);
    }
    if (!priorities.empty())
      launch.priorities.assign(priorities.begin(), priorities.end());
    if (failed(verifyPlanApplied(module)))
      return failure();
    OpPassManager manager(ModuleOp::getOperationName());
    manager.addPass(createSchedule(launch));
    if (isPlanned && getPlatformAttr(module)) {
      ChooseOverlapOptions overlap;
      overlap.ifAny = true;
      manager.addPass(createChooseOverlap(overlap));
    }
    return runPipeline(manager, module);
  }
};

} // namespace

LogicalResult moe::applyPlan(ModuleOp module, const cost::Machine &other) {
  return ScheduleEvaluator::runSilently(
      module,
      [&](OpPassManager &manager) {
        auto add = [&](std::unique_ptr<Pass> pass) {
          manager.addPass(std::move(pass));
          manager.addPass(createCanonicalizerPass());
          manager.addPass(createCSEPass());
        };
        add(std::make_unique<DecomposePlan>(other));
        add(std::make_unique<PipelinePlan>(other));
        SchedulePlanOptions launch;
        launch.searchWidth = 0;
        add(createSchedulePlan(launch));
      },
      /*verifies=*/false);
}
