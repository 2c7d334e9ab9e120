// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The phases that a plan is for.

#include "StepChoices.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "moe/Compiler/Passes.h"
#include "moe/Compiler/ScheduleEvaluator.h"
#include "moe/Compiler/VariantChoice.h"
#include "moe/Transforms/ModulePlatform.h"
#include "moe/Transforms/Passes.h"

namespace moe {
#define GEN_PASS_DEF_DECOMPOSEPLAN
#define GEN_PASS_DEF_PIPELINEPLAN
#define GEN_PASS_DEF_SCHEDULEPLAN
#define GEN_PASS_DEF_VERIFYPLAN
#include "moe/Compiler/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

/// The plan of a module that has been through `expected`.
static FailureOr<StepPlan> readPlanAt(ModuleOp module, CompilePhase expected) {
  FailureOr<StepPlan> plan = readStepPlan(module);
  if (succeeded(plan) && plan->phase != expected)
    return emitError(module.getLoc())
           << "expected a plan that the phase " << getName(expected)
           << " left, got one of phase " << getName(plan->phase);
  return plan;
}

/// Gives all layers of a module a part of their forms.
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

/// The machine that a plan is for: `given`, or that of the module's platform.
static FailureOr<cost::Machine>
loadMachine(ModuleOp module, const cost::Machine *given, StringRef user) {
  if (given)
    return *given;
  auto loaded = loadPlatformOf(module, /*given=*/"", user);
  if (failed(loaded))
    return failure();
  return loaded->machine;
}

namespace {

struct DecomposePlan : public moe::impl::DecomposePlanBase<DecomposePlan> {
  DecomposePlan() = default;
  explicit DecomposePlan(const cost::Machine &other) : given(&other) {}

  // Forms are made with passes of their own.
  void getDependentDialects(DialectRegistry &registry) const override {
    DecomposePlanBase::getDependentDialects(registry);
    registry.insert<func::FuncDialect>();
  }

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
    // What is sent once a node is dropped as what becomes of it.
    auto machine = loadMachine(module, given, getArgument());
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

  const cost::Machine *given = nullptr;
};

struct PipelinePlan : public moe::impl::PipelinePlanBase<PipelinePlan> {
  PipelinePlan() = default;
  explicit PipelinePlan(const cost::Machine &other) : given(&other) {}

  // Forms are made with passes of their own.
  void getDependentDialects(DialectRegistry &registry) const override {
    PipelinePlanBase::getDependentDialects(registry);
    registry.insert<func::FuncDialect>();
  }

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
      // At the first that might have been cut, and without the whole module.
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
    auto machine = loadMachine(module, given, getArgument());
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

  const cost::Machine *given = nullptr;
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
    // A module without a plan need not have its platform's file.
    const bool isPlanned = hasPlan(module);
    if (isPlanned) {
      FailureOr<StepPlan> plan = readPlanAt(module, CompilePhase::Pipeline);
      if (failed(plan))
        return failure();
      launch.collectives = plan->collectives;
      launch.reorder = plan->reorders;
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
