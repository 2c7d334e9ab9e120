// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs programs with one process per rank.

#include "moe/Execution/Processes.h"
#include "FirstDifference.h"
#include "moe/Execution/CompiledProgram.h"
#include "moe/Execution/Faults.h"
#include "moe/Execution/RankBuffers.h"
#include "moe/Support/Progress.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace moe;
using namespace moe::run;
using cost::Failure;
using cost::Result;

/// Writes a message to stderr at once, so that the lines of different processes
/// do not mix.
static void printAtOnce(const Twine &message) {
  moe::support::eraseProgress();
  llvm::errs() << message.str();
}

namespace {

class ProcessRun {
public:
  ProcessRun(Job &job, const ProcessOptions &options, const Inputs &inputs,
             const InterpreterOptions &interpreter, const TimesOptions &times,
             Devices *devices, MLIRContext &context, llvm::raw_ostream &out)
      : job(job), options(options), inputs(inputs), interpreter(interpreter),
        times(times), devices(devices), out(out), messages(text),
        programs(context, messages, options.tool),
        budget(interpreter.maxBytes) {}

  int run() {
    bool ok = checkOutputs() && programs.parse(inputs) && loadPrograms() &&
              loadArguments() && openDevices();
    if (!agree(ok))
      return kWrongUse;
    if (std::optional<Failure> failure = compareRanks()) {
      report(*failure);
      return kWrongUse;
    }
    if (std::optional<Failure> failure =
            devices ? devices->attach(job) : std::nullopt) {
      report(*failure);
      return kWrongUse;
    }
    domain->setIntegerRanges(programs.getProgram().getIntegerRanges(
        programs.hasOther() ? &programs.getOther() : nullptr));
    if (times.repeats)
      return measure();
    bool isCompared =
        programs.hasOther() || !interpreter.againstBackend.empty();
    return isCompared ? compare() : execute();
  }

private:
  bool isFirst() const { return job.getRank() == 0; }

  bool checkOutputs() {
    std::string problem =
        isFirst() && options.checkOutputs ? options.checkOutputs() : "";
    if (!problem.empty())
      messages << options.tool << ": error: " << problem << "\n";
    return problem.empty();
  }

  /// Uses the number of ranks in the modules if there is one, and the number of
  /// processes otherwise.
  bool loadPrograms() {
    Inputs own = inputs;
    int64_t stated = getNumRanks(programs.getModule());
    if (stated != 1)
      own.ranks = stated;
    else
      own.ranks = job.getNumRanks();
    if (*own.ranks == job.getNumRanks())
      return programs.load(own);
    messages << options.tool << ": error: " << inputs.file << ": expected "
             << stated
             << " processes, one for each rank that the module states, got "
             << job.getNumRanks();
    if (options.backend == "mpi")
      messages << ": start it with mpirun -np " << stated;
    messages << "\n";
    return false;
  }

  /// Creates the domain that draws the arguments; every rank reads the files.
  bool loadArguments() {
    arguments = interpreter.arguments;
    if (!programs.give(inputs, arguments))
      return false;
    domain = createValueDomain(arguments);
    return true;
  }

  bool openDevices() {
    std::optional<Failure> failure =
        devices ? devices->open(programs, job.getRank()) : std::nullopt;
    if (failure)
      messages << options.tool << ": error: " << failure->message << "\n";
    return !failure;
  }

  /// Returns true if all ranks got here without an error; otherwise the first
  /// rank with an error prints it. All ranks must call it.
  bool agree(bool ok) {
    Result<int64_t> first = job.min(ok ? INT64_MAX : job.getRank());
    if (!first)
      return report(first.getFailure());
    messages.flush();
    if (*first == job.getRank()) {
      printAtOnce(
          (isFirst() ? "" : options.tool + ": rank " + Twine(*first) + ":\n") +
          text);
    } else if (*first == INT64_MAX && isFirst()) {
      // All ranks have the same warnings.
      printAtOnce(text);
    }
    text.clear();
    return *first == INT64_MAX;
  }

