//===- ChooseDispatchType.cpp - Tokens in 8 bits, or not ----------*- C++
//-*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../StepChoices.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "moe/Compiler/DispatchPasses.h"
#include "moe/Compiler/ScheduleEvaluator.h"
#include "moe/Cost/Choice.h"
#include "moe/Transforms/ModulePlatform.h"
#include "moe/Transforms/SilentRemarks.h"
#include "llvm/Support/FormatVariadic.h"

namespace moe {
#define GEN_PASS_DEF_CHOOSEDISPATCHTYPE
#include "moe/Compiler/DispatchPasses.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

namespace {

/// The plan with tokens as they are, or in 8 bits.
struct DispatchTypePlan {
  StepPlan plan;
  /// What the program takes, or why that is not known.
  Evaluation evaluation = {};

  double getUs() const {
    return evaluation ? evaluation.us : std::numeric_limits<double>::infinity();
  }
  std::string describe() const {
    std::string name =
        plan.quantizeBlock ? "tokens of 8 bits" : "tokens as they are";
    if (!evaluation)
      return name + " cannot be: " + evaluation.problem;
    return name + " take " +
           describeUs(evaluation.us, evaluation.numExtrapolated != 0);
  }
};

struct ChooseDispatchType
    : public moe::impl::ChooseDispatchTypeBase<ChooseDispatchType> {
  using ChooseDispatchTypeBase::ChooseDispatchTypeBase;

  // Plans are carried out with passes of their own.
  void getDependentDialects(DialectRegistry &registry) const override {
    ChooseDispatchTypeBase::getDependentDialects(registry);
    registry.insert<func::FuncDialect>();
  }

  void runOnOperation() override {
    if (type != DispatchType::Keep && failed(run()))
      signalPassFailure();
  }

private:
  remark::RemarkOpts getOptions() const {
    return remark::RemarkOpts::name("dispatch-type").category(getArgument());
  }

  LogicalResult run() {
    ModuleOp module = getOperation();
    auto error = [&] {
      return emitError(module.getLoc()) << getArgument() << ": ";
    };
    if (block < 0)
      return error() << "expected a block of at least one element, or 0 for "
                        "whole rows, got "
                     << block.number;
    FailureOr<StepPlan> plan = readStepPlan(module);
    if (failed(plan))
      return failure();
    if (plan->phase != CompilePhase::Choose)
      return error() << "expected a plan that the phase choose left, got one "
                        "of phase "
                     << moe::getName(plan->phase);
    constexpr StringLiteral kNoRows =
        "no layer exchanges rows, which alone travel in 8 bits (padding=rows "
        "makes them of padded buffers)";
    bool hasRows =
        module.walk([](PermuteRowsOp) { return WalkResult::interrupt(); })
            .wasInterrupted();
    if (!hasRows && type == DispatchType::E4M3)
      return error() << "expected layers whose tokens can travel in 8 bits "
                        "(type=e4m3): "
                     << kNoRows;
    if (!hasRows) {
      moe::missed(module.getLoc(), getOptions())
          << remark::reason("{0}", kNoRows);
      return success();
    }
    DispatchTypePlan kept{*plan}, quantized{*plan};
    quantized.plan.quantizeBlock = block.number;
    if (type == DispatchType::E4M3) {
      writeStepPlan(module, quantized.plan);
      return success();
    }
    return choose(kept, quantized);
  }

  LogicalResult choose(DispatchTypePlan &kept, DispatchTypePlan &quantized) {
    ModuleOp module = getOperation();
    auto loaded =
        loadPlatformOf(module, /*given=*/"", getArgument(), "platform=FILE",
                       {.ignoreFitted = ignoreFitted});
    if (failed(loaded))
      return failure();
    ScheduleEvaluator evaluator(loaded->machine);
    for (DispatchTypePlan *candidate : {&kept, &quantized})
      candidate->evaluation =
          evaluator
              .tryCompile(module,
                          [&](ModuleOp copy) {
                            writeStepPlan(copy, candidate->plan);
                            return carryOutPlan(copy);
                          })
              .evaluation;
    // As they are is simpler.
    const DispatchTypePlan *candidates[] = {&kept, &quantized};
    auto best = cost::pickSimplest(
        candidates, loaded->machine.uncertainty.value,
        [](const DispatchTypePlan *candidate) { return candidate->getUs(); });
    // What is wrong with both says who carries the plan out.
    if (best == std::end(candidates))
      return success();
    const DispatchTypePlan &chosen = **best;
    writeStepPlan(module, chosen.plan);
    const DispatchTypePlan &other = &chosen == &kept ? quantized : kept;
    auto remark = moe::passed(module.getLoc(), getOptions());
    remark << remark::add("{0}, {1}", chosen.describe(), other.describe())
           << remark::metric("type",
                             chosen.plan.quantizeBlock ? "e4m3" : "keep")
           << remark::metric("time_us", chosen.getUs());
    if (other.evaluation)
      remark << remark::metric("runner_up_us", other.getUs());
    return success();
  }
};

} // namespace
