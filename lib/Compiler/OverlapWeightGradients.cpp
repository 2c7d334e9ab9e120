// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass that overlaps weight gradients with all-to-alls.

#include "StepChoices.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "moe/Compiler/Passes.h"
#include "moe/Compiler/ScheduleEvaluator.h"
#include "moe/Cost/TieTolerance.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"
#include "moe/Transforms/ModulePlatform.h"
#include "moe/Transforms/Remarks.h"

namespace moe {
#define GEN_PASS_DEF_OVERLAPWEIGHTGRADIENTS
#include "moe/Compiler/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

/// Returns the result of the layer's combine: of the last all-to-all after the
/// experts, or the first result of the pipeline that contains them. May be
/// null.
static Value findCombined(Block &block) {
  Value combined;
  bool behindExperts = false;
  for (Operation &op : block) {
    bool holdsExperts = appliesExperts(&op);
    if (auto pipeline = dyn_cast<PipelineOp>(op))
      for (Operation &nested : pipeline.getBody().front())
        holdsExperts |= appliesExperts(&nested);
    if (holdsExperts && isa<PipelineOp>(op))
      return op.getResult(0);
    behindExperts |= holdsExperts;
    if (behindExperts && isAllToAll(&op))
      combined = op.getResult(0);
  }
  return combined;
}

/// Moves ops that do not depend on the combine before the first op that does.
/// Returns the number of moved weight gradients.
static int64_t fill(LayerOp layer) {
  Block &block = layer.getBody().front();
  Value combined = findCombined(block);
  if (!combined)
    return 0;
  // Ops that depend on the combine, and ops that must not move: collectives
  // keep their order among the all-to-alls.
  llvm::DenseSet<Operation *> behind;
  Operation *first = nullptr;
  int64_t moved = 0;
  for (Operation &op : llvm::make_early_inc_range(
           llvm::make_range(std::next(combined.getDefiningOp()->getIterator()),
                            block.without_terminator().end()))) {
    bool waits = false,
         stays = isa<CollectiveOpInterface>(op) || !isMemoryEffectFree(&op);
    op.walk([&](Operation *nested) {
      for (Value operand : nested->getOperands()) {
        Operation *def = operand.getDefiningOp();
        waits |= operand == combined;
        stays |= def && behind.contains(def);
      }
    });
    if (waits || stays) {
      behind.insert(&op);
      if (!first && !isa<CollectiveOpInterface>(op))
        first = &op;
      continue;
    }
    if (!first)
      continue;
    moved += isa<ExpertsWgradOp>(op);
    op.moveBefore(first);
  }
  return moved;
}

/// Processes all backward layers; returns the number of moved weight gradients.
static int64_t fillAll(ModuleOp module) {
  int64_t moved = 0;
  module.walk([&](LayerOp layer) {
    if (layer.getPhase() == Phase::Backward)
      moved += fill(layer);
  });
  return moved;
}

void moe::overlapWeightGradients(ModuleOp module) { fillAll(module); }

/// Returns the total time of all functions that can be scheduled.
static FailureOr<double> simulateUs(ModuleOp module,
                                    ScheduleEvaluator &evaluator) {
  OwningOpRef<ModuleOp> copy(module.clone());
  if (failed(evaluator.schedule(*copy, /*verifies=*/false)))
    return failure();
  FailureOr<Evaluation> evaluation =
      evaluator.evaluate(*copy, /*withMemory=*/false);
  if (failed(evaluation))
    return failure();
  return evaluation->us;
}

FailureOr<bool> moe::paysToFill(ModuleOp module, const cost::Machine &machine,
                                CollectiveStreams collectives) {
  auto options =
      remark::RemarkOpts::name("fill").category("moe-fill-weight-gradients");
  OwningOpRef<ModuleOp> filled(module.clone());
  int64_t moved = fillAll(*filled);
  if (moved == 0) {
    moe::missed(module->getLoc(), options)
        << remark::reason("expected weight gradients of experts behind what "
                          "waits for a combine, found none");
    return false;
  }
  ScheduleOptions launch;
  launch.collectives = collectives;
  launch.priorities = {"ep"};
  ScheduleEvaluator evaluator(machine, launch);
  FailureOr<double> before = simulateUs(module, evaluator);
  FailureOr<double> after = simulateUs(*filled, evaluator);
  if (failed(before) || failed(after))
    return failure();
  // The overlapped program is equally simple, so ties choose it.
  double times[] = {*after, *before};
  if (cost::pickWithinTolerance(times, /*uncertainty=*/0,
                                [](double us) { return us; }) != times) {
    moe::missed(module->getLoc(), options) << remark::reason(
        "the step would take {0:F3} us instead of {1:F3} us", *after, *before);
    return false;
  }
  moe::passed(module->getLoc(), options)
      << remark::add("weight gradients of experts run beside combines")
      << remark::metric("moved", moved) << remark::metric("before_us", *before)
      << remark::metric("time_us", *after);
  return true;
}

namespace {

struct OverlapWeightGradients
    : public moe::impl::OverlapWeightGradientsBase<OverlapWeightGradients> {
  using OverlapWeightGradientsBase::OverlapWeightGradientsBase;

  // Nested passes build the compared schedules.
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<MoEDialect, func::FuncDialect, tensor::TensorDialect>();
  }

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run() {
    auto loaded = loadPlatformOf(getOperation(), platform, getArgument());
    if (failed(loaded))
      return failure();
    FailureOr<bool> pays =
        paysToFill(getOperation(), loaded->machine, collectives);
    if (failed(pays))
      return failure();
    if (*pays)
      overlapWeightGradients(getOperation());
    return success();
  }
};

} // namespace