  /// Checks that all ranks have the same programs and options. Otherwise they
  /// would wait for each other in vain, or print one result of two programs.
  std::optional<Failure> compareRanks() {
    auto hashText = [](StringRef text) {
      return static_cast<int64_t>(llvm::xxh3_64bits(text));
    };
    auto hash = [&](ModuleOp module) {
      std::string text;
      llvm::raw_string_ostream os(text);
      module->print(os);
      return hashText(text);
    };
    std::string arrays;
    for (const ArrayInput &input : inputs.arrays)
      arrays += input.argument + "=" + input.file + "\n";
    const std::pair<const char *, int64_t> all[] = {
        {"program", hash(programs.getModule())},
        {"program of --against",
         programs.hasOther() ? hash(programs.getOther().getModule()) : 0},
        {"--entry", hashText(inputs.entry)},
        {"--seed", static_cast<int64_t>(interpreter.arguments.seed)},
        {"--special-values", interpreter.arguments.specialValues},
        {"--magnitude",
         llvm::bit_cast<int64_t>(interpreter.arguments.magnitude)},
        {"--input", hashText(arrays)},
        {"--traffic",
         programs.getReplay() ? hashText(programs.getReplay()->getHash()) : 0},
        {"--against-backend", hashText(interpreter.againstBackend)},
        {"--tolerance", hashText(interpreter.tolerance.getText())},
        {"--repeat", times.repeats},
        {"--print-values", interpreter.printValues},
        {"--emulate", times.emulated.has_value()},
        {"--trace", !times.trace.empty()}};
    for (auto [what, value] : all) {
      Result<std::vector<int64_t>> ofRanks = job.allGather(value);
      if (!ofRanks)
        return ofRanks.getFailure();
      for (size_t rank = 1; rank < ofRanks->size(); ++rank)
        if ((*ofRanks)[rank] != ofRanks->front())
          return Failure{"expected all ranks to have one " + std::string(what) +
                         ", got another on rank " + std::to_string(rank) +
                         " than on rank 0"};
    }
    return std::nullopt;
  }

  /// Prints the reason why the job failed. Every rank prints its own.
  bool report(const Failure &failure) {
    messages.flush();
    printAtOnce(text + options.tool + ": error: rank " + Twine(job.getRank()) +
                ": " + failure.message + "\n");
    text.clear();
    return false;
  }

  FailureOr<CompiledProgram> compile(const Program &program) {
    CompiledProgram::Options compilation;
    compilation.recorded = times.repeats > 0;
    compilation.emulated = times.emulated ? &*times.emulated : nullptr;
    compilation.routing = programs.getRouting();
    if (options.backend == "nccl")
      compilation.target = CompileTarget::Nccl;
    return CompiledProgram::compile(program, compilation);
  }

  /// Reports a failure after which streams may still execute the program.
  /// Therefore its memory is not freed.
  bool reportAndKeep(const Failure &failure, RankBuffers buffers,
                     std::unique_ptr<DeviceBuffers> device) {
    [[maybe_unused]] auto *kept = new RankBuffers(std::move(buffers));
    (void)device.release();
    job.leaveSoon();
    return report(failure);
  }

  Result<std::unique_ptr<DeviceBuffers>>
  makeDeviceBuffers(const CompiledProgram &compiled,
                    const RankBuffers &buffers) {
    if (std::optional<Failure> failure = compiled.prepare(job))
      return *failure;
    return DeviceBuffers::create(job, buffers, 0);
  }

  /// Compiles a program and executes it once; returns buffers with the results.
  /// Returns nullopt if that failed, after an error message.
  std::optional<RankBuffers> executeOnce(const Program &program) {
    FailureOr<CompiledProgram> compiled = compile(program);
    FailureOr<RankBuffers> buffers = failure();
    if (succeeded(compiled))
      buffers = RankBuffers::create(program, *domain, budget, {job.getRank()});
    if (!agree(succeeded(buffers)))
      return std::nullopt;
    Result<std::unique_ptr<DeviceBuffers>> device =
        makeDeviceBuffers(*compiled, *buffers);
    if (!device) {
      report(device.getFailure());
      return std::nullopt;
    }
    std::optional<Failure> failure;
    for (int left = options.nccl.getNumRuns(); left > 0 && !failure; --left)
      failure =
          compiled->run(job, (*device)->getInputs(), (*device)->getResults());
    if (!failure)
      failure = (*device)->copyResults();
    if (failure) {
      reportAndKeep(*failure, std::move(*buffers), std::move(*device));
      return std::nullopt;
    }
    return std::move(*buffers);
  }

