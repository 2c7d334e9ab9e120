// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Predicts the times of tasks.

#include "NetworkOption.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "moe/Compiler/PredictionReport.h"
#include "moe/Dialect/MoE/MoEDialect.h"
#include "moe/Dialect/MoE/ParseModule.h"
#include "moe/Options/FrameworkFlags.h"
#include "moe/Options/PlatformOption.h"
#include "moe/Support/EnumNames.h"
#include "moe/Support/OldNames.h"
#include "moe/Support/OutputFile.h"
#include "moe/Support/Progress.h"
#include "moe/Support/ReportPage.h"
#include "moe/Support/TextFile.h"
#include "moe/Tools/BindOptions.h"
#include "moe/Tools/GivenOnce.h"
#include "moe/Tools/OutputOption.h"
#include "moe/Tools/PassProgress.h"
#include "moe/Tools/Register.h"
#include "moe/Tools/WriteErrors.h"
#include "moe/Transforms/ModulePlatform.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace moe;

namespace cl = llvm::cl;

/// Whether a stage sends concurrently with its next pass.
enum class Sends { Async, Sync };

template <> struct moe::EnumNames<Sends> {
  static constexpr EnumName<Sends> all[] = {
      {Sends::Async, "async", "concurrently with their next pass (default)"},
      {Sends::Sync, "sync", "before their next pass"}};
};

template <> struct moe::EnumNames<schedule::StageOrder> {
  static constexpr EnumName<schedule::StageOrder> all[] = {
      {schedule::StageOrder::OneForwardOneBackward, "1f1b",
       "one forward, one backward once the pipeline is full (default)"},
      {schedule::StageOrder::AllForward, "gpipe", "all forward passes first"}};
};

/// Exit code for wrong use, when nothing was predicted.
constexpr int kWrongUse = 2;

static cl::OptionCategory category("Command-line options of moe-sim");
static cl::opt<std::string> input(cl::Positional, cl::desc("IN"),
                                  cl::cat(category));
static OptionTable table;
static MachineOptions
    platformOption(table,
                   "Platform file or name of a shipped platform (default: the "
                   "platform that IN is compiled for)");
static cl::list<std::string>
    baselineFiles("baseline",
                  cl::desc("Program to compare with (may be repeated)"),
                  cl::value_desc("file"), cl::cat(category));
static cl::opt<std::string> entry("entry",
                                  cl::desc("Function to simulate (default: "
                                           "@main or the only one)"),
                                  cl::cat(category));
static cl::opt<bool> asJSON("json", cl::desc("Print JSON"), cl::cat(category));
static OutputOption traceFile("trace",
                              cl::desc("Write the timeline as a Chrome trace"),
                              cl::value_desc("file"), cl::cat(category));
static OutputOption chakraFolder(
    "chakra",
    cl::desc(
        "Write the timeline as Chakra execution traces, one file per rank"),
    cl::value_desc("folder"), cl::cat(category));
static OutputOption reportFile("report",
                               cl::desc("Write a self-contained HTML report"),
                               cl::value_desc("file.html"), cl::cat(category));
static cl::opt<std::string>
    remarksFile("remarks",
                cl::desc("Add the remarks of moe-opt from compiling IN "
                         "(--remark-format=yaml) to what is printed and to "
                         "--report"),
                cl::value_desc("file.yaml"), cl::cat(category));
static cl::opt<std::string>
    measuredFile("measured",
                 cl::desc("Add the measured timeline of IN (moe-run --trace) "
                          "to --json or --report"),
                 cl::value_desc("file"), cl::cat(category));
static cl::opt<std::string>
    fromReport("from-report",
               cl::desc("Read a page that --report wrote instead of IN"),
               cl::value_desc("file.html"), cl::cat(category));
static cl::opt<std::string> trafficFile(
    "traffic",
    cl::desc("Routing trace or file of tokens per expert (default: the trace "
             "that IN is compiled for, or balanced routing)"),
    cl::value_desc("file"), cl::cat(category));
static IntegerOption stepOption(table, "step",
                                "Iteration of the routing trace of --traffic "
                                "(default: all iterations together)",
                                {/*min=*/0, /*max=*/(int64_t(1) << 53) - 1});
static cl::opt<bool>
    allowUnregistered("allow-unregistered-dialect",
                      cl::desc("Accepted for compatibility with mlir-opt; ops "
                               "of unknown dialects are always allowed"),
                      cl::cat(category));
static cl::opt<std::string> overTrace(
    "over-trace",
    cl::desc("Routing trace: also predict the step time at each of its "
             "iterations, with mean, 95th percentile and maximum"),
    cl::value_desc("file"), cl::cat(category));

