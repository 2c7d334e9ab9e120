// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command moe-profile measure.

#include "MeasureCommand.h"
#include "Report.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Platform/Pairs.h"
#include "moe/Support/OutputFile.h"
#include "moe/Support/Report.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <thread>

using namespace llvm;
using namespace moe;
using namespace moe::profile;

std::string MeasureCommand::run() {
  constexpr int64_t kLeastBytes = 65536, kMostBytes = int64_t(1) << 34;
  constexpr int64_t kMostRanks = 1024;
  bool isHost = backend == "host";
  if (!isHost && backend != "mpi" && backend != "nccl")
    return "--backend: expected host, mpi or nccl, got '" + backend + "'";
  if (ranks.getNumOccurrences() && !isHost)
    return "--ranks requires --backend=host; with mpi and nccl, the launcher "
           "sets the number of ranks";
  int64_t leastRanks = basePlatform.isSet() ? 1 : 2;
  if (ranks.getNumOccurrences() && (ranks < leastRanks || ranks > kMostRanks))
    return "--ranks: expected " + std::to_string(leastRanks) + " to " +
           std::to_string(kMostRanks) + ", got " + std::to_string(ranks);
  if (maxBytes < kLeastBytes || maxBytes > kMostBytes)
    return "--max-bytes: expected " + std::to_string(kLeastBytes) + " to " +
           std::to_string(kMostBytes) + ", got " + std::to_string(maxBytes);
  if (!(seconds > 0 && seconds <= 60))
    return "--seconds-per-size: expected more than 0 and at most 60, got " +
           std::to_string(seconds);
  if (name.getNumOccurrences() && name.empty())
    return "--name: expected a name, got ''";

  if (pairs.getNumOccurrences() && pairs.empty())
    return "--pairs: expected a file, got ''";

  if (basePlatform.isSet()) {
    if (pairs.getNumOccurrences())
      return "--pairs is not supported with --platform, which measures nothing "
             "between ranks";
    cost::Result<platform::Platform> loaded = basePlatform.load();
    if (!loaded)
      return loaded.getError();
    base = std::move(*loaded);
  }

  // A linear fit requires this many bytes, because its sizes are one mebibyte
  // apart.
  constexpr int64_t kMeansBytes = int64_t(3) << 20;
  if (protocol == MeasureProtocol::Means && maxBytes < kMeansBytes)
    return "--max-bytes: expected at least " + std::to_string(kMeansBytes) +
           " with --protocol=means, got " + std::to_string(maxBytes);

  MachineMeasureOptions options;
  options.protocol = protocol;
  options.onDevices = backend == "nccl";
  options.ofOneRank = base.has_value();
  options.pairs = !pairs.empty();
  options.maxBytes = maxBytes;
  options.secondsPerSize = seconds;
  moert_config config;
  moert_config_default(&config);
  config.backend = backend.c_str();
  if (!isHost && moert_config_from_environment(&config) != MOERT_OK)
    return moert_last_error(nullptr);
  // Only rank 0 writes; if it fails, the other ranks end as well.
  if (isHost || config.rank == 0)
    if (std::string problem = checkOutputs(); !problem.empty())
      return problem;
  std::optional<cost::Result<platform::Measurements>> measured;
  if (isHost) {
    int64_t all = ranks.getNumOccurrences()
                      ? ranks
                      : std::max(2u, std::thread::hardware_concurrency());
    config.world_size = static_cast<int32_t>(all);
    config.address = "moe-profile";
    measured = measureMachineOnThreads(config, options);
  } else {
    if (config.world_size < leastRanks)
      return "expected at least 2 ranks, or --platform, got " +
             std::to_string(config.world_size) +
             (backend == "mpi"
                  ? "; start it with mpirun -np RANKS"
                  : "; start one process per rank, with MOERT_RANK, "
                    "MOERT_WORLD_SIZE and MOERT_ADDRESS set");
    cost::Result<std::unique_ptr<Job>> job = Job::join(config);
    if (!job)
      return "rank " + std::to_string(config.rank) + ": " + job.getError();
    measured = measureMachine(**job, options);
    // If rank 0 cannot write, the other ranks fail as well.
    if (*measured) {
      std::string problem;
      if (config.rank == 0)
        problem = write(**measured);
      cost::Result<int64_t> ok = (*job)->min(problem.empty());
      if (!ok)
        return ok.getError();
      failedElsewhere = *ok == 0 && config.rank != 0;
      return problem;
    }
  }
  if (!*measured)
    return "rank " + std::to_string(isHost ? 0 : config.rank) + ": " +
           measured->getError();
  return write(**measured);
}