  int execute() {
    std::optional<RankBuffers> buffers = executeOnce(programs.getProgram());
    if (!buffers)
      return kWrongUse;
    Result<std::vector<std::string>> all = job.gather(buffers->packResults(0));
    if (!all) {
      report(all.getFailure());
      return kWrongUse;
    }
    bool ok = true;
    if (isFirst()) {
      // Prints the interpreter's report with these values.
      InterpreterOptions printing = interpreter;
      printing.executor = [&](const Program &, Domain &, MemoryBudget &) {
        return buffers->unpackResults(*all);
      };
      ok = succeeded(interpret(programs.getProgram(), printing, out));
    }
    return agree(ok) ? kDone : kWrongUse;
  }

  int compare() {
    std::optional<RankBuffers> got = executeOnce(programs.getProgram());
    if (!got)
      return kWrongUse;
    return interpreter.againstBackend.empty() ? compareHere(*got)
                                              : compareOnFirst(*got);
  }

  /// Compares the results of each rank with its results of the other program.
  int compareHere(const RankBuffers &gotBuffers) {
    std::optional<RankBuffers> buffers = executeOnce(programs.getOther());
    if (!buffers)
      return kWrongUse;
    FailureOr<std::vector<RankTensors>> got = gotBuffers.takeResults();
    FailureOr<std::vector<RankTensors>> expected = failure();
    if (succeeded(got))
      expected = buffers->takeResults();
    if (!agree(succeeded(expected)))
      return kWrongUse;
    TypeRange types = programs.getProgram().getEntry().getResultTypes();
    // The magnitude is the maximum over all ranks, because a result is one
    // tensor.
    std::vector<double> magnitudes = findMagnitudes(types, *expected);
    for (double &magnitude : magnitudes) {
      Result<double> greatest = job.max(magnitude);
      if (!greatest) {
        report(greatest.getFailure());
        return kWrongUse;
      }
      magnitude = *greatest;
    }
    // Finds the difference that a single process would find first.
    std::optional<Difference> own = findFirstDifference(
        types, *got, *expected, interpreter.tolerance, magnitudes);
    Result<std::optional<std::string>> told =
        tellFirst(job, own, [&](llvm::raw_ostream &os) {
          printValueDifference(programs.getProgram(), programs.getOther(),
                               interpreter, *own, job.getRank(), *got,
                               *expected, *domain, os);
        });
    if (told && *told) {
      Result<std::string> hint =
          interpreter.tolerance.isExact()
              ? tellRounding(job, types, *got, *expected, magnitudes)
              : std::string();
      if (!hint) {
        report(hint.getFailure());
        return kWrongUse;
      }
      if (isFirst())
        out << **told << *hint;
      return kUnequal;
    }
    if (told)
      told = tellGreatest(job, interpreter.tolerance, types, *got, *expected,
                          magnitudes);
    if (!told) {
      report(told.getFailure());
      return kWrongUse;
    }
    llvm::APInt bytes = countBytes(programs.getProgram(), *got);
    bytes *= llvm::APInt(bytes.getBitWidth(), job.getNumRanks());
    if (isFirst())
      printEqualValues(interpreter, job.getNumRanks(), bytes,
                       *told ? **told : "", out);
    return kDone;
  }

  /// Rank 0 compares the results of all ranks with the results of another
  /// backend, which it executes itself.
  int compareOnFirst(const RankBuffers &buffers) {
    Result<std::vector<std::string>> all = job.gather(buffers.packResults(0));
    if (!all) {
      report(all.getFailure());
      return kWrongUse;
    }
    FailureOr<bool> equal = true;
    if (isFirst()) {
      InterpreterOptions comparing = interpreter;
      comparing.arguments = arguments;
      comparing.executor = [&](const Program &, Domain &, MemoryBudget &) {
        return buffers.unpackResults(*all);
      };
      equal = moe::compare(programs.getProgram(), programs.getAgainst(),
                           comparing, out);
    }
    if (!agree(succeeded(equal)))
      return kWrongUse;
    Result<int64_t> verdict = job.min(*equal);
    if (!verdict) {
      report(verdict.getFailure());
      return kWrongUse;
    }
    return *verdict ? kDone : kUnequal;
  }

