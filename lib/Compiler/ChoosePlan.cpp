//===- ChoosePlan.cpp - The phase choose ------------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepChoices.h"
#include "StepSchedules.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "moe/Compiler/FormChoice.h"
#include "moe/Compiler/ScheduleEvaluator.h"
#include "moe/Transforms/ModulePlatform.h"
#include "moe/Transforms/SilentRemarks.h"

namespace moe {
#define GEN_PASS_DEF_CHOOSEPLAN
#include "moe/Compiler/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

/// Layers in the order in which they stand in the module.
static SmallVector<LayerOp> listLayers(ModuleOp module) {
  SmallVector<LayerOp> layers;
  module.walk([&](LayerOp layer) { layers.push_back(layer); });
  return layers;
}

namespace {

struct ChoosePlan : public moe::impl::ChoosePlanBase<ChoosePlan> {
  using ChoosePlanBase::ChoosePlanBase;

  // Plans are made with passes of their own.
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<MoEDialect, func::FuncDialect, tensor::TensorDialect,
                    arith::ArithDialect>();
  }

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run() {
    ModuleOp module = getOperation();
    if (CompilePhase phase = findPhase(module); phase > CompilePhase::Choose)
      return module.emitError()
             << getArgument() << ": expected a program that is not past the "
             << "phase choose, got one of phase " << moe::getName(phase);
    eraseStepPlan(module);
    bool asks = strategy != StrategyChoice::Auto || degree != 0 ||
                ignoreFitted || schedule != ScheduleChoice::Layers;
    if (!asks && !getPlatformAttr(module)) {
      moe::missed(module.getLoc(),
                  remark::RemarkOpts::name("plan").category(getArgument()))
          << remark::reason("expected a platform to choose for, got none");
      return success();
    }
    platform::LoadOptions options;
    options.ignoreFitted = ignoreFitted;
    auto loaded = loadPlatformOf(module, /*given=*/"", getArgument(),
                                 "platform=FILE", options);
    if (failed(loaded))
      return failure();
    if (schedule == ScheduleChoice::Layers)
      return planLayers(loaded->machine,
                        !ignoreFitted && !loaded->fitted.isEmpty());
    ScheduleChoice choice = schedule;
    if (choice == ScheduleChoice::Best) {
      FailureOr<BestSchedule> best =
          chooseSchedule(module, loaded->machine, /*explains=*/false);
      if (failed(best))
        return failure();
      choice = best->choice;
    }
    if (choice == ScheduleChoice::Layers)
      return planLayers(loaded->machine, !loaded->fitted.isEmpty());
    return planStep(choice, loaded->machine);
  }

  LogicalResult planLayers(const cost::Machine &machine, bool usesFitted) {
    FormLimits limits;
    limits.choice = strategy;
    if (degree != 0)
      limits.degree = degree;
    if (std::string problem = limits.check(); !problem.empty())
      return getOperation()->emitError() << getArgument() << ": " << problem;
    auto forms = chooseStrategies(getOperation(), machine, limits, usesFitted);
    if (failed(forms))
      return failure();
    for (LayerOp layer : listLayers(getOperation()))
      writeForm(layer, LayerForm());
    for (const ChosenForm &chosen : *forms)
      writeForm(chosen.layer, chosen.form);
    writeStepPlan(getOperation(), StepPlan());
    return success();
  }

  /// On a copy, each choice for what the ones before it make of the program.
  LogicalResult planStep(ScheduleChoice choice, const cost::Machine &machine) {
    StepRecipe recipe = getRecipe(choice);
    StepPlan step;
    step.schedule = choice;
    // Along the hidden dim: tokens stay free to cut.
    step.dropDim = 3;
    step.collectives = recipe.getCollectives();
    // Gradients are where the plan has them, among the all-to-alls.
    step.priorities = {"ep"};
    OwningOpRef<ModuleOp> copy(getOperation().clone());
    if (failed(ScheduleEvaluator::runSilently(
            *copy,
            [&](OpPassManager &manager) {
              DecomposeAllToAllOptions drop;
              drop.dropDim = *step.dropDim;
              manager.addPass(createDecomposeAllToAll(drop));
              manager.addPass(createCanonicalizerPass());
              manager.addPass(createCSEPass());
            },
            /*verifies=*/false)))
      return failure();
    PartitionGradientsOptions gradients;
    gradients.method = recipe.method;
    gradients.beside = recipe.beside;
    gradients.order = recipe.order;
    auto pieces = partitionGradients(*copy, machine, gradients);
    if (failed(pieces))
      return failure();
    SmallVector<LayerOp> layers = listLayers(getOperation());
    SmallVector<LayerOp> copies = listLayers(*copy);
    if (layers.size() != copies.size())
      return getOperation()->emitError()
             << getArgument() << ": expected " << layers.size()
             << " layers after the decomposition, got " << copies.size();
    for (LayerOp layer : layers)
      writeForm(layer, LayerForm());
    if (recipe.pipelines) {
      ChooseDegreeOptions degrees;
      degrees.order = recipe.order;
      degrees.phases = recipe.phases;
      degrees.sizes = recipe.sizes;
      auto forms = chooseDegrees(*copy, machine, degrees);
      if (failed(forms))
        return failure();
      for (const ChosenForm &chosen : *forms)
        writeForm(layers[llvm::find(copies, chosen.layer) - copies.begin()],
                  chosen.form);
      // What is left to decide depends on the forms.
      if (recipe.fills && failed(applyForms(*copy, *forms, machine)))
        return failure();
    }
    if (recipe.fills) {
      FailureOr<bool> pays = paysToFill(*copy, machine, step.collectives);
      if (failed(pays))
        return failure();
      step.fills = *pays;
    }
    for (const FunctionGradients &own : *pieces)
      writeGradientPlan(getOperation().lookupSymbol<func::FuncOp>(
                            func::FuncOp(own.function).getSymName()),
                        own.plan);
    writeStepPlan(getOperation(), step);
    return success();
  }
};

} // namespace
