// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The phase choose.

#include "../StepChoices.h"
#include "PlanSpace.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Compiler/Compile.h"
#include "moe/Dialect/MoE/KeepProducts.h"
#include "moe/Transforms/ModulePlatform.h"

namespace moe {
#define GEN_PASS_DEF_CHOOSEPLAN
#include "moe/Compiler/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

namespace {

struct ChoosePlan : public moe::impl::ChoosePlanBase<ChoosePlan> {
  using ChoosePlanBase::ChoosePlanBase;

  // Candidates are compiled with passes of their own.
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<MoEDialect, func::FuncDialect, tensor::TensorDialect,
                    arith::ArithDialect>();
  }

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  ChoosePlanOptions getOptions() const {
    ChoosePlanOptions options;
    options.strategy = strategy;
    options.degree = degree;
    options.ignoreFitted = ignoreFitted;
    options.schedule = schedule;
    bool isChosen =
        subBatches.getValue().isDefault && schedule == ScheduleChoice::Best;
    options.subBatches = isChosen ? Degree()
                         : subBatches.getValue().isDefault
                             ? Degree(1)
                             : subBatches.getValue();
    options.padding = padding;
    options.dispatchType = dispatchType;
    options.block = block;
    options.expertProducts = expertProducts;
    options.keepPlan = keepPlan;
    return options;
  }

  LogicalResult run() {
    ModuleOp module = getOperation();
    if (failed(requireUnplanned(module, getArgument())))
      return failure();
    std::optional<platform::Platform> platform;
    if (getPlatformAttr(module)) {
      platform::LoadOptions load;
      load.ignoreFitted = ignoreFitted;
      auto loaded = loadPlatformOf(module, /*given=*/"", getArgument(),
                                   "platform=FILE", load);
      if (failed(loaded))
        return failure();
      platform = std::move(*loaded);
    }
    PlanSearch search(platform ? &platform->machine : nullptr,
                      platform && !ignoreFitted && !platform->fitted.isEmpty());
    PlanState state{module, getOptions()};
    if (expertProducts != ProductsChoice::Auto)
      setExpertProducts(module, expertProducts == ProductsChoice::Keep
                                    ? ExpertProducts::Keep
                                    : ExpertProducts::Recompute);
    if (!keepPlan) {
      erasePlan(module);
      if (failed(search.run(listPlanAxes(), state)))
        return failure();
    }
    if (dispatchType == WireDtype::Keep && !hasPlan(module))
      return success();
    return search.run(listFinishedPlanAxes(), state);
  }
};

} // namespace

LogicalResult moe::planLayers(ModuleOp module, const cost::Machine &machine,
                              const VariantLimits &limits, bool usesFitted) {
  auto forms = chooseStrategies(module, machine, limits, usesFitted);
  if (failed(forms))
    return failure();
  for (LayerOp layer : listLayers(module))
    writeVariant(layer, LayerVariant());
  for (const ChosenVariant &chosen : *forms)
    writeVariant(chosen.layer, chosen.form);
  writeStepPlan(module, StepPlan());
  return success();
}

LogicalResult moe::applyPlan(ModuleOp module, uint64_t searchWidth) {
  CompileOptions options;
  options.from = CompilePhase::Decompose;
  options.verifies = false;
  options.searchWidth = searchWidth;
  return compileTo(module, CompilePhase::Schedule, options);
}