  int measure() {
    const Program &program = programs.getProgram();
    FailureOr<CompiledProgram> compiled = compile(program);
    FailureOr<RankBuffers> buffers = failure();
    if (succeeded(compiled))
      buffers = RankBuffers::create(program, *domain, budget, {job.getRank()});
    if (!agree(succeeded(buffers)))
      return kWrongUse;
    Result<std::unique_ptr<DeviceBuffers>> device =
        makeDeviceBuffers(*compiled, *buffers);
    if (!device) {
      report(device.getFailure());
      return kWrongUse;
    }
    Result<Measurement> measured = compiled->measure(
        job, (*device)->getInputs(), (*device)->getResults(), times.repeats);
    if (!measured) {
      reportAndKeep(measured.getFailure(), std::move(*buffers),
                    std::move(*device));
      return kWrongUse;
    }
    std::optional<Failure> failure;
    if (isFirst())
      failure = reportTimes(out, times, program, options.backend, *measured,
                            compiled->getTasks());
    if (failure)
      messages << options.tool << ": error: " << failure->message << "\n";
    return agree(!failure) ? kDone : kWrongUse;
  }

  Job &job;
  const ProcessOptions &options;
  const Inputs &inputs;
  const InterpreterOptions &interpreter;
  const TimesOptions &times;
  Devices *devices;
  llvm::raw_ostream &out;
  /// Error messages, until the ranks have agreed on the rank that prints them.
  std::string text;
  llvm::raw_string_ostream messages;
  Programs programs;
  MemoryBudget budget;
  /// Includes the values that are read from files.
  ArgumentOptions arguments;
  std::unique_ptr<Domain> domain;
};

} // namespace

int moe::run::runOnProcesses(const ProcessOptions &options,
                             const Inputs &inputs,
                             const InterpreterOptions &interpreter,
                             const TimesOptions &times, Devices *devices,
                             MLIRContext &context, llvm::raw_ostream &out) {
  auto fail = [&](const Twine &message) {
    printAtOnce(options.tool + ": error: " + message + "\n");
    return kWrongUse;
  };
  moert_config config;
  moert_config_default(&config);
  config.rank = config.world_size = -1;
  if (moert_config_from_environment(&config) != MOERT_OK)
    return fail(moert_last_error(nullptr));
  std::string origin = "as the launcher's variables say";
  if (config.world_size == -1) {
    config.rank = 0;
    config.world_size = 1;
    origin = "since neither --rank and --world-size nor a launcher's "
             "variables say otherwise";
  }
  if (options.rank || options.worldSize)
    origin = "as --rank and --world-size say";
  config.backend = options.backend.c_str();
  config.deadline_us = options.deadlineUs;
  options.nccl.apply(config);
  if (options.rank)
    config.rank = *options.rank;
  if (options.worldSize)
    config.world_size = *options.worldSize;
  if (!options.address.empty())
    config.address = options.address.c_str();
  if (config.world_size < 1 || config.rank < 0 ||
      config.rank >= config.world_size)
    return fail("expected a rank in [0, world size), got rank " +
                Twine(config.rank) + " of " + Twine(config.world_size));
  printAtOnce(options.tool + ": rank " + Twine(config.rank) + " of " +
              Twine(config.world_size) + " on " + options.backend + ", " +
              origin + "\n");
  endOnFaults(options.tool + ": error: rank " + std::to_string(config.rank) +
                  ": ",
              kWrongUse);
  if (config.rank > 0)
    moe::support::Progress::keepQuiet();
  moe::support::Activity activity("running " + inputs.file + " on " +
                                  std::to_string(config.world_size) +
                                  " processes");
  Result<std::unique_ptr<Job>> job = Job::join(config);
  if (!job)
    return fail("rank " + Twine(config.rank) +
                " cannot join the job: " + job.getError());
  return ProcessRun(**job, options, inputs, interpreter, times, devices,
                    context, out)
      .run();
}
