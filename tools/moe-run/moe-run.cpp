//===- moe-run.cpp - Executes a program, or proves two equal ----*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptionTexts.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "moe/Execution/Compile.h"
#include "moe/Execution/Doctor.h"
#include "moe/Execution/Faults.h"
#include "moe/Execution/HostExecution.h"
#include "moe/Execution/Processes.h"
#include "moe/Tools/GivenOnce.h"
#include "moe/Tools/PlatformOption.h"
#include "moe/Tools/Register.h"
#include "moe/Tools/WriteErrors.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/InitLLVM.h"
#include <sys/resource.h>
#include <unistd.h>

using namespace mlir;
using namespace moe::run;
namespace cl = llvm::cl;

namespace {
cl::OptionCategory category("moe-run options");
cl::opt<std::string> input(cl::Positional, cl::desc("IN"), cl::cat(category));
cl::opt<std::string>
    backend("backend", cl::init("interp"), cl::value_desc("NAME"),
            cl::desc("What executes: interp, the reference interpreter "
                     "(default); or compiled code: host with a thread for "
                     "each rank, mpi and nccl with a process for each"),
            cl::cat(category));
cl::opt<double> deadline("deadline", cl::init(60), cl::value_desc("SECONDS"),
                         cl::desc("Longest wait of a rank for another "
                                  "(compiled code; default 60, with nccl "
                                  "600)"),
                         cl::cat(category));
cl::opt<bool> doctor("doctor",
                     cl::desc("Print what this machine has for each backend "
                              "and what is missing"),
                     cl::cat(category));
cl::opt<int32_t> rank("rank", cl::value_desc("R"),
                      cl::desc("Rank of this process (mpi, nccl; default: "
                               "what the launcher's variables say)"),
                      cl::cat(category));
cl::opt<int32_t> worldSize("world-size", cl::value_desc("N"),
                           cl::desc("Processes of the job (mpi, nccl; default: "
                                    "what the launcher's variables say)"),
                           cl::cat(category));
cl::opt<std::string> address("address", cl::value_desc("HOST:PORT"),
                             cl::desc("Where rank 0 listens (nccl)"),
                             cl::cat(category));
cl::list<std::string> ocs(
    "ocs", cl::value_desc("NAME=HOST:PORT[,KEY=VALUE...]"),
    cl::desc("Where the optical switch is that the program knows by this name; "
             "keys: dialect=polatis|calient, user=U (password: "
             "MOERT_OCS_PASSWORD), link-up-us=T, ports=A-B (compiled code; may "
             "be repeated)"),
    cl::cat(category));
cl::opt<int64_t> repeat("repeat", cl::init(1), cl::value_desc("N"),
                        cl::desc("Print the time of N executions after one "
                                 "that warms up, instead of results "
                                 "(compiled code)"),
                        cl::cat(category));
cl::opt<std::string> trace("trace", cl::value_desc("FILE"),
                           cl::desc("Write when the tasks of the median "
                                    "execution ran, as a Chrome trace "
                                    "(compiled code)"),
                           cl::cat(category));
moe::PlatformOption emulate("emulate",
                            "Let each task take at least the time that this "
                            "platform states for it (with --repeat or --trace)",
                            cl::cat(category));
cl::opt<int64_t>
    ranks("ranks", cl::init(0), cl::value_desc("N"),
          cl::desc("Number of ranks; must be the module's where it has a mesh "
                   "or replica groups"),
          cl::cat(category));
cl::opt<uint64_t> seed("seed", cl::init(0), cl::value_desc("S"),
                       cl::desc("What arguments and routings are drawn from "
                                "(default 0)"),
                       cl::cat(category));
cl::opt<bool> specialValues(
    "special-values",
    cl::desc("Draw 0.0, -0.0, infinities and NaN for one float in four"),
    cl::cat(category));
cl::list<std::string> arrayInputs(
    "input", cl::value_desc("ARGUMENT=FILE.npy"),
    cl::desc("Read an argument, by its number or name, from a file of "
             "numpy.save instead of drawing it: of the argument's shape, or "
             "with the ranks as its first dim; with {rank} in its name a file "
             "for each rank (may be repeated)"),
    cl::cat(category));
cl::opt<std::string> output(
    "output", cl::value_desc("DIR"),
    cl::desc("Write result i to DIR/result<i>.npy, the ranks as its first dim"),
    cl::cat(category));
cl::opt<std::string>
    against("against", cl::value_desc("IN2"),
            cl::desc("Execute this program on the same arguments too: exit 0 "
                     "when all results are equal, 1 with the first difference"),
            cl::cat(category));
cl::opt<bool> symbolic("symbolic",
                       cl::desc("Execute on terms: with --against a proof for "
                                "all data"),
                       cl::cat(category));
cl::opt<unsigned> samples("samples", cl::init(4), cl::value_desc("N"),
                          cl::desc("Routings to try with --symbolic "
                                   "(default 4)"),
                          cl::cat(category));
cl::opt<std::string> entry("entry", cl::value_desc("NAME"),
                           cl::desc("Function to execute (default: main, or "
                                    "the only public one)"),
                           cl::cat(category));
cl::opt<bool> printValues("print-values",
                          cl::desc("Print all elements of the results"),
                          cl::cat(category));
cl::opt<uint64_t> maxBytes("max-bytes", cl::value_desc("N"),
                           cl::desc("Memory for tensors and terms (default: "
                                    "half of this machine's, at most 8 GiB)"),
                           cl::cat(category));
} // namespace