std::string MeasureCommand::writePairs(const platform::Measurements &measured,
                                       const std::string &origin) {
  const platform::Nodes &nodes = measured.nodes;
  std::string perNode = std::to_string(nodes.getRanksPerNode()), tree;
  for (int64_t node = 0; node < nodes.numNodes; ++node)
    tree += (node ? "," : "[") + perNode;
  tree += "]";
  // A single node, or nodes of one rank, form one switch.
  if (nodes.numNodes == 1 || nodes.getRanksPerNode() == 1)
    tree = std::to_string(nodes.numRanks);
  cost::Result<dispatch::Topology> topology = dispatch::Topology::parse(tree);
  if (!topology)
    return "--pairs: " + topology.getError();
  if (measured.unsettledPairs)
    errs() << "moe-profile: warning: --pairs: of "
           << nodes.numRanks * (nodes.numRanks - 1) << " links "
           << measured.unsettledPairs
           << " need a different time per byte for the longest messages than "
              "for shorter ones; increase --max-bytes or --seconds-per-size to "
              "measure longer messages\n";
  platform::MeasuredPairs all{origin, *topology, *measured.pairs};
  if (auto failure = support::writeOutputFile(
          pairs, [&](raw_ostream &os) { os << platform::printPairs(all); }))
    return "--pairs: " + failure->message;
  outs() << "messages between pairs of " << all.topology.print()
         << ", means of levels\n";
  for (auto [level, link] : platform::getLevelLinks(all))
    printFigures(
        {{(level ? "level " + std::to_string(level) : "local") + " alpha_us",
          moe::cost::toText(link.alphaUs)},
         {"beta_us_per_byte", moe::cost::toText(link.betaUsPerByte)}},
        /*width=*/25, outs());
  outs() << "\n";
  return "";
}

/// Prints the rate that one endpoint of each level reaches alone.
static void printPorts(const cost::Machine &machine, size_t width) {
  std::vector<std::pair<StringRef, std::string>> rates;
  for (const cost::Level &level : machine.levels)
    if (level.portRate)
      rates.emplace_back(level.name,
                         moe::cost::toText(level.portRate->value()));
  if (rates.empty())
    return;
  outs() << "port_GBps: one endpoint alone\n";
  printFigures(rates, width, outs());
  outs() << "\n";
}

/// Prints the duration of each part of the measurement.
static void printSeconds(const platform::Measurements &measured) {
  double all = 0;
  std::vector<std::pair<StringRef, std::string>> parts;
  for (const auto &[part, seconds] : measured.seconds) {
    all += seconds;
    parts.emplace_back(part, moe::cost::formatFixed(seconds, 1));
  }
  outs() << "\nmeasured in " << moe::cost::formatFixed(all, 1) << " s\n";
  printFigures(parts, /*width=*/29, outs());
}

std::string MeasureCommand::write(const platform::Measurements &measured) {
  // Prints the measurements first, so that a failing fit can be diagnosed.
  for (const platform::NcclLog &log : measured.collectives) {
    printSamples(platform::describe(log), log.samples, outs());
    outs() << "\n";
  }
  printSamples("copy", measured.copies, outs());
  outs() << "\n";
  if (base)
    return writeDevice(measured);
  cost::Result<platform::FitResult> result =
      platform::makePlatform(measured, backend, name);
  if (!result)
    return result.getError();
  for (const std::string &warning : result->warnings)
    errs() << "moe-profile: warning: " << warning << "\n";
  if (auto failure = platform::savePlatform(result->platform, output))
    return failure->message;
  outs() << result->platform.origin << "\n\n";
  if (measured.pairs)
    if (std::string problem = writePairs(measured, result->platform.origin);
        !problem.empty())
      return problem;
  for (const platform::FitReport &report : result->reports) {
    printReport(report, outs());
    outs() << "\n";
  }
  constexpr size_t kWidth = 25;
  const cost::Machine &machine = result->platform.stated;
  printPorts(machine, kWidth);
  printContention(measured.contention, outs());
  outs() << "\npipeline stall\n";
  printFigures({{"pipeline_stall_us", moe::cost::toText(measured.stallUs)}},
               kWidth, outs());
  outs() << "\nuncertainty\n";
  printFigures(
      {{"repeated all-to-alls",
        moe::cost::formatFixed(measured.repeatError, 4)},
       {"pipelines", moe::cost::formatFixed(measured.pipelineError, 4)},
       {"uncertainty", moe::cost::formatFixed(machine.uncertainty.value, 4)}},
      kWidth, outs());
  printGemms(measured.gemms, machine);
  printSeconds(measured);
  return "";
}

std::string
MeasureCommand::writeDevice(const platform::Measurements &measured) {
  cost::Result<platform::Platform> result = platform::replaceDevice(
      *base, measured, backend,
      name.getNumOccurrences() ? name.getValue()
                               : sys::path::stem(output.getValue()).str());
  if (!result)
    return result.getError();
  if (auto failure = platform::savePlatform(*result, output))
    return failure->message;
  printGemms(measured.gemms, result->stated);
  printSeconds(measured);
  return "";
}

void MeasureCommand::printGemms(const std::vector<platform::Sample> &gemms,
                                const cost::Machine &machine) {
  constexpr size_t kWidth = 25;
  const cost::GemmCost &gemm = *machine.gemm;
  outs() << "\nGEMM, " << gemm.origin << "\n"
         << formatv("{0,14}{1,14}{2,10}\n", "macs of two", "measured_us",
                    "TFLOP/s");
  for (const platform::Sample &sample : gemms)
    outs() << formatv("{0,14}{1,14}{2,10}\n",
                      static_cast<int64_t>(sample.size.value()),
                      moe::cost::formatFixed(sample.time.value(), 2),
                      moe::cost::formatFixed(
                          2e-6 * sample.size.value() / sample.time.value(), 3));
  printFigures({{"gemm_alpha_us", moe::cost::toText(gemm.alpha.value())},
                {"gemm_beta_us_per_mac", moe::cost::toText(gemm.beta.value())}},
               kWidth, outs());
}