static std::unique_ptr<NetworkOption> networkOption = makeNetworkOption(table);
static IntegerOption
    orderWidth(table, "search-orders",
               "Also search for the fastest order of the tasks of IN on their "
               "streams, with beam width N",
               {/*min=*/1, /*max=*/1 << 20});
static IntegerOption
    refutedUs(table, "refute-us",
              "With --search-orders: try to prove that no task order finishes "
              "before N us (default: prove the highest bound found)",
              {/*min=*/1, /*max=*/int64_t(1) << 53});
static IntegerOption microBatches(
    table, "num-micro-batches",
    "Also predict a pipelined step of N micro-batches; IN is the program of "
    "one pipeline stage and micro-batch (moe-translate --pp)",
    {/*min=*/1, /*max=*/schedule::kMaxPasses / 2});
static IntegerOption virtualStages(
    table, "virtual-stages",
    "Virtual stages (parts of the model) per pipeline stage (default: 1)");
static BoundOptions bound(table, category);
static cl::opt<schedule::StageOrder> stageOrder(
    "stage-order", cl::desc("Order in which pipeline stages run micro-batches"),
    EnumValues<schedule::StageOrder>(),
    cl::init(schedule::StageOrder::OneForwardOneBackward), cl::cat(category));
static cl::opt<Sends>
    stageSends("stage-sends",
               cl::desc("How pipeline stages send to each other"),
               EnumValues<Sends>(), cl::init(Sends::Async), cl::cat(category));

/// Returns the step of --num-micro-batches; nullopt if the option is not given.
static cost::Result<std::optional<StageSettings>> readStages() {
  std::optional<StageSettings> stages;
  if (!microBatches.isSet())
    return stages;
  stages.emplace();
  for (auto [option, value] :
       {std::pair(&microBatches, &stages->microBatches),
        std::pair(&virtualStages, &stages->virtualStages)}) {
    cost::Result<int64_t> read = option->read(1);
    if (!read)
      return read.getFailure();
    *value = *read;
  }
  stages->order = stageOrder;
  stages->waitsForSends = stageSends == Sends::Sync;
  return stages;
}

/// Returns true if an option selects a model of the network.
static bool hasNetwork() { return networkOption && networkOption->isSet(); }

/// Checks the options together. Returns the error, empty if there is none.
static std::string checkOptions() {
  if (std::string problem = checkGivenOnce(); !problem.empty())
    return problem;
  for (const cl::opt<std::string> *file :
       {&remarksFile, &measuredFile, &fromReport, &trafficFile, &overTrace})
    if (file->getNumOccurrences() && file->empty())
      return "--" + file->ArgStr.str() + ": expected a file, got ''";
  if (fromReport.getNumOccurrences()) {
    if (input.getNumOccurrences() || !baselineFiles.empty() ||
        platformOption.isSet() || platformOption.ignoresFitted() ||
        entry.getNumOccurrences() || traceFile.getNumOccurrences() ||
        chakraFolder.getNumOccurrences() || remarksFile.getNumOccurrences() ||
        measuredFile.getNumOccurrences() || trafficFile.getNumOccurrences() ||
        overTrace.getNumOccurrences() || stepOption.isSet() ||
        microBatches.isSet() || orderWidth.isSet() || hasNetwork())
      return "--from-report is supported only with --json and --report";
  } else if (!input.getNumOccurrences()) {
    return "expected a program IN or --from-report=FILE, got neither";
  }
  // The table has no measured timeline.
  if (measuredFile.getNumOccurrences() && !asJSON &&
      !reportFile.getNumOccurrences())
    return "--measured requires --json or --report";
  if ((input == "-") + llvm::count(baselineFiles, "-") > 1)
    return "--baseline and IN are both '-', but standard input can be read "
           "only once";
  if (trafficFile.getNumOccurrences() && overTrace.getNumOccurrences())
    return "--over-trace is not supported with --traffic";
  if (stepOption.isSet() && !trafficFile.getNumOccurrences())
    return "--step requires --traffic";
  if (refutedUs.isSet() && !orderWidth.isSet())
    return "--refute-us requires --search-orders";
  if (!microBatches.isSet())
    for (auto [name, isGiven] :
         {std::pair("virtual-stages", virtualStages.isSet()),
          std::pair("stage-order", stageOrder.getNumOccurrences() > 0),
          std::pair("stage-sends", stageSends.getNumOccurrences() > 0)})
      if (isGiven)
        return std::string("--") + name + " requires --num-micro-batches";
  if (std::string problem = networkOption ? networkOption->check() : "";
      !problem.empty())
    return problem;
  return checkOutputs();
}