/// Half of the memory that the machine has and that the process may take, at
/// most 8 GiB: a program that needs more is told so instead of being killed.
static uint64_t getDefaultMaxBytes() {
  uint64_t limit = uint64_t(8) << 30;
  long pages = sysconf(_SC_PHYS_PAGES), pageSize = sysconf(_SC_PAGESIZE);
  if (pages > 0 && pageSize > 0)
    limit = std::min(limit, uint64_t(pages) * uint64_t(pageSize) / 2);
  rlimit addresses;
  if (getrlimit(RLIMIT_AS, &addresses) == 0 &&
      addresses.rlim_cur != RLIM_INFINITY)
    limit = std::min<uint64_t>(limit, addresses.rlim_cur / 2);
  return limit;
}

/// Ends the process when an allocation fails; nothing here may allocate.
static void endOutOfMemory(void *, const char *, bool) {
  static constexpr char message[] =
      "moe-run: error: out of memory; --max-bytes=N bounds what tensors and "
      "terms may take\n";
  // Should stderr not take it, the exit code still says it.
  [[maybe_unused]] ssize_t written =
      write(STDERR_FILENO, message, sizeof(message) - 1);
  _exit(kWrongUse);
}

/// The machine that --emulate names; a failure has been printed.
static std::optional<moe::cost::Machine> loadEmulated() {
  moe::cost::Result<moe::platform::Platform> platform = emulate.load();
  if (!platform) {
    llvm::errs() << "moe-run: error: " << platform.getError() << "\n";
    return std::nullopt;
  }
  return platform->machine;
}

/// Times of all executions are kept.
static constexpr int64_t kMostRepeats = 1000000;

