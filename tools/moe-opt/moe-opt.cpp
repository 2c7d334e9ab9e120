// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs passes on a module.

#include "DecisionRemarks.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "moe/Dialect/MoE/ParseModule.h"
#include "moe/Support/OutputFile.h"
#include "moe/Tools/PassProgress.h"
#include "moe/Tools/Register.h"
#include "moe/Tools/WriteErrors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace mlir;

namespace cl = llvm::cl;

static cl::opt<bool> remarksFull(
    "remarks-full",
    cl::desc("Print remarks with every candidate (default: a short form; "
             "--remark-format=yaml always contains every candidate)"));

static cl::opt<std::string> remarksRecords(
    "remarks-records",
    cl::desc("Also write the printed remarks, and warnings, to FILE, each as "
             "a line of JSON with its arguments as fields"),
    cl::value_desc("FILE"));

/// Returns true if remarks are printed for people, immediately and unfiltered.
static bool printsRemarks(const MlirOptMainConfig &config) {
  return config.shouldEmitRemarks() &&
         config.getRemarkFormat() == RemarkFormat::REMARK_FORMAT_STDOUT &&
         config.getRemarkPolicy() == RemarkPolicy::REMARK_POLICY_ALL;
}

/// Checks the options of remarks. Returns the error, empty if there is none.
/// MLIR would silently write an empty file or no file.
static std::string checkRemarkOptions(const MlirOptMainConfig &config) {
  const std::pair<llvm::StringLiteral, std::string> filters[] = {
      {"remarks-filter", config.getRemarksAllFilter()},
      {"remarks-filter-passed", config.getRemarksPassedFilter()},
      {"remarks-filter-missed", config.getRemarksMissedFilter()},
      {"remarks-filter-failed", config.getRemarksFailedFilter()},
      {"remarks-filter-analyse", config.getRemarksAnalyseFilter()}};
  bool isText = config.getRemarkFormat() == RemarkFormat::REMARK_FORMAT_STDOUT;
  bool hasFile = !config.getRemarksOutputFile().empty();
  bool hasFilter = false;
  for (const auto &[name, filter] : filters) {
    if (filter.empty())
      continue;
    hasFilter = true;
    std::string reason;
    if (!llvm::Regex(filter).isValid(reason))
      return "--" + name.str() + ": expected a regular expression, got '" +
             filter + "': " + reason;
  }
  bool hasRecords = !remarksRecords.empty();
  if (!hasFilter && (hasFile || !isText || remarksFull || hasRecords))
    return std::string(hasFile       ? "--remarks-output-file"
                       : remarksFull ? "--remarks-full"
                       : hasRecords  ? "--remarks-records"
                                     : "--remark-format") +
           " requires --remarks-filter, for example --remarks-filter=moe.*";
  if (hasRecords && !printsRemarks(config))
    return "--remarks-records is not supported with --remark-format=yaml or "
           "--remark-policy";
  if (hasFile && isText)
    return "--remarks-output-file requires --remark-format=yaml";
  return "";
}

