// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of moe-run.

#include "Options.h"
#include "DeviceOption.h"
#include "OptionTexts.h"
#include "moe/Options/PlatformOption.h"
#include "moe/Tools/BindOptions.h"
#include "moe/Tools/GivenOnce.h"
#include "moe/Tools/OutputOption.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include <sys/resource.h>
#include <unistd.h>

using namespace mlir;
using namespace moe;
using namespace moe::run;
namespace cl = llvm::cl;

namespace {
cl::OptionCategory category("Command-line options of moe-run");
cl::opt<std::string> input(cl::Positional, cl::desc("IN"), cl::cat(category));
cl::opt<std::string>
    backend("backend", cl::init("interp"), cl::value_desc("NAME"),
            cl::desc("Backend: interp, the reference interpreter (default), or "
                     "compiled code: host with one thread per rank, mpi or "
                     "nccl with one process per rank"),
            cl::cat(category));
cl::opt<bool>
    allowUnregistered("allow-unregistered-dialect",
                      cl::desc("Accepted for compatibility with mlir-opt; "
                               "unknown dialects are always allowed"),
                      cl::cat(category));
cl::opt<bool>
    standIns("stand-ins",
             cl::desc("With --backend=nccl: use the CPU emulation of the CUDA "
                      "driver, NCCL and cuBLAS, with ranks as threads of this "
                      "process; nothing runs on a GPU"),
             cl::cat(category));
cl::opt<bool> cudaGraph(
    "cuda-graph",
    cl::desc("With --backend=nccl: run the program once, capture a second call "
             "as a CUDA graph, and report the results of launching the graph"),
    cl::cat(category));
cl::opt<bool> registerBuffers(
    "register-buffers",
    cl::desc("With --backend=nccl: allocate memory with ncclMemAlloc and "
             "register it with all communicators (default: the setting of the "
             "program's platform)"),
    cl::cat(category));
cl::opt<int32_t> minCtas(
    "min-ctas", cl::init(0), cl::value_desc("N"),
    cl::desc(
        "With --backend=nccl: least number of blocks per collective, 0 for "
        "NCCL's choice (default: the setting of the program's platform)"),
    cl::cat(category));
cl::opt<int32_t>
    maxCtas("max-ctas", cl::init(0), cl::value_desc("N"),
            cl::desc("With --backend=nccl: largest number of blocks, and thus "
                     "multiprocessors, per collective, 0 for NCCL's choice "
                     "(default: the setting of the program's platform)"),
            cl::cat(category));
cl::opt<double>
    deadline("deadline", cl::init(60), cl::value_desc("SECONDS"),
             cl::desc("Longest time in seconds that a rank waits for another "
                      "rank (compiled code; default: 60, with nccl 600)"),
             cl::cat(category));
cl::opt<bool> doctor("doctor",
                     cl::desc("Print which backends this machine supports and "
                              "what is missing for the others"),
                     cl::cat(category));
cl::opt<int32_t> rank("rank", cl::value_desc("R"),
                      cl::desc("Rank of this process (mpi, nccl; default: from "
                               "the launcher's environment variables)"),
                      cl::cat(category));
cl::opt<int32_t>
    worldSize("world-size", cl::value_desc("N"),
              cl::desc("Number of processes (mpi, nccl; default: from the "
                       "launcher's environment variables)"),
              cl::cat(category));
cl::opt<std::string> address("address", cl::value_desc("HOST:PORT"),
                             cl::desc("Address where rank 0 listens (nccl)"),
                             cl::cat(category));
std::unique_ptr<DeviceOption> deviceOption = makeDeviceOption(category);
cl::opt<int64_t>
    repeat("repeat", cl::init(1), cl::value_desc("N"),
           cl::desc("Print the time of N executions after one warm-up "
                    "execution, instead of the results (compiled code)"),
           cl::cat(category));
OutputOption trace("trace", cl::value_desc("FILE"),
                   cl::desc("Write the timeline of the median execution as a "
                            "Chrome trace (compiled code)"),
                   cl::cat(category));
OptionTable table;
PlatformOption emulate(table, "emulate",
                       "With --repeat or --trace: make each task take at least "
                       "its predicted time on this platform");
BoundOptions bound(table, category);
cl::opt<int64_t> ranks(
    "ranks", cl::init(0), cl::value_desc("N"),
    cl::desc("Number of ranks; must match the module's mesh or replica groups"),
    cl::cat(category));
cl::opt<uint64_t>
    seed("seed", cl::init(0), cl::value_desc("S"),
         cl::desc("Random seed of the arguments and routings (default: 0)"),
         cl::cat(category));
cl::opt<bool> specialValues(
    "special-values",
    cl::desc("Make one random float in four 0.0, -0.0, an infinity or NaN"),
    cl::cat(category));
cl::opt<double> magnitude(
    "magnitude", cl::init(1), cl::value_desc("X"),
    cl::desc(
        "Range [-X, X) of random floats, rounded to their types (default: 1)"),
    cl::cat(category));
cl::list<std::string> arrayInputs(
    "input", cl::value_desc("ARGUMENT=FILE.npy"),
    cl::desc(
        "Read an argument, by its number or name, from a numpy.save file with "
        "the argument's shape, or with the ranks as an additional first dim; "
        "{rank} in the file name selects one file per rank (may be repeated)"),
    cl::cat(category));
cl::opt<std::string>
    trafficFile("traffic", cl::value_desc("FILE"),
                cl::desc("Routing trace or file of tokens per expert that "
                         "replaces the gates' own choices"),
                cl::cat(category));
cl::opt<int64_t>
    stepOption("step", cl::value_desc("N"),
               cl::desc("Iteration of the routing trace of --traffic (required "
                        "if the trace has several)"),
               cl::cat(category));
OutputOption output(
    "output", cl::value_desc("DIR"),
    cl::desc(
        "Write result i to DIR/result<i>.npy, with the ranks as first dim"),
    cl::cat(category));
cl::opt<std::string> against(
    "against", cl::value_desc("IN2"),
    cl::desc("Also execute IN2 on the same arguments; exit with 0 if all "
             "results are equal, else with 1 and the first difference"),
    cl::cat(category));
cl::opt<std::string>
    againstBackend("against-backend", cl::value_desc("NAME"),
                   cl::desc("Backend of the program to compare with, IN2 or IN "
                            "itself: interp or host (default: --backend)"),
                   cl::cat(category));
cl::opt<std::string> tolerance(
    "tolerance", cl::value_desc("REL[,ABS]"),
    cl::desc(
        "Allowed difference between floats: ABS plus REL times the largest "
        "expected magnitude of their result (default: 0, bit for bit)"),
    cl::cat(category));
cl::opt<bool>
    symbolic("symbolic",
             cl::desc("Execute on symbolic values; with --against, check "
                      "equivalence for all data and the sampled routings"),
             cl::cat(category));
cl::opt<unsigned>
    samples("samples", cl::init(4), cl::value_desc("N"),
            cl::desc("Number of routings to sample with --symbolic (default: "
                     "4, or up to 16 if the symbolic values stay small)"),
            cl::cat(category));
cl::opt<std::string> entry(
    "entry", cl::value_desc("NAME"),
    cl::desc(
        "Function to execute (default: main, or the only public function)"),
    cl::cat(category));
cl::opt<bool> printValues("print-values",
                          cl::desc("Print all elements of the results"),
                          cl::cat(category));
cl::opt<uint64_t> maxBytes(
    "max-bytes", cl::value_desc("N"),
    cl::desc("Memory limit in bytes for tensors and symbolic values (default: "
             "half of this machine's memory, at most 8 GiB)"),
    cl::cat(category));
} // namespace