/// What is wrong with the options, empty when nothing is.
static std::string checkOptions() {
  bool isCompiled = backend != "interp";
  bool isProcess = backend == "mpi" || backend == "nccl";
  if (isCompiled && backend != "host" && !isProcess)
    return "--backend: expected interp, host, mpi or nccl, got " + backend;
  if (isCompiled && symbolic)
    return "--symbolic goes with --backend=interp";
  for (cl::Option *option :
       {static_cast<cl::Option *>(&deadline),
        static_cast<cl::Option *>(&repeat), static_cast<cl::Option *>(&trace)})
    if (option->getNumOccurrences() && !isCompiled)
      return "--" + option->ArgStr.str() +
             " goes with --backend=host, mpi or nccl";
  if (ocs.getNumOccurrences() && !isCompiled)
    return "--ocs goes with --backend=host, mpi or nccl";
  for (cl::Option *option :
       {static_cast<cl::Option *>(&rank), static_cast<cl::Option *>(&worldSize),
        static_cast<cl::Option *>(&address)})
    if (option->getNumOccurrences() && !isProcess)
      return "--" + option->ArgStr.str() + " goes with --backend=mpi or nccl";
  if (address.getNumOccurrences() && backend != "nccl")
    return "--address goes with --backend=nccl: mpirun connects the ranks of "
           "mpi";
  if (rank.getNumOccurrences() != worldSize.getNumOccurrences())
    return "expected both --rank and --world-size, got one of them";
  if (isProcess && ranks.getNumOccurrences())
    return "--ranks goes with --backend=interp or host: there are as many "
           "ranks as processes";
  bool isTimed = repeat.getNumOccurrences() || trace.getNumOccurrences();
  if (repeat < 1 || repeat > kMostRepeats)
    return "--repeat: expected 1 to " + std::to_string(kMostRepeats) +
           ", got " + std::to_string(repeat);
  if (trace.getNumOccurrences() && trace.empty())
    return "expected a file after --trace=, got nothing";
  if (trace == "-")
    return "--trace: expected a file, got '-': times go to standard output";
  if (isTimed && (!against.empty() || printValues))
    return "--repeat and --trace print times, not results: they go without "
           "--against and --print-values";
  for (cl::Option *option :
       {static_cast<cl::Option *>(&specialValues),
        static_cast<cl::Option *>(std::addressof(arrayInputs)),
        static_cast<cl::Option *>(&output)})
    if (option->getNumOccurrences() && symbolic)
      return "--" + option->ArgStr.str() +
             " goes without --symbolic: terms stand for all values";
  if (output.getNumOccurrences() && output.empty())
    return "expected a directory after --output=, got nothing";
  if (output.getNumOccurrences() && (isTimed || !against.empty()))
    return "--output goes without --against, --repeat and --trace";
  if (emulate.isSet() && !isTimed)
    return "--emulate goes with --repeat or --trace";
  // The runtime counts microseconds; a year is as good as forever.
  if (!(deadline >= 1e-6 && deadline <= 3.2e7))
    return "--deadline: expected seconds in [1e-6, 3.2e7], got " +
           std::to_string(deadline);
  if (samples < 1)
    return "--samples: expected at least 1, got 0";
  if (ranks.getNumOccurrences() && ranks < 1)
    return "--ranks: expected at least 1, got " + std::to_string(ranks);
  if (samples.getNumOccurrences() && !symbolic)
    return "--samples goes with --symbolic";
  if (against.getNumOccurrences() && against.empty())
    return "expected a file after --against=, got nothing";
  if (input == "-" && against == "-")
    return "--against: expected a file beside IN from standard input, which "
           "can be read once, got '-' for both";
  if (entry.getNumOccurrences() && entry.empty())
    return "expected a function's name after --entry=, got nothing";
  if (printValues && !against.empty())
    return "--print-values does not go with --against";
  return "";
}

/// Reads --ocs; what is wrong with it, empty when nothing is.
static std::string readSwitches(std::vector<SwitchOptions> &switches) {
  for (const std::string &text : ocs) {
    SwitchOptions own;
    if (std::string problem = parseSwitch(text, own); !problem.empty())
      return problem;
    for (const SwitchOptions &other : switches)
      if (other.name == own.name)
        return "--ocs=" + own.name + ": expected it once, got it twice";
    switches.push_back(std::move(own));
  }
  return "";
}