/// Does the same as mlir-opt's main, and also shows the progress of passes.
static LogicalResult run(int argc, char **argv, StringRef input,
                         StringRef output, DialectRegistry &registry) {
  MlirOptMainConfig given = MlirOptMainConfig::createFromCLOptions();
  if (given.shouldShowDialects() || given.shouldListPasses())
    return MlirOptMain(argc, argv, input, output, registry);
  llvm::InitLLVM init(argc, argv);
  if (std::string problem = checkRemarkOptions(given); !problem.empty()) {
    llvm::errs() << "moe-opt: error: " << problem << "\n";
    return mlir::failure();
  }
  // MLIR ends without a message.
  if (std::string remarks = given.getRemarksOutputFile();
      given.shouldEmitRemarks() && !remarks.empty())
    if (auto failure = moe::support::checkOutputFile(remarks)) {
      llvm::errs() << "moe-opt: error: --remarks-output-file: "
                   << failure->message << "\n";
      return mlir::failure();
    }
  std::unique_ptr<llvm::ToolOutputFile> records;
  if (!remarksRecords.empty()) {
    std::string error;
    if (auto failure = moe::support::checkOutputFile(remarksRecords))
      error = failure->message;
    else
      records = openOutputFile(remarksRecords, &error);
    if (!records) {
      llvm::errs() << "moe-opt: error: --remarks-records: " << error << "\n";
      return mlir::failure();
    }
    records->keep();
  }
  llvm::raw_ostream *lines = records ? &records->os() : nullptr;
  MlirOptMainConfig config = given;
  config.setPassPipelineSetupFn([given, lines](PassManager &passes) {
    moe::showPassProgress(passes);
    moe::eraseProgressForDiagnostics(*passes.getContext());
    if (printsRemarks(given))
      moe::printRemarks(
          *passes.getContext(),
          {given.getRemarksAllFilter(), given.getRemarksPassedFilter(),
           given.getRemarksMissedFilter(), given.getRemarksAnalyseFilter(),
           given.getRemarksFailedFilter()},
          /*shortens=*/!remarksFull, lines);
    // The parser of an option reports an invalid value, and MLIR adds an empty
    // error.
    ScopedDiagnosticHandler withWords(
        passes.getContext(), [](Diagnostic &diagnostic) {
          return success(diagnostic.str().empty());
        });
    return given.setupPassPipeline(passes);
  });
  if (input == "-" &&
      llvm::sys::Process::FileDescriptorIsDisplayed(STDIN_FILENO))
    llvm::errs() << "(processing input from stdin now, hit ctrl-c/ctrl-d to "
                    "interrupt)\n";
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(input, &error);
  std::unique_ptr<llvm::ToolOutputFile> file =
      buffer ? openOutputFile(output, &error) : nullptr;
  if (!file) {
    llvm::errs() << error << "\n";
    return failure();
  }
  // MLIR parses the buffer in a separate context.
  MLIRContext context(MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(buffer->getMemBufferRef()),
      llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  std::unique_ptr<llvm::MemoryBuffer> text =
      moe::prepareText(buffer->getMemBufferRef(), &context);
  if (!text)
    return failure();
  if (failed(MlirOptMain(file->os(), std::move(text), registry, config)))
    return failure();
  file->keep();
  return success();
}

/// Our pipeline and passes, in the order that a user needs them; a test
/// compares the list with the registered passes.
static constexpr llvm::StringLiteral kOwn[] = {
    "moe-compile", "moe-load-platform", "moe-load-traffic",
    // Inspection.
    "moe-print-volumes", "moe-print-replication", "moe-verify-collectives",
    "moe-verify-contiguous-collectives", "moe-verify-schedule",
    "moe-verify-plan",
    // Decisions.
    "moe-choose-plan", "moe-select-strategy", "moe-choose-degree",
    "moe-choose-overlap", "moe-partition-gradients",
    "moe-fill-weight-gradients", "moe-plan-dispatch",
    // Rewrites.
    "moe-decompose-all-to-all", "moe-hierarchical-all-reduce",
    "moe-rewrite-collectives", "moe-split-mesh-axis", "moe-unpad-exchanges",
    "moe-quantize-dispatch", "moe-make-collectives-contiguous", "moe-pipeline",
    "moe-split-batch", "moe-schedule", "moe-insert-circuits",
    "moe-route-circuits", "moe-strip-hooks", "moe-widen-gradients",
    "moe-state-times", "moe-decompose-plan", "moe-pipeline-plan",
    "moe-schedule-plan", "moe-export-plan",
    // Conversions.
    "convert-moe-to-moert", "moert-verify-streams", "moert-check-orders",
    "convert-moert-to-llvm", "convert-stablehlo-to-moe",
    "convert-moe-to-stablehlo", "convert-shard-to-moe", "convert-torch-to-moe",
    "convert-moe-to-torch"};

/// Returns the head of --help: the usage of the tool, and our passes among the
/// hundreds that follow.
static std::string describe() {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "moe-opt: compile the communication of MoE layers\n\n  moe-opt IN "
        "--moe-compile=\"to=PHASE platform=F ...\" [-o OUT]\n  moe-opt IN "
        "--remarks-filter='.*' ...   print the reasons for each "
        "choice\n\nPASSES OF MOE-MLIR (docs/reference/passes.md; all other "
        "passes are "
        "MLIR's):\n";
  for (llvm::StringRef name : kOwn) {
    const mlir::PassRegistryEntry *entry = mlir::PassPipelineInfo::lookup(name);
    if (!entry)
      entry = mlir::PassInfo::lookup(name);
    if (entry)
      os << "  --" << llvm::left_justify(name, 36)
         << entry->getPassDescription() << "\n";
  }
  return text;
}

int main(int argc, char **argv) {
  moe::handleWriteErrors("moe-opt", /*exitCode=*/1, argc, argv);
  mlir::DialectRegistry registry;
  moe::registerAllDialects(registry);
  moe::registerAllPasses();
  llvm::cl::AddExtraVersionPrinter([](llvm::raw_ostream &os) {
    os << "moe-opt of moe-mlir " MOE_VERSION "\n";
  });
  std::string help = describe();
  auto [input, output] =
      mlir::registerAndParseCLIOptions(argc, argv, help, registry);
  return mlir::asMainReturnCode(run(argc, argv, input, output, registry));
}