/// Returns the routing trace of the options; nullopt if none is given.
static cost::Result<std::optional<GivenTraffic>> loadTraffic() {
  std::optional<GivenTraffic> traffic;
  bool isOver = overTrace.getNumOccurrences();
  if (!isOver && !trafficFile.getNumOccurrences())
    return traffic;
  traffic.emplace();
  traffic->name = isOver ? overTrace : trafficFile;
  traffic->overTrace = isOver;
  cost::Result<traffic::Trace> trace = traffic::loadTrace(traffic->name);
  if (!trace)
    return cost::Failure{(isOver ? "--over-trace: " : "--traffic: ") +
                         trace.getError()};
  traffic->trace = std::make_shared<traffic::Trace>(std::move(*trace));
  if (!stepOption.isSet())
    return traffic;
  cost::Result<int64_t> wanted = stepOption.read(std::nullopt);
  if (!wanted)
    return wanted.getFailure();
  cost::Result<size_t> place =
      traffic::findStep(*traffic->trace, traffic->name, *wanted);
  if (!place)
    return cost::Failure{"--step: " + place.getError()};
  traffic->step = *place;
  return traffic;
}

/// Parses and predicts one file. Uses the platform that it was compiled for if
/// `platform` is not set yet. Errors have been printed.
static FailureOr<Prediction> load(MLIRContext &context, StringRef file,
                                  std::optional<platform::Platform> &platform,
                                  const std::optional<GivenTraffic> &traffic,
                                  const std::optional<StageSettings> &stages,
                                  OwningOpRef<ModuleOp> &module) {
  support::Activity activity("predicting " + file.str());
  std::string error;
  auto buffer = openInputFile(file, &error);
  if (!buffer) {
    llvm::errs() << "moe-sim: " << error << "\n";
    return failure();
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  eraseProgressForDiagnostics(context);
  module = parseModule(sources, &context);
  if (!module)
    return failure();
  if (!platform) {
    FailureOr<platform::Platform> loaded =
        loadPlatformOf(*module, /*given=*/"", "moe-sim", "--platform=FILE",
                       platformOption.getLoadOptions());
    if (failed(loaded))
      return failure();
    platform = std::move(*loaded);
  }
  // A program without a schedule gets streams by this machine's nodes, as if it
  // were compiled for it.
  if (!getPlatformAttr(*module))
    attachPlatform(*module, *platform, platform->machine.name);
  std::unique_ptr<NetworkModel> network;
  if (hasNetwork()) {
    FailureOr<int64_t> ranks = getProgramRanks(*module, entry);
    if (failed(ranks))
      return failure();
    auto model = networkOption->read(*ranks, &platform->machine);
    if (!model) {
      llvm::errs() << "moe-sim: " << model.getError() << "\n";
      return failure();
    }
    network = std::move(*model);
  }
  return predict(*module, file.str(), entry, platform->machine, traffic, stages,
                 network.get());
}

/// Writes the file of an option; errors have been printed.
static LogicalResult writeFile(const OutputOption &option,
                               function_ref<void(raw_ostream &)> write) {
  auto failure = support::writeOutputFile(option.getValue(), write);
  if (failure)
    llvm::errs() << "moe-sim: --" << option.ArgStr << ": " << failure->message
                 << "\n";
  return success(!failure);
}

/// Prints and writes the requested output. `json` is the report's.
static int answer(const PredictionReport &report, StringRef json) {
  if (!reportFile.empty() && failed(writeFile(reportFile, [&](raw_ostream &os) {
        support::printReportPage(
            os,
            llvm::sys::path::filename(report.program.file).str() + " on " +
                report.platform.machine.name,
            json);
      })))
    return kWrongUse;
  if (asJSON)
    llvm::outs() << json;
  else
    printTable(llvm::outs(), report);
  return 0;
}

/// Adds the contents of further files to the report, or returns the error.
static std::optional<cost::Failure> addFiles(PredictionReport &report,
                                             const Prediction &prediction) {
  auto fail = [](StringRef option, const cost::Failure &failure) {
    return cost::Failure{(option + ": " + failure.message).str()};
  };
  if (remarksFile.getNumOccurrences()) {
    auto yaml = support::readTextFile(remarksFile, "remarks of moe-opt");
    if (!yaml)
      return fail("--remarks", yaml.getFailure());
    auto choices = readChoices(*yaml, remarksFile);
    if (!choices)
      return fail("--remarks", choices.getFailure());
    if (auto problem = checkChoices(*choices, prediction, remarksFile))
      return fail("--remarks", *problem);
    // Plans are chosen by times on the program's own platform and links.
    if (!platformOption.isSet() && !prediction.given && !prediction.network)
      if (std::string problem =
              findOtherPlan(*choices, prediction.timeline.makespanUs);
          !problem.empty())
        llvm::errs() << "moe-sim: warning: --remarks: " << remarksFile << ": "
                     << problem << "\n";
    report.choices = std::move(*choices);
  }
  if (measuredFile.getNumOccurrences()) {
    auto json = support::readTextFile(measuredFile, "a timeline of moe-run");
    if (!json)
      return fail("--measured", json.getFailure());
    auto measured = readMeasured(*json, measuredFile);
    if (!measured)
      return fail("--measured", measured.getFailure());
    report.measured = std::move(*measured);
  }
  return std::nullopt;
}

/// Answers from a page of a previous run.
static int answerFromReport() {
  cost::Result<std::string> page =
      support::readTextFile(fromReport, "a page that --report wrote");
  cost::Result<std::string> json =
      page ? support::readReportPage(*page, fromReport)
           : cost::Result<std::string>(page.getFailure());
  cost::Result<PredictionReport> report =
      json ? readReport(*json, fromReport)
           : cost::Result<PredictionReport>(json.getFailure());
  if (!report) {
    llvm::errs() << "moe-sim: --from-report: " << report.getError() << "\n";
    return kWrongUse;
  }
  return answer(*report, *json);
}

/// Prints the error of options or files.
static int refuse(StringRef problem) {
  llvm::errs() << "moe-sim: " << problem << "\n";
  return kWrongUse;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  moe::handleWriteErrors("moe-sim", kWrongUse, argc, argv);
  cl::HideUnrelatedOptions(category);
  traceFile.mayBeStdout = reportFile.mayBeStdout = false;
  chakraFolder.isFolder = true;
  if (std::string problem = checkFrameworkFlags(
          argc, argv,
          [](StringRef name) {
            return hasOption(cl::SubCommand::getTopLevel(), name);
          });
      !problem.empty())
    return refuse(problem);
  auto arguments = moe::renameArguments(argc, argv);
  if (!cl::ParseCommandLineOptions(
          argc, arguments.data(),
          "moe-sim: predicts the timeline and step time of a program\n",
          &llvm::errs()))
    return kWrongUse;
  if (std::string problem = checkOptions(); !problem.empty())
    return refuse(problem);
  if (fromReport.getNumOccurrences())
    return answerFromReport();
  // Errors in network options are reported before files are read.
  if (hasNetwork())
    if (auto network = networkOption->read(/*ranks=*/0); !network)
      return refuse(network.getError());
  std::optional<platform::Platform> platform;
  if (platformOption.isSet()) {
    cost::Result<platform::Platform> loaded = platformOption.load();
    if (!loaded)
      return refuse(loaded.getError());
    platform = std::move(*loaded);
  }

  cost::Result<std::optional<GivenTraffic>> traffic = loadTraffic();
  if (!traffic)
    return refuse(traffic.getError());
  cost::Result<std::optional<StageSettings>> stages = readStages();
  if (!stages)
    return refuse(stages.getError());

  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // Unregistered ops take the time that they state.
  context.allowUnregisteredDialects();
  // A program without ops of our dialect would not load it, but an attached
  // platform requires it.
  context.loadDialect<MoEDialect>();
  OwningOpRef<ModuleOp> module;
  FailureOr<Prediction> prediction =
      load(context, input, platform, *traffic, *stages, module);
  if (failed(prediction))
    return kWrongUse;
  if (orderWidth.isSet()) {
    cost::Result<int64_t> width = orderWidth.read();
    cost::Result<int64_t> refuted = refutedUs.read(0);
    if (!width || !refuted)
      return refuse((width ? refuted : width).getError());
    searchOrders(*prediction, *width, *refuted);
  }
  std::vector<OwningOpRef<ModuleOp>> baselineModules;
  std::vector<Prediction> baselines;
  for (const std::string &file : baselineFiles) {
    FailureOr<Prediction> baseline =
        load(context, file, platform, *traffic, *stages,
             baselineModules.emplace_back());
    if (failed(baseline))
      return kWrongUse;
    if (baseline->ranks != prediction->ranks) {
      llvm::errs() << "moe-sim: --baseline: expected a program of "
                   << prediction->ranks << " ranks, as " << input << ", got "
                   << baseline->ranks << "\n";
      return kWrongUse;
    }
    baselines.push_back(std::move(*baseline));
  }

  if (!traceFile.empty() && failed(writeFile(traceFile, [&](raw_ostream &os) {
        printPredictionTrace(os, *prediction, platform->machine);
      })))
    return kWrongUse;
  if (std::string problem;
      !chakraFolder.empty() &&
      failed(writeChakraTraces(chakraFolder, *prediction, platform->machine,
                               problem))) {
    if (!problem.empty())
      llvm::errs() << "moe-sim: --chakra: " << problem << "\n";
    return kWrongUse;
  }
  PredictionReport report = makeReport(*prediction, baselines, *platform);
  if (std::optional<cost::Failure> problem = addFiles(report, *prediction))
    return refuse(problem->message);
  return answer(report, formatJSON(report));
}
