//===- ChooseParts.cpp - Into how many parts the batch is cut ---*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "moe/Analysis/ArgumentBytes.h"
#include "moe/Compiler/BatchPasses.h"
#include "moe/Compiler/Compile.h"
#include "moe/Compiler/Plan.h"
#include "moe/Compiler/ScheduleEvaluator.h"
#include "moe/Cost/Choice.h"
#include "moe/Transforms/BatchPasses.h"
#include "moe/Transforms/ModulePlatform.h"
#include "moe/Transforms/SilentRemarks.h"
#include "llvm/Support/FormatVariadic.h"

namespace moe {
#define GEN_PASS_DEF_CHOOSEPARTS
#include "moe/Compiler/BatchPasses.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

namespace {

/// The program in a number of parts.
struct PartsPlan {
  int64_t parts = 1;
  /// What the plan was made with.
  ChoosePlanOptions options = {};
  /// What it takes, or why that is not known, or it does not fit.
  Evaluation evaluation = {};
  /// With its plan.
  OwningOpRef<ModuleOp> planned = {};

  double getUs() const {
    return evaluation ? evaluation.us : std::numeric_limits<double>::infinity();
  }
  std::string describe() const {
    std::string name =
        std::to_string(parts) + (parts == 1 ? " part" : " parts");
    if (!evaluation)
      return name + " cannot be: " + evaluation.problem;
    return llvm::formatv(
        "{0} {1} with {2} bytes", name,
        describeUs(evaluation.us, evaluation.numExtrapolated != 0),
        evaluation.peakBytes);
  }
};

struct ChooseParts : public moe::impl::ChoosePartsBase<ChooseParts> {
  using ChoosePartsBase::ChoosePartsBase;

  // Plans are made with passes of their own.
  void getDependentDialects(DialectRegistry &registry) const override {
    ChoosePartsBase::getDependentDialects(registry);
    registry.insert<func::FuncDialect>();
  }

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  remark::RemarkOpts options() {
    return remark::RemarkOpts::name("parts").category(getArgument());
  }

  ChoosePlanOptions getPlanOptions() const {
    ChoosePlanOptions plan;
    plan.strategy = strategy;
    plan.degree = degree;
    plan.ignoreFitted = ignoreFitted;
    plan.schedule = schedule;
    return plan;
  }

  /// What plans of parts are made with. Layers whose exchanges are hidden under
  /// other parts need fewer chunks than alone, and chunks are no gain in
  /// themselves.
  SmallVector<ChoosePlanOptions> listPlanOptions(int64_t count) const {
    SmallVector<ChoosePlanOptions> plans{getPlanOptions()};
    if (count == 1 || strategy != StrategyChoice::Auto ||
        degree.getValue().chunks ||
        (schedule != ScheduleChoice::Best &&
         schedule != ScheduleChoice::Layers))
      return plans;
    for (int64_t chunks : {1, 2}) {
      ChoosePlanOptions plan = getPlanOptions();
      plan.schedule = ScheduleChoice::Layers;
      plan.degree.chunks = chunks;
      plans.push_back(plan);
    }
    return plans;
  }

  LogicalResult plan(ModuleOp module, const ChoosePlanOptions &with) {
    OpPassManager manager(ModuleOp::getOperationName());
    manager.addPass(createChoosePlan(with));
    return runPipeline(manager, module);
  }

  /// Cuts a module; an error where it cannot be.
  LogicalResult split(ModuleOp module, int64_t count) {
    std::string reason;
    SmallVector<std::string> changed;
    if (count == 1 ||
        splitBatch(module, count, SlotSharing::Keep, reason, changed))
      return success();
    return emitError(module.getLoc()) << getArgument() << ": " << reason;
  }

  LogicalResult run() {
    ModuleOp module = getOperation();
    if (failed(checkMayChoose(module, getArgument())))
      return failure();
    const std::optional<int64_t> given = parts.getValue().chunks;
    // Nothing to choose, and nobody to tell what it takes.
    if (given == 1 || !getPlatformAttr(module) ||
        (given && listPlanOptions(*given).size() == 1 &&
         !isRead(module.getLoc(), getArgument())))
      return failure(failed(split(module, given.value_or(1))) ||
                     failed(plan(module, getPlanOptions())));
    platform::LoadOptions load;
    load.ignoreFitted = ignoreFitted;
    auto loaded = loadPlatformOf(module, /*given=*/"", getArgument(),
                                 "platform=FILE", load);
    if (failed(loaded))
      return failure();
    return choose(loaded->machine, given);
  }