/// Returns half of the memory that the machine has and the process may use, at
/// most 8 GiB. A program that needs more gets an error instead of being killed.
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

/// A limit, because the times of all executions are kept.
static constexpr int64_t kMostRepeats = 1000000;

static bool isGiven(const cl::Option &option) {
  return option.getNumOccurrences() > 0;
}

/// Returns the first given option as it is spelt; empty if none is given.
static std::string findGiven(ArrayRef<const cl::Option *> options) {
  for (const cl::Option *option : options)
    if (isGiven(*option))
      return "--" + option->ArgStr.str();
  return "";
}

/// Returns the error for the first option that is given without a value; empty
/// if there is none.
static std::string checkValues(
    ArrayRef<std::pair<const cl::opt<std::string> *, const char *>> options) {
  for (auto [option, what] : options)
    if (isGiven(*option) && option->empty())
      return "--" + option->ArgStr.str() + ": expected " + what + ", got ''";
  return "";
}

/// Returns the error in the number and placement of ranks; empty if there is
/// none.
static std::string checkRanks() {
  bool isCompiled = backend != "interp";
  bool isProcess = (backend == "mpi" || backend == "nccl") && !standIns;
  if (isCompiled && backend != "host" && backend != "mpi" && backend != "nccl")
    return "--backend: expected interp, host, mpi or nccl, got " + backend;
  if (standIns && backend != "nccl")
    return "--stand-ins requires --backend=nccl";
  SmallVector<const cl::Option *> ofCode{&deadline, &repeat, &trace};
  if (deviceOption)
    ofCode.push_back(&deviceOption->getOption());
  if (std::string given = findGiven(ofCode); !given.empty() && !isCompiled)
    return given + " requires --backend=host, mpi or nccl";
  if (std::string given =
          findGiven({&cudaGraph, &registerBuffers, &minCtas, &maxCtas});
      !given.empty() && backend != "nccl")
    return given + " requires --backend=nccl";
  if (minCtas < 0 || maxCtas < 0 || (maxCtas > 0 && minCtas > maxCtas))
    return "expected 0 <= --min-ctas <= --max-ctas, got " +
           std::to_string(minCtas) + " and " + std::to_string(maxCtas);
  if (std::string given = findGiven({&repeat, &trace});
      !given.empty() && cudaGraph)
    return given +
           " is not supported with --cuda-graph, because the tasks of a graph "
           "are not timed one by one";
  std::string ofProcess = findGiven({&rank, &worldSize, &address});
  if (!ofProcess.empty() && standIns)
    return ofProcess + " is not supported with --stand-ins, whose ranks are "
                       "all threads of this process";
  if (!ofProcess.empty() && !isProcess)
    return ofProcess + " requires --backend=mpi or nccl";
  if (isGiven(address) && backend != "nccl")
    return "--address requires --backend=nccl; mpirun connects the ranks of "
           "--backend=mpi";
  if (isGiven(rank) != isGiven(worldSize))
    return "--rank and --world-size require each other";
  if (isProcess && isGiven(ranks))
    return "--ranks requires --backend=interp, --backend=host or --stand-ins; "
           "otherwise every process is one rank";
  if (isGiven(ranks) && ranks < 1)
    return "--ranks: expected at least 1, got " + std::to_string(ranks);
  // The runtime counts microseconds; a year is as good as forever.
  if (!(deadline >= 1e-6 && deadline <= 3.2e7))
    return "--deadline: expected seconds in [1e-6, 3.2e7], got " +
           std::to_string(deadline);
  return "";
}

