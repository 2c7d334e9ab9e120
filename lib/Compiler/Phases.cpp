// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compile phases as pass pipelines.

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "moe/Compiler/Compile.h"
#include "moe/Compiler/Passes.h"
#include "moe/Compiler/Plan.h"
#include "moe/Conversion/Passes.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoERT/MoERTDialect.h"
#include "moe/Dialect/MoERT/MoERTProgram.h"

using namespace mlir;
using namespace moe;

bool moe::isHostProgram(Operation *op) {
  return isa<func::FuncOp>(op) &&
         op->hasAttr(rt::MoERTDialect::getInputsAttrName());
}

bool moe::isEntryPoint(Operation *op) {
  auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
  return function && !function.isExternal() &&
         function.getSymName().starts_with(rt::kCodePrefix) &&
         function.getLinkage() == LLVM::Linkage::External &&
         !function->hasAttr(rt::MoERTDialect::getPartOfAttrName());
}

CompilePhase moe::findPhase(ModuleOp module) {
  auto phase = CompilePhase::Import;
  auto raise = [&](CompilePhase to) { phase = std::max(phase, to); };
  if (hasPlan(module)) {
    // The phase that reads a plan reports its errors.
    ScopedDiagnosticHandler ignore(module.getContext(),
                                   [](Diagnostic &) { return success(); });
    if (FailureOr<StepPlan> plan = readStepPlan(module); succeeded(plan))
      raise(plan->phase);
  }
  for (Operation &op : module.getOps()) {
    if (isEntryPoint(&op))
      raise(CompilePhase::LLVM);
    else if (isHostProgram(&op))
      raise(CompilePhase::Runtime);
    op.walk([&](Operation *nested) {
      if (isa<ScheduleOp>(nested))
        raise(CompilePhase::Schedule);
      else if (isa<PipelineOp>(nested))
        raise(CompilePhase::Pipeline);
    });
  }
  return phase;
}

LogicalResult moe::requireUnplanned(ModuleOp module, StringRef user) {
  CompilePhase phase = findPhase(module);
  if (phase <= CompilePhase::Choose)
    return success();
  InFlightDiagnostic diag = emitError(module.getLoc())
                            << user << ": expected a program that is not past "
                            << "the phase choose, got one of phase "
                            << getName(phase);
  if (phase != kLastPhase)
    diag << "; moe-compile goes on with from="
         << getName(CompilePhase(int(phase) + 1));
  return diag;
}

void moe::addPhaseVerifier(OpPassManager &manager, CompilePhase phase) {
  switch (phase) {
  case CompilePhase::Schedule:
  // The program may already have been scheduled before the phase Schedule.
  case CompilePhase::Pipeline:
    // Must precede the stricter check, which names only one of two collectives.
    manager.addPass(createVerifySchedule());
    [[fallthrough]];
  case CompilePhase::Import:
  case CompilePhase::Choose:
  case CompilePhase::Decompose:
    manager.addPass(createVerifyCollectives());
    return;
  case CompilePhase::Runtime:
    manager.addPass(createVerifyStreams());
    return;
  case CompilePhase::LLVM:
    return;
  }
  llvm_unreachable("unknown phase");
}

static SmallVector<PhaseExtension> &getExtensions() {
  static SmallVector<PhaseExtension> extensions;
  return extensions;
}

void moe::registerPhaseExtension(const PhaseExtension &extension) {
  if (llvm::none_of(getExtensions(), [&](const PhaseExtension &known) {
        return known.addPasses == extension.addPasses;
      }))
    getExtensions().push_back(extension);
}

void moe::registerExtensionDialects(DialectRegistry &registry) {
  for (const PhaseExtension &extension : getExtensions())
    if (extension.registerDialects)
      extension.registerDialects(registry);
}

/// Appends the rewrites of a phase.
static void addRewrites(OpPassManager &manager, CompilePhase phase,
                        const CompileOptions &options) {
  switch (phase) {
  case CompilePhase::Import:
    return;
  case CompilePhase::Choose:
    manager.addPass(createChoosePlan(options));
    return;
  case CompilePhase::Decompose:
    manager.addPass(createDecomposePlan());
    return;
  case CompilePhase::Pipeline:
    manager.addPass(createPipelinePlan());
    return;
  case CompilePhase::Schedule:
    manager.addPass(createSchedulePlan(options));
    return;
  case CompilePhase::Runtime:
    manager.addPass(createConvertMoEToMoERT());
    return;
  case CompilePhase::LLVM:
    manager.addPass(createConvertMoERTToLLVM(options));
    return;
  }
  llvm_unreachable("unknown phase");
}

static void addPhase(OpPassManager &manager, CompilePhase phase,
                     const CompileOptions &options) {
  addRewrites(manager, phase, options);
  for (const PhaseExtension &extension : getExtensions())
    if (extension.phase == phase)
      extension.addPasses(manager, options);
  // The phase Choose changes no op, or it splits the batch or unpads layers of
  // a verified program.
  if (phase == CompilePhase::Choose)
    return;
  if (phase <= CompilePhase::Schedule) {
    manager.addPass(createCanonicalizerPass());
    manager.addPass(createCSEPass());
  }
  if (options.verifies)
    addPhaseVerifier(manager, phase);
}

