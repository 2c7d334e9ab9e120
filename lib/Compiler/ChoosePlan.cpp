//===- ChoosePlan.cpp - The phase choose ------------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepChoices.h"
#include "StepPlanner.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Compiler/FormChoice.h"
#include "moe/Compiler/ModuleTraffic.h"
#include "moe/Transforms/ModulePlatform.h"
#include "moe/Transforms/SilentRemarks.h"

namespace moe {
#define GEN_PASS_DEF_CHOOSEPLAN
#include "moe/Compiler/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

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
    if (failed(checkMayChoose(module, getArgument())))
      return failure();
    eraseStepPlan(module);
    bool asks = strategy != StrategyChoice::Auto || degree.chunks ||
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
    if (failed(refuseRobustTraffic(module, getArgument())))
      return failure();
    if (schedule != ScheduleChoice::Best)
      return planStep(schedule, *loaded);
    FailureOr<BestSchedule> best =
        chooseSchedule(module, loaded->machine, /*explains=*/false);
    if (failed(best))
      return failure();
    // Planned again for what the choices say of it only.
    if (best->planned && !readsChoices())
      copyPlan(*best->planned, module);
    else if (failed(planStep(best->choice, *loaded)))
      return failure();
    return success(!best->reorders || succeeded(reorderTasks(module)));
  }

  LogicalResult planStep(ScheduleChoice choice,
                         const platform::Platform &platform) {
    if (choice == ScheduleChoice::Layers)
      return planLayers(platform.machine, !platform.fitted.isEmpty());
    return StepPlanner(getOperation(), platform.machine)
        .plan(choice, getOperation());
  }

  /// Whether somebody reads the remarks of one of the choices.
  bool readsChoices() {
    for (StringRef category :
         {"moe-select-strategy", "moe-choose-degree", "moe-partition-gradients",
          "moe-fill-weight-gradients"})
      if (isRead(getOperation().getLoc(), category))
        return true;
    return false;
  }

  LogicalResult planLayers(const cost::Machine &machine, bool usesFitted) {
    FormLimits limits;
    limits.choice = strategy;
    limits.degree = degree.chunks;
    if (std::string problem = limits.check(); !problem.empty())
      return emitError(getOperation().getLoc())
             << getArgument() << ": " << problem;
    return moe::planLayers(getOperation(), machine, limits, usesFitted);
  }
};

} // namespace

LogicalResult moe::planLayers(ModuleOp module, const cost::Machine &machine,
                              const FormLimits &limits, bool usesFitted) {
  auto forms = chooseStrategies(module, machine, limits, usesFitted);
  if (failed(forms))
    return failure();
  for (LayerOp layer : listLayers(module))
    writeForm(layer, LayerForm());
  for (const ChosenForm &chosen : *forms)
    writeForm(chosen.layer, chosen.form);
  writeStepPlan(module, StepPlan());
  return success();
}