/// Returns the error in the options about results; empty if there is none.
static std::string checkResults() {
  bool isTimed = isGiven(repeat) || isGiven(trace);
  bool isCompared = isGiven(against) || isGiven(againstBackend);
  if (repeat < 1 || repeat > kMostRepeats)
    return "--repeat: expected 1 to " + std::to_string(kMostRepeats) +
           ", got " + std::to_string(repeat);
  if (std::string problem = checkValues({{&against, "a file"},
                                         {&entry, "a function's name"},
                                         {&trafficFile, "a file"},
                                         {&address, "HOST:PORT"}});
      !problem.empty())
    return problem;
  if (isTimed && (isCompared || printValues))
    return "--repeat and --trace print times, not results; they are not "
           "supported with --against, --against-backend or --print-values";
  if (isGiven(output) && (isTimed || isCompared))
    return "--output is not supported with --against, --against-backend, "
           "--repeat or --trace";
  if (emulate.isSet() && !isTimed)
    return "--emulate requires --repeat or --trace";
  if (input == "-" && against == "-")
    return "--against and IN are both '-', but standard input can be read only "
           "once";
  if (isGiven(againstBackend) && againstBackend != "interp" &&
      againstBackend != "host")
    return "--against-backend: expected interp or host, got " + againstBackend;
  if (againstBackend == backend && !isGiven(against))
    return "--against-backend=" + backend +
           " is the backend of IN; choose another backend or another program "
           "(--against)";
  if (isGiven(tolerance) && !isCompared)
    return "--tolerance requires --against or --against-backend";
  if (printValues && isCompared)
    return "--print-values is not supported with --against or "
           "--against-backend";
  return "";
}

/// Returns the error in the options; empty if there is none.
static std::string checkOptions() {
  if (std::string problem = checkRanks(); !problem.empty())
    return problem;
  if (symbolic && backend != "interp")
    return "--symbolic requires --backend=interp";
  if (std::string given =
          findGiven({&specialValues, &magnitude, std::addressof(arrayInputs),
                     &output, &tolerance});
      !given.empty() && symbolic)
    return given + " is not supported with --symbolic, which covers all values";
  // Beyond this range, floats would only be 0 or infinite.
  if (!(magnitude >= 0x1p-64 && magnitude <= 0x1p64))
    return "--magnitude: expected a number in [2^-64, 2^64], got " +
           llvm::formatv("{0:e}", magnitude.getValue()).str();
  if (symbolic && isGiven(trafficFile))
    return "--traffic is not supported with --symbolic, which samples its own "
           "routings (--samples)";
  if (isGiven(stepOption) && !isGiven(trafficFile))
    return "--step requires --traffic";
  if (symbolic && isGiven(againstBackend))
    return "--against-backend is not supported with --symbolic, which only "
           "interp executes";
  if (samples < 1)
    return "--samples: expected at least 1, got 0";
  if (isGiven(samples) && !symbolic)
    return "--samples requires --symbolic";
  return checkResults();
}