void moe::addPhases(OpPassManager &manager, CompilePhase to,
                    const CompileOptions &options) {
  assert(checkOptions(to, options).empty() && "expected checked options");
  if (!options.platform.empty()) {
    LoadPlatformOptions load;
    load.file = options.platform;
    manager.addPass(createLoadPlatform(load));
  }
  if (!options.traffic.empty() || options.robust) {
    LoadTrafficOptions load;
    load.file = options.traffic;
    load.robust = options.robust;
    manager.addPass(createLoadTraffic(load));
  }
  if (options.verifies && options.from != kFirstPhase)
    addPhaseVerifier(
        manager, static_cast<CompilePhase>(static_cast<int>(options.from) - 1));
  // Later phases read no plan, so a remaining one would be lost.
  if (options.from > CompilePhase::Schedule)
    manager.addPass(createVerifyPlan());
  for (int i = static_cast<int>(options.from); i <= static_cast<int>(to); ++i)
    addPhase(manager, static_cast<CompilePhase>(i), options);
}

std::string moe::checkOptions(CompilePhase to, const CompileOptions &options) {
  if (options.from > to)
    return "expected 'from' not to come after 'to', got " +
           getName(options.from).str() + " and " + getName(to).str();
  bool chooses = options.strategy != StrategyChoice::Auto ||
                 options.degree.chunks || options.ignoreFitted;
  bool schedules = options.schedule != ScheduleChoice::Layers;
  if ((options.from > CompilePhase::Choose || to < CompilePhase::Choose) &&
      (chooses || schedules || !options.subBatches.isDefault ||
       options.padding != PaddingChoice::Default ||
       options.dispatchType != WireDtype::Keep ||
       options.expertProducts != ProductsChoice::Auto))
    return "strategy, degree, ignore-fitted, schedule, sub-batches, padding, "
           "dispatch-type and expert-products require the phase 'choose', got "
           "from=" +
           getName(options.from).str() + " to=" + getName(to).str();
  if (chooses && schedules)
    return "strategy, degree and ignore-fitted are not supported with a "
           "schedule, which chooses them itself";
  if (options.circuits != CircuitUse::Auto &&
      (options.from > CompilePhase::Schedule || to < CompilePhase::Schedule))
    return "circuits requires the phase 'schedule', got from=" +
           getName(options.from).str() + " to=" + getName(to).str();
  bool hasCircuits =
      llvm::any_of(getExtensions(), [](const PhaseExtension &extension) {
        return extension.plansCircuits;
      });
  if (options.circuits != CircuitUse::Auto &&
      options.circuits != CircuitUse::Off && !hasCircuits)
    return "circuits=" + getEnumName(options.circuits).str() +
           " requires optical circuits: a build with MOE_ENABLE_CIRCUITS, and "
           "in a program of your own a call of registerCircuitPasses";
  if (!options.priorities.empty() &&
      (options.from > CompilePhase::Schedule || to < CompilePhase::Schedule))
    return "priorities requires the phase 'schedule', got from=" +
           getName(options.from).str() + " to=" + getName(to).str();
  if (!options.priorities.empty() && schedules)
    return "priorities is not supported with a schedule, which places the "
           "gradient all-reduces itself";
  if (options.target != CompileTarget::Host && to != CompilePhase::LLVM)
    return "target requires the phase 'llvm', got to=" + getName(to).str();
  if (options.target == CompileTarget::Nccl)
    return "";
  ConvertMoERTToLLVMOptions defaults;
  for (auto [word, given, fallback] :
       {std::tuple("chip", &options.chip, &defaults.chip),
        std::tuple("cubin-chips", &options.cubinChips, &defaults.cubinChips),
        std::tuple("toolkit", &options.toolkit, &defaults.toolkit)})
    if (*given != *fallback)
      return std::string(word) + " requires target=nccl, got '" + *given + "'";
  return "";
}

LogicalResult moe::compileTo(ModuleOp module, CompilePhase to,
                             const CompileOptions &options) {
  if (std::string problem = checkOptions(to, options); !problem.empty())
    return emitError(module.getLoc()) << problem;
  PassManager manager(module.getContext());
  manager.enableVerifier(options.verifies);
  addPhases(manager, to, options);
  return manager.run(module);
}

LogicalResult moe::resumeCompilation(ModuleOp module, CompilePhase to) {
  CompilePhase reached = findPhase(module);
  CompileOptions options;
  // Nothing is chosen: a program without a plan is scheduled unchanged.
  options.circuits = CircuitUse::Off;
  options.from = reached == CompilePhase::Import
                     ? CompilePhase::Schedule
                     : static_cast<CompilePhase>(static_cast<int>(reached) + 1);
  if (options.from > to)
    return success();
  return compileTo(module, to, options);
}