  PartsPlan tryPlan(int64_t count, const ChoosePlanOptions &with,
                    ScheduleEvaluator &evaluator) {
    PartsPlan candidate{count, with};
    ScheduleEvaluator::Trial trial = evaluator.tryCompile(
        getOperation(), [&](ModuleOp copy) -> LogicalResult {
          if (failed(split(copy, count)))
            return failure();
          // What plans are made of is not verified, but kept.
          PassManager manager(copy.getContext());
          manager.enableVerifier(false);
          manager.addPass(createChoosePlan(with));
          if (failed(manager.run(copy)))
            return failure();
          candidate.planned = copy.clone();
          CompileOptions carryOut;
          carryOut.from = CompilePhase::Decompose;
          carryOut.verifies = false;
          return compileTo(copy, CompilePhase::Schedule, carryOut);
        });
    candidate.evaluation = std::move(trial.evaluation);
    if (!candidate.evaluation) {
      StringRef problem = candidate.evaluation.problem;
      problem.consume_front((getArgument() + ": ").str());
      candidate.evaluation.problem = problem.str();
      return candidate;
    }
    FailureOr<Evaluation> full = evaluator.evaluate(*trial.module);
    if (succeeded(full))
      candidate.evaluation = std::move(*full);
    candidate.evaluation.peakBytes += getMostArgumentBytes();
    const auto &memory = evaluator.getMachine().memoryPerRank;
    double bytes = double(candidate.evaluation.peakBytes);
    if (!parts.getValue().chunks && count > 1 && memory &&
        bytes > memory->value.value())
      candidate.evaluation.problem = llvm::formatv(
          "expected values and arguments to fit {0:F0} bytes a rank, got {1}",
          memory->value.value(), candidate.evaluation.peakBytes);
    return candidate;
  }

  /// The program in a number of parts, by the best of its plans.
  PartsPlan tryParts(int64_t count, ScheduleEvaluator &evaluator) {
    std::vector<PartsPlan> plans;
    for (const ChoosePlanOptions &with : listPlanOptions(count))
      plans.push_back(tryPlan(count, with, evaluator));
    auto best = cost::pickSimplest(
        plans, cost::kTie, [](const PartsPlan &plan) { return plan.getUs(); });
    return std::move(best == plans.end() ? plans.front() : *best);
  }

  /// Why no parts can be tried; empty where some can.
  std::string findObstacle() {
    std::string first;
    // Others are multiples of these.
    for (int64_t count : {2, 3}) {
      OwningOpRef<ModuleOp> copy(getOperation().clone());
      std::string reason;
      SmallVector<std::string> changed;
      if (splitBatch(*copy, count, SlotSharing::Keep, reason, changed))
        return "";
      if (first.empty())
        first = reason;
    }
    return first;
  }

  /// What the arguments of the largest function take up.
  int64_t getMostArgumentBytes() {
    int64_t most = 0;
    for (auto function : getOperation().getOps<func::FuncOp>())
      most = std::max(most, getArgumentBytes(function));
    return most;
  }

  LogicalResult choose(const cost::Machine &machine,
                       std::optional<int64_t> given) {
    if (std::string reason = given ? "" : findObstacle(); !reason.empty()) {
      moe::missed(getOperation().getLoc(), options())
          << remark::reason("{0}", reason);
      return plan(getOperation(), getPlanOptions());
    }
    ScheduleEvaluator evaluator(machine);
    std::vector<PartsPlan> candidates;
    SmallVector<int64_t> counts = {1, 2, 3, 4, 8};
    if (given)
      counts = {*given};
    for (int64_t count : counts) {
      double fastestUs = std::numeric_limits<double>::infinity();
      for (const PartsPlan &candidate : candidates)
        fastestUs = std::min(fastestUs, candidate.getUs());
      // More parts only where some paid.
      if (!given && count > 3 && !(candidates.front().getUs() > fastestUs))
        break;
      candidates.push_back(tryParts(count, evaluator));
      // One reason is enough.
      if (!given && count > 2 && !candidates.back().evaluation)
        candidates.pop_back();
      if (count == 1 && !candidates.front().evaluation)
        break;
    }
    auto best = cost::pickSimplest(
        candidates, cost::kTie,
        [](const PartsPlan &candidate) { return candidate.getUs(); });
    if (given && best == candidates.end())
      return emitError(getOperation().getLoc())
             << getArgument() << ": " << candidates.front().evaluation.problem;
    // What is wrong without parts says who plans.
    if (best == candidates.end()) {
      if (failed(plan(getOperation(), getPlanOptions())))
        return failure();
    } else if (getOperation().getContext()->getRemarkEngine()) {
      // Once more, for the remarks of the passes that made the plan.
      if (failed(split(getOperation(), best->parts)) ||
          failed(plan(getOperation(), best->options)))
        return failure();
    } else {
      getOperation()->setAttrs((*best->planned)->getAttrDictionary());
      getOperation().getBodyRegion().takeBody(best->planned->getBodyRegion());
    }
    if (best != candidates.end())
      report(candidates, *best);
    return success();
  }

  void report(ArrayRef<PartsPlan> candidates, const PartsPlan &best) {
    const PartsPlan *runnerUp = nullptr;
    std::string rows;
    for (const PartsPlan &candidate : candidates) {
      rows += (rows.empty() ? "" : ", ") + candidate.describe();
      if (&candidate != &best && candidate.evaluation &&
          (!runnerUp || candidate.getUs() < runnerUp->getUs()))
        runnerUp = &candidate;
    }
    auto remark = moe::passed(getOperation().getLoc(), options());
    remark << remark::add("{0}", rows) << remark::metric("parts", best.parts)
           << remark::metric("time_us", best.getUs())
           << remark::metric("peak_bytes", best.evaluation.peakBytes);
    if (candidates.front().parts == 1)
      remark << remark::metric("gain_us",
                               candidates.front().getUs() - best.getUs());
    if (runnerUp)
      remark << remark::metric("runner_up", runnerUp->parts)
             << remark::metric("runner_up_us", runnerUp->getUs())
             << remark::metric("runner_up_bytes",
                               runnerUp->evaluation.peakBytes);
  }
};

} // namespace