/// Reads which executions to time, and how.
static std::optional<cost::Failure> readTimes(TimesOptions &times) {
  if (isGiven(repeat) || isGiven(trace))
    times.repeats = repeat;
  times.trace = trace;
  if (!emulate.isSet())
    return std::nullopt;
  cost::Result<platform::Platform> platform = emulate.load();
  if (!platform)
    return platform.getFailure();
  times.emulated = platform->machine;
  return std::nullopt;
}

void moe::run::hideOtherOptions() {
  cl::HideUnrelatedOptions(category);
  output.isFolder = true;
  trace.mayBeStdout = false;
}

cost::Result<Options> moe::run::readOptions() {
  Options options;
  if (std::string problem = checkGivenOnce(); !problem.empty())
    return cost::Failure{problem};
  options.doctor = doctor;
  if (doctor && isGiven(input))
    return cost::Failure{"--doctor takes no program, got " + input};
  if (doctor)
    return options;
  if (!isGiven(input))
    return cost::Failure{"expected a program IN, got none; see --help"};
  if (std::string problem = checkOptions(); !problem.empty())
    return cost::Failure{problem};
  auto deadlineUs = static_cast<int64_t>(deadline * 1e6);
  if (deviceOption) {
    auto devices = deviceOption->read(deadlineUs);
    if (!devices)
      return devices.getFailure();
    options.devices = std::move(*devices);
  }
  if (std::optional<cost::Failure> failure = readTimes(options.times))
    return *failure;

  options.backend = backend;
  options.standIns = standIns;
  options.againstBackend =
      againstBackend == backend ? std::string() : againstBackend.getValue();
  InterpreterOptions &interpreter = options.interpreter;
  interpreter.arguments.seed = seed;
  interpreter.arguments.specialValues = specialValues;
  interpreter.arguments.magnitude = magnitude;
  interpreter.symbolic = symbolic;
  interpreter.samples = samples;
  if (isGiven(samples))
    interpreter.mostSamples = samples;
  interpreter.maxBytes = isGiven(maxBytes) ? maxBytes : getDefaultMaxBytes();
  interpreter.printValues = printValues;
  if (isGiven(tolerance))
    if (std::string problem = parseTolerance(tolerance, interpreter.tolerance);
        !problem.empty())
      return cost::Failure{problem};

  Inputs &inputs = options.inputs;
  inputs.file = input;
  inputs.against = against;
  inputs.entry = entry;
  inputs.maxBytes = interpreter.maxBytes;
  if (backend == "nccl")
    inputs.target =
        standIns ? CompileTarget::NcclStandIns : CompileTarget::Nccl;
  else if (options.isCompiled())
    inputs.target = CompileTarget::Host;
  if (options.againstBackend.empty())
    inputs.againstTarget = inputs.target;
  else if (options.againstBackend == "host")
    inputs.againstTarget = CompileTarget::Host;
  if (isGiven(ranks))
    inputs.ranks = ranks;
  for (const std::string &text : arrayInputs)
    if (std::string problem =
            parseArrayInput(text, inputs.arrays.emplace_back());
        !problem.empty())
      return cost::Failure{problem};

  inputs.traffic = trafficFile;
  if (isGiven(stepOption))
    inputs.step = stepOption;

  options.output = output;
  // Each backend has its own default.
  options.deadlineUs =
      isGiven(deadline) ? deadlineUs : int64_t(MOERT_DEADLINE_DEFAULT);
  if (isGiven(rank))
    options.rank = rank;
  if (isGiven(worldSize))
    options.worldSize = worldSize;
  options.address = address;
  options.nccl.cudaGraph = cudaGraph;
  if (isGiven(registerBuffers))
    options.nccl.registerBuffers = registerBuffers;
  if (isGiven(minCtas))
    options.nccl.minCtas = minCtas;
  if (isGiven(maxCtas))
    options.nccl.maxCtas = maxCtas;
  return options;
}
