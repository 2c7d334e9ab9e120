// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code of a program, loaded in this process.

#include "moe/Execution/CompiledProgram.h"
#include "Recorder.h"
#include "TaskMarks.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "moe/Dialect/MoERT/MoERTProgram.h"
#include "moe/Dialect/MoERT/RuntimeSymbols.h"
#include "moe/Execution/Compile.h"
#include "moe/Execution/Faults.h"
#include "moe/Execution/NativeSymbols.h"
#include "llvm/ExecutionEngine/Orc/CoreContainers.h"
#include "llvm/ExecutionEngine/Orc/Mangling.h"
#include "llvm/Support/TargetSelect.h"

using namespace mlir;
using namespace moe;
using cost::Failure;
using cost::Result;

//===----------------------------------------------------------------------===//
// Machine code
//===----------------------------------------------------------------------===//

namespace moe {

/// A compiled entry function; returns a status of the runtime's C interface.
using EntryFunction = int32_t (*)(moert_context *context, void **inputs,
                                  void **results);

/// Creates in advance the objects that the first call would create.
using PrepareFunction = int32_t (*)(moert_context *context);

/// Machine code of a module in the LLVM dialect, linked with the runtime of
/// this process.
class Jit {
public:
  /// If `recorded`, the code calls the runtime through a `Recorder`. Emits an
  /// error and fails if the module cannot be compiled.
  static mlir::FailureOr<Jit> create(mlir::ModuleOp module,
                                     bool recorded = false);

  mlir::FailureOr<EntryFunction> lookup(mlir::Location loc,
                                        llvm::StringRef entry) const;
  mlir::FailureOr<PrepareFunction> lookupPrepare(mlir::Location loc,
                                                 llvm::StringRef entry) const;

private:
  mlir::FailureOr<void *> find(mlir::Location loc,
                               const std::string &name) const;
  explicit Jit(std::unique_ptr<mlir::ExecutionEngine> engine)
      : engine(std::move(engine)) {}

  std::unique_ptr<mlir::ExecutionEngine> engine;
};

} // namespace moe

static SmallVector<NativeSymbol> &getNativeSymbols() {
  static SmallVector<NativeSymbol> symbols;
  return symbols;
}

void moe::registerNativeSymbols(ArrayRef<NativeSymbol> symbols) {
  getNativeSymbols().assign(symbols.begin(), symbols.end());
}

/// Returns the functions that compiled programs call, by name.
static llvm::orc::SymbolMap
getRuntimeSymbols(llvm::orc::MangleAndInterner mangle) {
  llvm::orc::SymbolMap symbols;
#define MOERT_OCS_CALL(name)
#define MOERT_CALL(name)                                                       \
  symbols[mangle(rt::symbols::name)] = {                                       \
      llvm::orc::ExecutorAddr::fromPtr(&moert_##name),                         \
      llvm::JITSymbolFlags::Exported};
#define MOERT_WORK(name) MOERT_CALL(name)
#define MOERT_KERNEL(name, Name, args) MOERT_CALL(name)
#include "moert_calls.def"
  for (const NativeSymbol &own : getNativeSymbols())
    symbols[mangle(own.name)] = {llvm::orc::ExecutorAddr::fromPtr(own.address),
                                 llvm::JITSymbolFlags::Exported};
  return symbols;
}

FailureOr<Jit> Jit::create(ModuleOp module, bool recorded) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto optimize = makeOptimizingTransformer(/*optLevel=*/2, /*sizeLevel=*/0,
                                            /*targetMachine=*/nullptr);
  ExecutionEngineOptions options;
  options.transformer = optimize;
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  auto engine = ExecutionEngine::create(module, options);
  if (!engine)
    return emitError(module.getLoc()) << "cannot be compiled for this machine: "
                                      << llvm::toString(engine.takeError());
  (*engine)->registerSymbols([&](llvm::orc::MangleAndInterner mangle) {
    llvm::orc::SymbolMap symbols = getRuntimeSymbols(mangle);
    if (recorded)
      addRecordingSymbols(symbols, mangle);
    return symbols;
  });
  return Jit(std::move(*engine));
}

FailureOr<void *> Jit::find(Location loc, const std::string &name) const {
  auto address = engine->lookup(name);
  if (!address)
    return emitError(loc) << "cannot be linked: "
                          << llvm::toString(address.takeError());
  return *address;
}

FailureOr<EntryFunction> Jit::lookup(Location loc, StringRef entry) const {
  FailureOr<void *> found = find(loc, (rt::kCodePrefix + entry).str());
  if (failed(found))
    return failure();
  return reinterpret_cast<EntryFunction>(*found);
}

FailureOr<PrepareFunction> Jit::lookupPrepare(Location loc,
                                              StringRef entry) const {
  FailureOr<void *> found =
      find(loc, (rt::kCodePrefix + entry + "_prepare").str());
  if (failed(found))
    return failure();
  return reinterpret_cast<PrepareFunction>(*found);
}

