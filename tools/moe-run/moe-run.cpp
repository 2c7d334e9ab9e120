// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes a program, or checks two for equivalence.

#include "Options.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "moe/Execution/Compile.h"
#include "moe/Execution/Doctor.h"
#include "moe/Execution/Faults.h"
#include "moe/Execution/StandIns.h"
#include "moe/Execution/ThreadExecution.h"
#include "moe/Support/Progress.h"
#include "moe/Tools/OutputOption.h"
#include "moe/Tools/PassProgress.h"
#include "moe/Tools/Register.h"
#include "moe/Tools/WriteErrors.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/InitLLVM.h"
#include <unistd.h>

using namespace mlir;
using namespace moe::run;
namespace cl = llvm::cl;

/// Ends the process when an allocation fails; this function must not allocate.
static void endOutOfMemory(void *, const char *, bool) {
  static constexpr char message[] =
      "moe-run: error: out of memory; --max-bytes=N limits the memory of "
      "tensors and symbolic values\n";
  // If stderr fails, the exit code still reports the error.
  [[maybe_unused]] ssize_t written =
      write(STDERR_FILENO, message, sizeof(message) - 1);
  _exit(kWrongUse);
}

static int wrongUse(const Twine &message) {
  llvm::errs() << "moe-run: error: " << message << "\n";
  return kWrongUse;
}

/// Executes on threads of this process.
static moe::ValueExecutor
makeExecutor(const moe::ThreadExecutionOptions &threads) {
  return [&threads](const moe::Program &program, moe::Domain &domain,
                    moe::MemoryBudget &budget) {
    return moe::executeOnThreads(program, domain, budget, threads);
  };
}

/// Times a program on threads of this process.
static int measure(const moe::Program &program,
                   const moe::InterpreterOptions &options,
                   const moe::ThreadExecutionOptions &threads,
                   const TimesOptions &times,
                   const moe::traffic::Routing *routing) {
  moe::CompiledProgram::Options compilation;
  compilation.recorded = true;
  if (threads.backend == moe::ThreadBackend::NcclStandIns)
    compilation.target = moe::CompileTarget::NcclStandIns;
  compilation.emulated = times.emulated ? &*times.emulated : nullptr;
  compilation.routing = routing;
  FailureOr<moe::CompiledProgram> compiled =
      moe::CompiledProgram::compile(program, compilation);
  if (failed(compiled))
    return kWrongUse;
  moe::MemoryBudget budget(options.maxBytes);
  std::unique_ptr<moe::Domain> domain =
      moe::createValueDomain(options.arguments);
  domain->setIntegerRanges(program.getIntegerRanges());
  FailureOr<moe::Measurement> measured = moe::measureOnThreads(
      program, *compiled, *domain, budget, times.repeats, threads);
  if (failed(measured))
    return kWrongUse;
  if (auto problem = reportTimes(llvm::outs(), times, program, options.backend,
                                 *measured, compiled->getTasks()))
    return wrongUse(problem->message);
  return kDone;
}

/// Executes all ranks in this process.
static int runHere(const Options &options, moe::InterpreterOptions &interpreter,
                   Devices *devices, moe::ThreadExecutionOptions &threads,
                   MLIRContext &context) {
  moe::endOnFaults("moe-run: error: ", kWrongUse);
  threads.onJoined = [&](moe::Job &job) -> std::optional<moe::cost::Failure> {
    return devices ? devices->attach(job) : std::nullopt;
  };
  if (options.isCompiled())
    interpreter.executor = makeExecutor(threads);
  moe::support::Activity activity("running " + options.inputs.file);
  Programs programs(context, llvm::errs(), "moe-run");
  if (!programs.parse(options.inputs) || !programs.load(options.inputs))
    return kWrongUse;
  if (options.isCompiled() && devices)
    if (auto problem = devices->open(programs, /*rank=*/std::nullopt))
      return wrongUse(problem->message);
  const moe::Program &program = programs.getProgram();
  if (!programs.give(options.inputs, interpreter.arguments))
    return kWrongUse;
  if (options.times.repeats)
    return measure(program, interpreter, threads, options.times,
                   programs.getRouting());
  moe::ErasingStream out(llvm::outs());
  if (!options.isCompared())
    return succeeded(moe::interpret(program, interpreter, out)) ? kDone
                                                                : kWrongUse;
  FailureOr<bool> equal =
      moe::compare(program, programs.getAgainst(), interpreter, out);
  if (failed(equal))
    return kWrongUse;
  return *equal ? kDone : kUnequal;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::install_bad_alloc_error_handler(endOutOfMemory);
  moe::handleWriteErrors("moe-run", kWrongUse, argc, argv);
  hideOtherOptions();
  cl::AddExtraVersionPrinter([](llvm::raw_ostream &os) {
    os << "moe-run of moe-mlir " MOE_VERSION "\n";
  });
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "moe-run: execute a program on all ranks, or compare two programs\n",
          &llvm::errs()))
    return kWrongUse;
  moe::cost::Result<Options> read = readOptions();
  if (!read)
    return wrongUse(read.getError());
  const Options &options = *read;
  if (options.doctor) {
    printDoctor(llvm::outs());
    return kDone;
  }

  DialectRegistry registry;
  moe::registerAllDialects(registry);
  if (options.isCompiled() || options.againstBackend == "host")
    moe::registerCompilation(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // Unregistered ops are uninterpreted functions on terms.
  context.allowUnregisteredDialects();
  context.printOpOnDiagnostic(false);

  moe::InterpreterOptions interpreter = options.interpreter;
  interpreter.backend = options.backend;
  if (!options.output.empty())
    interpreter.onResults =
        [&](const moe::Program &program,
            const std::vector<moe::RankTensors> &results) -> LogicalResult {
      if (auto problem = writeArrays(options.output, program, results))
        return wrongUse(problem->message), failure();
      return success();
    };
  moe::ThreadExecutionOptions host;
  host.deadlineUs = options.deadlineUs;
  interpreter.againstBackend = options.againstBackend;
  if (options.againstBackend == "host")
    interpreter.againstExecutor = makeExecutor(host);
  Devices *devices = options.devices.get();

  if (options.isProcess()) {
    ProcessOptions process;
    process.tool = "moe-run";
    process.backend = options.backend;
    process.rank = options.rank;
    process.worldSize = options.worldSize;
    process.address = options.address;
    process.deadlineUs = options.deadlineUs;
    process.nccl = options.nccl;
    process.checkOutputs = [] { return moe::checkOutputs(); };
    moe::ErasingStream out(llvm::outs());
    return runOnProcesses(process, options.inputs, interpreter, options.times,
                          devices, context, out);
  }
  if (std::string problem = moe::checkOutputs(); !problem.empty())
    return wrongUse(problem);
  moe::ThreadExecutionOptions threads = host;
  if (!options.standIns)
    return runHere(options, interpreter, devices, threads, context);
  moe::cost::Result<std::string> folder = moe::loadStandIns();
  if (!folder)
    return wrongUse("--stand-ins: " + folder.getError());
  threads.backend = moe::ThreadBackend::NcclStandIns;
  threads.nccl = options.nccl;
  interpreter.backend = "nccl on stand-ins";
  int exitCode = runHere(options, interpreter, devices, threads, context);
  llvm::outs().flush();
  llvm::errs() << "moe-run: nothing ran on a GPU; ranks were threads on the "
                  "CPU emulation of CUDA and NCCL in "
               << *folder << "\n";
  return exitCode;
}
