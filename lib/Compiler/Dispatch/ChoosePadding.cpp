//===- ChoosePadding.cpp - Padded buffers or rows ---------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../StepChoices.h"
#include "PaddedLayer.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "moe/Compiler/BatchPasses.h"
#include "moe/Compiler/DispatchPasses.h"
#include "moe/Compiler/ScheduleEvaluator.h"
#include "moe/Cost/Choice.h"
#include "moe/Transforms/ModulePlatform.h"
#include "moe/Transforms/SilentRemarks.h"
#include "llvm/Support/FormatVariadic.h"

namespace moe {
#define GEN_PASS_DEF_CHOOSEPADDING
#include "moe/Compiler/DispatchPasses.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

namespace {

/// The program with padded buffers, or with rows.
struct PaddingPlan {
  PaddingChoice padding = PaddingChoice::Keep;
  /// What it takes, or why that is not known, or it does not fit.
  Evaluation evaluation = {};
  /// With its plan.
  OwningOpRef<ModuleOp> planned = {};

  double getUs() const {
    return evaluation ? evaluation.us : std::numeric_limits<double>::infinity();
  }
  /// "rows take 12.3 us".
  std::string describe() const {
    std::string name =
        padding == PaddingChoice::Rows ? "rows" : "padded buffers";
    if (!evaluation)
      return name + " cannot be: " + evaluation.problem;
    return name + " take " +
           describeUs(evaluation.us, evaluation.numExtrapolated != 0);
  }
};

struct ChoosePadding : public moe::impl::ChoosePaddingBase<ChoosePadding> {
  using ChoosePaddingBase::ChoosePaddingBase;

  // Plans are made with passes of their own.
  void getDependentDialects(DialectRegistry &registry) const override {
    ChoosePaddingBase::getDependentDialects(registry);
    registry.insert<func::FuncDialect>();
  }

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  ChoosePartsOptions getPlanOptions() const {
    ChoosePartsOptions plan;
    plan.parts = parts;
    plan.strategy = strategy;
    plan.degree = degree;
    plan.ignoreFitted = ignoreFitted;
    plan.schedule = schedule;
    return plan;
  }

  LogicalResult plan() {
    OpPassManager manager(ModuleOp::getOperationName());
    manager.addPass(createChooseParts(getPlanOptions()));
    return runPipeline(manager, getOperation());
  }

  LogicalResult run() {
    ModuleOp module = getOperation();
    if (failed(checkMayChoose(module, getArgument())))
      return failure();
    PaddingChoice choice = padding;
    if (choice == PaddingChoice::Default)
      choice = schedule == ScheduleChoice::Best || getTrafficAttr(module)
                   ? PaddingChoice::Auto
                   : PaddingChoice::Keep;
    if (choice == PaddingChoice::Rows) {
      UnpaddedLayers layers = unpadExchanges(module, getArgument());
      if (!layers.reason.empty())
        return emitError(layers.where)
               << getArgument()
               << ": expected layers that can exchange rows (padding=rows): "
               << layers.reason;
    }
    if (choice != PaddingChoice::Auto || !getPlatformAttr(module))
      return plan();
    return choose();
  }

  /// A program with its plan, and what that takes.
  PaddingPlan tryPlan(PaddingChoice padding, ModuleOp program,
                      ScheduleEvaluator &evaluator) {
    PaddingPlan candidate{padding};
    ScheduleEvaluator::Trial trial =
        evaluator.tryCompile(program, [&](ModuleOp copy) -> LogicalResult {
          // What plans are made of is not verified, but kept.
          PassManager manager(copy.getContext());
          manager.enableVerifier(false);
          manager.addPass(createChooseParts(getPlanOptions()));
          if (failed(manager.run(copy)))
            return failure();
          candidate.planned = copy.clone();
          return carryOutPlan(copy);
        });
    candidate.evaluation = std::move(trial.evaluation);
    if (candidate.evaluation)
      if (FailureOr<Evaluation> full = evaluator.evaluate(*trial.module);
          succeeded(full))
        candidate.evaluation = std::move(*full);
    return candidate;
  }

  LogicalResult choose() {
    ModuleOp module = getOperation();
    OwningOpRef<ModuleOp> rows(module.clone());
    UnpaddedLayers layers = [&] {
      SilentRemarks silent;
      return unpadExchanges(*rows, getArgument());
    }();
    if (layers.rows == 0) {
      // Why, where there are padded ones; it changes nothing.
      unpadExchanges(module, getArgument());
      return plan();
    }
    platform::LoadOptions load;
    load.ignoreFitted = ignoreFitted;
    auto loaded = loadPlatformOf(module, /*given=*/"", getArgument(),
                                 "platform=FILE", load);
    if (failed(loaded))
      return failure();
    const cost::Machine &machine = loaded->machine;
    ScheduleEvaluator evaluator(machine);
    std::array<PaddingPlan, 2> candidates = {
        tryPlan(PaddingChoice::Keep, module, evaluator),
        tryPlan(PaddingChoice::Rows, *rows, evaluator)};
    PaddingPlan &kept = candidates[0], &unpadded = candidates[1];
    if (const auto &memory = machine.memoryPerRank;
        memory && unpadded.evaluation &&
        double(unpadded.evaluation.peakBytes) > memory->value.value())
      unpadded.evaluation.problem =
          llvm::formatv("expected values to fit {0:F0} bytes a rank, got {1}",
                        memory->value.value(), unpadded.evaluation.peakBytes);
    auto best = cost::pickSimplest(
        candidates, machine.uncertainty.value,
        [](const PaddingPlan &candidate) { return candidate.getUs(); });
    bool takesRows =
        best != candidates.end() && best->padding == PaddingChoice::Rows;
    // What is wrong with both says who plans.
    if (best == candidates.end() || module.getContext()->getRemarkEngine()) {
      // Once more, for the remarks of what made the plan.
      if (takesRows)
        unpadExchanges(module, getArgument());
      if (failed(plan()))
        return failure();
    } else {
      module->setAttrs((*best->planned)->getAttrDictionary());
      module.getBodyRegion().takeBody(best->planned->getBodyRegion());
    }
    if (best != candidates.end())
      report(*best, takesRows ? kept : unpadded, layers.rows);
    return success();
  }

  void report(const PaddingPlan &best, const PaddingPlan &other,
              int64_t layers) {
    auto remark = moe::passed(
        getOperation().getLoc(),
        remark::RemarkOpts::name("padding").category(getArgument()));
    remark << remark::add("{0}, {1}", best.describe(), other.describe())
           << remark::metric("padding", getWord(best.padding))
           << remark::metric("layers", layers)
           << remark::metric("time_us", best.getUs());
    if (other.evaluation)
      remark << remark::metric("runner_up", getWord(other.padding))
             << remark::metric("runner_up_us", other.getUs());
  }
};

} // namespace