CompiledProgram::CompiledProgram() = default;
CompiledProgram::CompiledProgram(CompiledProgram &&) = default;
CompiledProgram &CompiledProgram::operator=(CompiledProgram &&) = default;
CompiledProgram::~CompiledProgram() {
  // Leaks the code, because a stream's thread that is executing it cannot be
  // stopped.
  if (mustStay && *mustStay)
    (void)jit.release();
}

FailureOr<CompiledProgram> CompiledProgram::compile(const Program &program,
                                                    const Options &options) {
  CompiledProgram compiled;
  func::FuncOp entry = program.getEntry();
  if (options.emulated && isLowered(program.getModule(), entry.getSymName()))
    return entry.emitError()
           << "the program @" << entry.getSymName()
           << " has no tasks to take times of, which --emulate needs: expected "
              "one of phase schedule or before it, got one of a later phase";
  auto onScheduled = [&](ModuleOp scheduled) -> LogicalResult {
    if (!options.recorded)
      return success();
    FailureOr<std::vector<TaskLabel>> tasks =
        tagTasks(scheduled, options.emulated, options.routing);
    if (failed(tasks))
      return failure();
    compiled.tasks = std::move(*tasks);
    return success();
  };
  FailureOr<OwningOpRef<ModuleOp>> lowered =
      compileToLLVM(program.getModule(), entry.getSymName(), onScheduled,
                    getOptionsToRun(options.target));
  if (failed(lowered))
    return failure();
  if (options.recorded)
    markTasks(**lowered);
  FailureOr<Jit> jit = Jit::create(**lowered, options.recorded);
  if (failed(jit))
    return failure();
  FailureOr<EntryFunction> function =
      jit->lookup(entry.getLoc(), entry.getSymName());
  if (failed(function))
    return failure();
  if (options.target != CompileTarget::Host) {
    FailureOr<PrepareFunction> prepare =
        jit->lookupPrepare(entry.getLoc(), entry.getSymName());
    if (failed(prepare))
      return failure();
    compiled.prepareFunction = *prepare;
  }
  compiled.jit = std::make_unique<Jit>(std::move(*jit));
  compiled.mustStay = std::make_unique<std::atomic<bool>>(false);
  compiled.function = *function;
  // A job identifies the kernels of programs by their addresses until it ends.
  *compiled.mustStay = options.target != CompileTarget::Host;
  return compiled;
}

std::optional<Failure> CompiledProgram::prepare(Job &job) const {
  if (!prepareFunction)
    return std::nullopt;
  auto status = static_cast<moert_status>(prepareFunction(job.getContext()));
  return status == MOERT_OK ? std::nullopt
                            : std::optional<Failure>(job.getFailure(status));
}

std::optional<Failure> CompiledProgram::run(Job &job, ArrayRef<void *> inputs,
                                            ArrayRef<void *> results) const {
  FaultScope scope;
  // The function does not write to the arrays.
  auto status = static_cast<moert_status>(
      function(job.getContext(), const_cast<void **>(inputs.data()),
               const_cast<void **>(results.data())));
  if (status == MOERT_OK)
    return std::nullopt;
  *mustStay = true;
  scope.keep();
  return job.getFailure(status);
}

Result<Measurement> CompiledProgram::measure(Job &job, ArrayRef<void *> inputs,
                                             ArrayRef<void *> results,
                                             int64_t repeats) const {
  Recorder recorder(job, tasks);
  Measurement measurement;
  std::vector<RankTimeline> own;
  for (int64_t i = 0; i <= repeats; ++i) {
    std::optional<Failure> failure;
    recorder.run([&] {
      failure = run(job, inputs, results);
      return failure ? MOERT_ABORTED : MOERT_OK;
    });
    if (failure)
      return *failure;
    Result<RankTimeline> timeline = recorder.takeTimeline();
    if (!timeline)
      return timeline.getFailure();
    // If the program has no work, the makespan is 0.
    Result<double> makespan = job.max(timeline->getMakespanUs());
    if (!makespan)
      return makespan.getFailure();
    // The first execution is the warm-up.
    if (i == 0)
      continue;
    measurement.makespansUs.push_back(*makespan);
    own.push_back(std::move(*timeline));
  }
  size_t median = Measurement::findMedian(measurement.makespansUs);
  Result<std::vector<std::string>> all = job.gather(own[median].serialize());
  if (!all)
    return all.getFailure();
  for (size_t rank = 0; rank < all->size(); ++rank) {
    std::optional<RankTimeline> timeline =
        RankTimeline::deserialize((*all)[rank]);
    if (!timeline)
      return Failure{"rank " + std::to_string(rank) +
                     " sent what is no timeline: do all ranks run the same "
                     "version of this program?"};
    measurement.ranks.push_back(std::move(*timeline));
  }
  return measurement;
}
