//===- Pipelines.cpp - The phases of a compilation --------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Transforms/Pipelines.h"
#include "StepPipeline.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "moe/Conversion/Passes.h"
#include "moe/Schedule/TrainingStep.h"
#include "moe/Transforms/Passes.h"

using namespace mlir;
using namespace moe;

namespace {

/// Text form of `CompileOptions`.
struct CompilePipelineOptions
    : public PassPipelineOptions<CompilePipelineOptions> {
  static llvm::cl::ValuesClass phases() {
    return llvm::cl::values(
        clEnumValN(CompilePhase::Import, "import",
                   "the baseline, checked and canonical"),
        clEnumValN(CompilePhase::Decompose, "decompose",
                   "all-to-alls rewritten into drop / all-to-all / "
                   "all-gather"),
        clEnumValN(CompilePhase::Pipeline, "pipeline",
                   "each layer as it is fastest on the platform"),
        clEnumValN(CompilePhase::Schedule, "schedule", "tasks on streams"),
        clEnumValN(CompilePhase::Runtime, "runtime",
                   "what a rank's host tells the runtime, on buffers"),
        clEnumValN(CompilePhase::LLVM, "llvm",
                   "calls of the runtime's C interface"));
  }

  Option<CompilePhase> from{*this, "from", llvm::cl::desc("First phase to run"),
                            llvm::cl::init(CompilePhase::Import), phases()};
  Option<CompilePhase> to{*this, "to", llvm::cl::desc("Last phase to run"),
                          llvm::cl::init(CompilePhase::Decompose), phases()};
  Option<std::string> platform{
      *this, "platform",
      llvm::cl::desc("Description of the machine to compile for, a file or the "
                     "name of one that ships; the module's own when not "
                     "given")};
  Option<StrategyChoice> strategy{
      *this, "strategy",
      llvm::cl::desc("Forms of layers to choose from (phase pipeline)"),
      llvm::cl::init(StrategyChoice::Auto),
      llvm::cl::values(
          clEnumValN(StrategyChoice::Auto, "auto", "all forms"),
          clEnumValN(StrategyChoice::Baseline, "baseline", "as it is"),
          clEnumValN(StrategyChoice::O1, "o1", "drop"),
          clEnumValN(StrategyChoice::O2, "o2",
                     "drop, chunks, copies in turn with collectives"),
          clEnumValN(StrategyChoice::O3, "o3",
                     "drop, chunks, copies on their own"),
          clEnumValN(StrategyChoice::Hierarchical, "hierarchical",
                     "inside nodes and between them"))};
  Option<std::string> degree{
      *this, "degree",
      llvm::cl::desc("Number of chunks, or auto (phase pipeline)"),
      llvm::cl::init("auto")};
  Option<bool> ignoreFitted{
      *this, "ignore-fitted",
      llvm::cl::desc("Leave out parameters fitted to published results (phase "
                     "pipeline)"),
      llvm::cl::init(false)};
  // A name that is none gets an error with all of them.
  Option<std::string> schedule{
      *this, "schedule",
      llvm::cl::desc("Schedule of a training step: deepspeed, tutel, "
                     "tutel-improved, lina, fsmoe-no-iio, fsmoe or best "
                     "(phases pipeline and schedule); not given, each layer "
                     "as it is fastest alone")};
};

/// What every phase ends with.
void addVerification(OpPassManager &manager) {
  manager.addPass(createVerifyCollectives());
}

/// How a schedule of SPEC FS-11 is made, beside the drop of what is sent more
/// than once, which all of them get.
struct StepPasses {
  ChunkOrder order;
  DegreePhases phases = DegreePhases::Each;
  GradientMethod method = GradientMethod::Partition;
  GradientPlaces beside = GradientPlaces::All;
  bool pipelines = true, fills = false;
  ChunkSizes sizes = ChunkSizes::Even;