/// Times a program on threads of this process.
static int measureOnHost(const moe::Program &program,
                         const moe::InterpreterOptions &options,
                         const moe::HostExecutionOptions &host,
                         const TimesOptions &times) {
  moe::CompiledProgram::Options compilation;
  compilation.recorded = true;
  compilation.emulated = times.emulated ? &*times.emulated : nullptr;
  FailureOr<moe::CompiledProgram> compiled =
      moe::CompiledProgram::compile(program, compilation);
  if (failed(compiled))
    return kWrongUse;
  moe::MemoryBudget budget(options.maxBytes);
  std::unique_ptr<moe::Domain> domain =
      moe::createValueDomain(options.arguments);
  domain->setIntegerRanges(program.getIntegerRanges());
  FailureOr<moe::Measurement> measured = moe::measureOnHost(
      program, *compiled, *domain, budget, times.repeats, host);
  if (failed(measured))
    return kWrongUse;
  if (auto problem = reportTimes(llvm::outs(), times, program, options.backend,
                                 *measured, compiled->getTasks())) {
    llvm::errs() << "moe-run: error: " << problem->message << "\n";
    return kWrongUse;
  }
  return kDone;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::install_bad_alloc_error_handler(endOutOfMemory);
  moe::handleWriteErrors("moe-run", kWrongUse, argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::AddExtraVersionPrinter([](llvm::raw_ostream &os) {
    os << "moe-run of moe-mlir " MOE_VERSION "\n";
  });
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "moe-run: executes the program of all ranks, or compares two\n",
          &llvm::errs()))
    return kWrongUse;
  auto wrongUse = [](const Twine &message) {
    llvm::errs() << "moe-run: error: " << message << "\n";
    return kWrongUse;
  };
  if (std::string problem = moe::checkGivenOnce(); !problem.empty())
    return wrongUse(problem);
  if (doctor) {
    if (input.getNumOccurrences())
      return wrongUse("--doctor goes without a program, got " + input);
    printDoctor(llvm::outs());
    return kDone;
  }
  if (!input.getNumOccurrences())
    return wrongUse("expected the program IN, got none; see --help");
  if (std::string problem = checkOptions(); !problem.empty())
    return wrongUse(problem);
  std::vector<SwitchOptions> switchOptions;
  if (std::string problem = readSwitches(switchOptions); !problem.empty())
    return wrongUse(problem);
  TimesOptions times;
  if (repeat.getNumOccurrences() || trace.getNumOccurrences())
    times.repeats = repeat;
  times.trace = trace;
  if (emulate.isSet()) {
    times.emulated = loadEmulated();
    if (!times.emulated)
      return kWrongUse;
  }

  DialectRegistry registry;
  moe::registerAllDialects(registry);
  if (backend != "interp")
    moe::registerCompilation(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // Ops nobody registered are uninterpreted functions on terms.
  context.allowUnregisteredDialects();
  context.printOpOnDiagnostic(false);

  moe::InterpreterOptions options;
  options.backend = backend;
  options.arguments.seed = seed;
  options.arguments.specialValues = specialValues;
  options.symbolic = symbolic;
  options.samples = samples;
  options.maxBytes =
      maxBytes.getNumOccurrences() ? maxBytes : getDefaultMaxBytes();
  options.printValues = printValues;
  Inputs inputs{input,
                against,
                entry,
                std::nullopt,
                options.maxBytes,
                backend != "interp",
                {}};
  for (const std::string &text : arrayInputs)
    if (std::string problem =
            parseArrayInput(text, inputs.arrays.emplace_back());
        !problem.empty())
      return wrongUse(problem);
  if (output.getNumOccurrences())
    options.onResults =
        [&](const moe::Program &program,
            const std::vector<moe::RankTensors> &results) -> LogicalResult {
      if (auto problem = writeArrays(output, program, results))
        return llvm::errs() << "moe-run: error: " << problem->message << "\n",
               failure();
      return success();
    };
  if (ranks.getNumOccurrences())
    inputs.ranks = ranks;
  auto deadlineUs = static_cast<int64_t>(deadline * 1e6);

  Switches switches(std::move(switchOptions), deadlineUs);

  if (backend == "mpi" || backend == "nccl") {
    ProcessOptions process;
    process.tool = "moe-run";
    process.backend = backend;
    if (rank.getNumOccurrences()) {
      process.rank = rank;
      process.worldSize = worldSize;
    }
    process.address = address;
    // Each backend has a default of its own.
    process.deadlineUs =
        deadline.getNumOccurrences() ? deadlineUs : MOERT_DEADLINE_DEFAULT;
    return runOnProcesses(process, inputs, options, times, switches, context);
  }
  moe::endOnFaults("moe-run: error: ", kWrongUse);
  moe::HostExecutionOptions host;
  host.deadlineUs = deadlineUs;
  host.onJoined = [&](moe::Job &job) { return switches.attach(job); };
  if (backend == "host")
    options.executor = [&](const moe::Program &program, moe::Domain &domain,
                           moe::MemoryBudget &budget) {
      return moe::executeOnHost(program, domain, budget, host);
    };

  Programs programs(context, llvm::errs(), "moe-run");
  if (!programs.parse(inputs) || !programs.load(inputs))
    return kWrongUse;
  if (backend == "host")
    if (auto problem = switches.open(programs, /*rank=*/std::nullopt))
      return wrongUse(problem->message);
  const moe::Program &program = programs.getProgram();
  if (auto problem = loadArrays(inputs.arrays, program, programs.getSources(),
                                options.arguments))
    return wrongUse(problem->message);
  if (times.repeats)
    return measureOnHost(program, options, host, times);
  if (!programs.hasOther())
    return succeeded(moe::interpret(program, options, llvm::outs()))
               ? kDone
               : kWrongUse;
  FailureOr<bool> equal =
      moe::compare(program, programs.getOther(), options, llvm::outs());
  if (failed(equal))
    return kWrongUse;
  return *equal ? kDone : kUnequal;
}
