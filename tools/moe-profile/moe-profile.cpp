// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns measurements into platforms.

#include "MeasureCommand.h"
#include "Report.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Options/PlatformOption.h"
#include "moe/Support/EnumNames.h"
#include "moe/Support/Report.h"
#include "moe/Tools/BindOptions.h"
#include "moe/Tools/GivenOnce.h"
#include "moe/Tools/WriteErrors.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace moe;
using namespace moe::platform;

template <> struct moe::EnumNames<cost::CollectiveKind> {
  using Kind = cost::CollectiveKind;
  static constexpr EnumName<Kind> all[] = {
      {Kind::AllToAll, "all_to_all", "alltoall_perf"},
      {Kind::AllGather, "all_gather", "all_gather_perf"},
      {Kind::ReduceScatter, "reduce_scatter", "reduce_scatter_perf"},
      {Kind::AllReduce, "all_reduce", "all_reduce_perf"}};
};

template <> struct moe::EnumNames<FitModel> {
  static constexpr EnumName<FitModel> all[] = {
      {FitModel::AlphaBeta, "alpha-beta",
       "a linear time model (alpha, beta) per collective (default)"},
      {FitModel::Efficiency, "efficiency", "an efficiency curve per level"}};
};

namespace {

enum ExitCode { kDone = 0, kWrongUse = 2 };

/// The options of `moe-profile fit`.
struct FitCommand {
  cl::SubCommand command{"fit",
                         "Fit platform parameters to logs of nccl-tests"};
  cl::list<std::string> logs{cl::Positional, cl::OneOrMore, cl::sub(command),
                             cl::desc("<log of nccl-tests: text or JSON>...")};
  OutputOption output{"o", cl::sub(command), cl::value_desc("file"),
                      cl::desc("Platform file to write (required)")};
  OptionTable table;
  PlatformOption base{table, "platform",
                      "Platform that receives the fitted parameters (default: "
                      "a new platform of the measured levels)"};
  BoundOptions bound{table, command};
  cl::opt<std::string> level{
      "level", cl::sub(command), cl::value_desc("name"),
      cl::desc("Level of --platform that all logs measure (default: derived "
               "from hosts and ranks)")};
  cl::opt<std::string> name{
      "name", cl::sub(command), cl::value_desc("name"),
      cl::desc("Name of the written platform (with --platform, default: the "
               "name of the output file)")};
  cl::opt<cost::CollectiveKind> kind{
      "collective", cl::sub(command),
      cl::desc("Collective of logs that do not state it"),
      EnumValues<cost::CollectiveKind>()};
  cl::opt<FitModel> model{"model", cl::sub(command),
                          cl::init(FitModel::AlphaBeta),
                          cl::desc("Model to fit"), EnumValues<FitModel>()};

  /// Fits and writes; returns the error, empty on success.
  std::string run();
};

} // namespace

std::string FitCommand::run() {
  if (output.getNumOccurrences() == 0)
    return "-o is required";
  if (std::string problem = checkOutputs(); !problem.empty())
    return problem;
  std::vector<NcclLog> read;
  for (const std::string &file : logs) {
    cost::Result<std::vector<NcclLog>> runs =
        readNcclLogs(file, kind.getNumOccurrences()
                               ? std::optional<cost::CollectiveKind>(kind)
                               : std::nullopt);
    if (!runs)
      return runs.getError();
    for (NcclLog &log : *runs) {
      for (const std::string &warning : log.warnings)
        errs() << "moe-profile: warning: " << log.file << ": " << warning
               << "\n";
      if (!log.remark.empty())
        errs() << "moe-profile: remark: " << log.file << ": " << log.remark
               << "\n";
      read.push_back(std::move(log));
    }
  }
  std::optional<Platform> basePlatform;
  if (base.isSet()) {
    cost::Result<Platform> loaded = base.load();
    if (!loaded)
      return loaded.getError();
    basePlatform = std::move(*loaded);
  }
  FitOptions options;
  options.model = model;
  if (kind.getNumOccurrences())
    options.kind = kind;
  if (level.getNumOccurrences())
    options.level = level;
  if (name.getNumOccurrences()) {
    if (name.empty())
      return "--name: expected a name, got ''";
    options.name = name;
  } else if (basePlatform && !sys::path::stem(output).empty()) {
    options.name = sys::path::stem(output).str();
  }

  cost::Result<FitResult> result =
      fitPlatform(read, basePlatform ? &*basePlatform : nullptr, options);
  if (!result)
    return result.getError();
  if (auto failure = savePlatform(result->platform, output))
    return failure->message;
  for (const std::string &warning : result->warnings)
    errs() << "moe-profile: warning: " << warning << "\n";
  // Reports this now instead of in the first tool that times a layer.
  const cost::Machine &machine = result->platform.machine;
  if (!machine.copy || !machine.gemm)
    errs() << "moe-profile: note: " << output << " has no "
           << (machine.gemm   ? "copies (copy_bandwidth_GBps)"
               : machine.copy ? "GEMMs (gemm_alpha_us, gemm_beta_us_per_mac)"
                              : "copies (copy_bandwidth_GBps) and no GEMMs "
                                "(gemm_alpha_us, gemm_beta_us_per_mac)")
           << ", so layers cannot be timed; fit into a platform that has them, "
              "from a data sheet (--platform=dgx-h100) or from moe-profile "
              "measure on these devices\n";
  for (size_t i = 0; i < result->reports.size(); ++i) {
    if (i > 0)
      outs() << "\n";
    profile::printReport(result->reports[i], outs());
  }
  // With several reports, ends with a summary of the fits.
  if (result->reports.size() > 1) {
    outs() << "\n";
    profile::printSummary(result->reports, outs());
    if (machine.uncertainty.value > 0)
      outs() << "\nuncertainty "
             << moe::cost::formatFixed(100 * machine.uncertainty.value, 1)
             << " %: " << machine.uncertainty.origin << "\n";
  }
  return "";
}

int main(int argc, char **argv) {
  moe::handleWriteErrors("moe-profile", kWrongUse, argc, argv);
  FitCommand fit;
  profile::MeasureCommand measure;
  cl::AddExtraVersionPrinter([](raw_ostream &os) {
    os << "moe-profile of moe-mlir " MOE_VERSION "\n";
  });
  // LLVM's libraries add hundreds of options that have no meaning here.
  cl::OptionCategory none("Options of moe-profile");
  cl::HideUnrelatedOptions(none);

  // The command-line parser would take the first word for a superfluous
  // argument, so report the valid subcommands instead.
  StringRef first = argc > 1 ? argv[1] : "";
  if (!first.starts_with("-") && first != fit.command.getName() &&
      first != measure.command.getName()) {
    errs() << "moe-profile: error: expected the subcommand fit or measure, got "
           << (argc > 1 ? "'" + first.str() + "'" : std::string("none"))
           << "\n";
    return kWrongUse;
  }
  if (!cl::ParseCommandLineOptions(
          argc, argv, "moe-profile: measure a machine and fit platform files\n",
          &errs()))
    return kWrongUse;
  if (!fit.command && !measure.command) {
    errs() << "moe-profile: error: expected the subcommand fit or measure "
              "before the options\n";
    return kWrongUse;
  }
  std::string message =
      checkGivenOnce(fit.command ? fit.command : measure.command);
  if (message.empty())
    message = fit.command ? fit.run() : measure.run();
  if (!message.empty()) {
    errs() << "moe-profile: error: " << message << "\n";
    return kWrongUse;
  }
  return measure.hasFailedElsewhere() ? kWrongUse : kDone;
}