  /// All but FSMoE know one kind of links.
  CollectiveStreams getCollectives() const {
    return order == ChunkOrder::OneStream ? CollectiveStreams::One
                                          : CollectiveStreams::ByLinks;
  }
};

StepPasses getStepPasses(schedule::StepSchedule schedule) {
  constexpr ChunkOrder kOne = ChunkOrder::OneStream;
  constexpr DegreePhases kJoint = DegreePhases::Joint;
  switch (schedule) {
  case schedule::StepSchedule::DeepSpeed:
    return {kOne, kJoint, GradientMethod::Whole, GradientPlaces::End,
            /*pipelines=*/false};
  case schedule::StepSchedule::Tutel:
    return {kOne, kJoint, GradientMethod::Whole, GradientPlaces::End};
  case schedule::StepSchedule::TutelImproved:
    return {kOne, kJoint, GradientMethod::Whole, GradientPlaces::Dense};
  case schedule::StepSchedule::Lina:
    return {kOne, kJoint, GradientMethod::Fixed, GradientPlaces::All};
  case schedule::StepSchedule::FSMoENoIIO:
    return {kOne};
  case schedule::StepSchedule::FSMoE:
    return {ChunkOrder::Fixed};
  case schedule::StepSchedule::Best: {
    StepPasses passes{ChunkOrder::Best};
    passes.fills = true;
    return passes;
  }
  }
  llvm_unreachable("unknown schedule");
}

/// The passes that give a training step its form, for the module's platform.
void addStepPasses(OpPassManager &manager, const StepPasses &step) {
  // Along the hidden dim: tokens stay free to cut.
  DecomposeAllToAllOptions drop;
  drop.dropDim = 3;
  manager.addPass(createDecomposeAllToAll(drop));
  PartitionGradientsOptions gradients;
  gradients.method = step.method;
  gradients.beside = step.beside;
  gradients.order = step.order;
  manager.addPass(createPartitionGradients(gradients));
  if (step.pipelines) {
    ChooseDegreeOptions degree;
    degree.order = step.order;
    degree.phases = step.phases;
    degree.sizes = step.sizes;
    manager.addPass(createChooseDegree(degree));
  }
  if (step.fills) {
    FillWeightGradientsOptions fill;
    fill.collectives = step.getCollectives();
    manager.addPass(createFillWeightGradients(fill));
  }
}

ScheduleOptions getLaunch(std::optional<schedule::StepSchedule> step) {
  ScheduleOptions launch;
  if (step) {
    launch.collectives = getStepPasses(*step).getCollectives();
    // Gradients are where the plan has them, among the all-to-alls.
    launch.priorities = {"ep"};
  }
  return launch;
}

void addPhase(OpPassManager &manager, CompilePhase phase,
              const CompileOptions &options) {
  switch (phase) {
  case CompilePhase::Import:
    break;
  case CompilePhase::Decompose:
    manager.addPass(createDecomposeAllToAll());
    break;
  case CompilePhase::Pipeline: {
    if (auto step = schedule::parseStepSchedule(options.schedule)) {
      // The best one is known when all have been scheduled.
      if (*step == schedule::StepSchedule::Best)
        return;
      addStepPasses(manager, getStepPasses(*step));
      break;
    }
    // For the platform of the module.
    SelectStrategyOptions select;
    select.strategy = options.strategy;
    select.degree = options.degree;
    select.ignoreFitted = options.ignoreFitted;
    manager.addPass(createSelectStrategy(select));
    break;
  }
  case CompilePhase::Schedule: {
    auto step = schedule::parseStepSchedule(options.schedule);
    if (step == schedule::StepSchedule::Best)
      manager.addPass(createChooseSchedule());
    else
      manager.addPass(createSchedule(getLaunch(step)));
    break;
  }
  case CompilePhase::Runtime:
    manager.addPass(createConvertMoEToMoERT());
    manager.addPass(createVerifyStreams());
    return;
  case CompilePhase::LLVM:
    manager.addPass(createConvertMoERTToLLVM());
    return;
  }
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  // Before the stricter check, which names one of two collectives only.
  if (phase >= CompilePhase::Schedule)
    manager.addPass(createVerifySchedule());
  addVerification(manager);
}

} // namespace

void moe::addScheduledStep(OpPassManager &manager,
                           std::optional<schedule::StepSchedule> schedule,
                           ChunkSizes sizes) {
  assert(
      (sizes == ChunkSizes::Even || schedule == schedule::StepSchedule::Best) &&
      "expected chunks of equal sizes in the schedules of others");
  if (schedule) {
    StepPasses step = getStepPasses(*schedule);
    step.sizes = sizes;
    addStepPasses(manager, step);
  } else {
    manager.addPass(createSelectStrategy());
  }
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createSchedule(getLaunch(schedule)));
}

LogicalResult moe::buildCompilePipeline(OpPassManager &manager,
                                        const CompileOptions &options,
                                        std::string &error) {
  if (options.from > options.to) {
    error = "expected 'from' not to come after 'to'";
    return failure();
  }
  bool selects = options.from <= CompilePhase::Pipeline &&
                 options.to >= CompilePhase::Pipeline;
  if (!selects && (options.strategy != StrategyChoice::Auto ||
                   options.degree != "auto" || options.ignoreFitted)) {
    error = "expected strategy, degree and ignore-fitted only with the phase "
            "'pipeline', which reads them";
    return failure();
  }
  if (!options.schedule.empty()) {
    if (!schedule::parseStepSchedule(options.schedule)) {
      error = "expected schedule to be one of ";
      for (size_t i = 0; i < schedule::kNumStepSchedules; ++i)
        error += (i == 0 ? "" : ", ") +
                 std::string(getName(schedule::StepSchedule(i)));
      error += "; got '" + options.schedule + "'";
      return failure();
    }
    if (!selects || options.to < CompilePhase::Schedule) {
      error = "expected schedule only with the phases 'pipeline' and "
              "'schedule', which read it";
      return failure();
    }
    if (options.strategy != StrategyChoice::Auto || options.degree != "auto" ||
        options.ignoreFitted) {
      error = "expected strategy, degree and ignore-fitted only without a "
              "schedule, which decides on them itself";
      return failure();
    }
  }
  if (!options.platform.empty()) {
    LoadPlatformOptions load;
    load.file = options.platform;
    manager.addPass(createLoadPlatform(load));
  }
  for (int phase = static_cast<int>(options.from);
       phase <= static_cast<int>(options.to); ++phase)
    if (!selects || phase != static_cast<int>(CompilePhase::Decompose))
      addPhase(manager, static_cast<CompilePhase>(phase), options);
  return success();
}

void moe::registerCompilePipeline() {
  registerPassPipeline(
      "moe-compile", "Compile a program of MoE layers, phase by phase",
      [](OpPassManager &manager, StringRef text,
         function_ref<LogicalResult(const Twine &)> error) -> LogicalResult {
        CompilePipelineOptions parsed;
        if (failed(parsed.parseFromString(text)))
          return failure();
        CompileOptions options;
        options.from = parsed.from;
        options.to = parsed.to;
        options.platform = parsed.platform;
        options.strategy = parsed.strategy;
        options.degree = parsed.degree;
        options.ignoreFitted = parsed.ignoreFitted;
        options.schedule = parsed.schedule;
        std::string reason;
        if (failed(buildCompilePipeline(manager, options, reason)))
          return error("moe-compile: " + reason);
        return success();
      },
      [](function_ref<void(const mlir::detail::PassOptions &)> handler) {
        handler(CompilePipelineOptions());
      });
}
