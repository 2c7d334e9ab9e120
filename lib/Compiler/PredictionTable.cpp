// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Predictions as text.

#include "moe/Compiler/PredictionReport.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Platform/GemmShare.h"
#include "moe/Support/Json.h"
#include "moe/Support/Report.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace mlir;
using namespace moe;
using cost::formatTime;

/// Returns the distance of the step time from its lower bound, in percent.
static double getGap(const ReportedProgram &program) {
  if (program.lowerBoundUs <= 0)
    return 0;
  // Differences by rounding count as equal.
  return std::max(0.0, (program.makespanUs / program.lowerBoundUs - 1) * 100);
}

/// Draws the busy fraction of a stream per column: '#' over half, '-' some, '.'
/// none.
static std::string drawBar(const ReportedProgram &program, size_t stream,
                           unsigned columns) {
  double width = program.makespanUs / columns;
  std::vector<double> busy(columns, 0.0);
  if (width > 0)
    for (const ReportedTask &task : program.tasks) {
      if (program.kinds[task.kind].stream != stream)
        continue;
      auto first = static_cast<unsigned>(task.startUs / width);
      for (unsigned c = first; c < columns && c * width < task.endUs; ++c)
        busy[c] += std::max(0.0, std::min(task.endUs, (c + 1) * width) -
                                     std::max(task.startUs, c * width));
    }
  std::string bar;
  for (double part : busy)
    bar += part > width / 2 ? '#' : part > 0 ? '-' : '.';
  return bar;
}

static support::Report makeStreams(const ReportedProgram &program) {
  using support::Column;
  support::Report report(
      {Column("name", "stream").atLeast(10),
       Column("resource", "occupies").atLeast(8).after(1),
       Column("busy_us", "busy us").fixed(3).atLeast(14).after(1),
       Column("", "busy %").fixed(1).atLeast(7).after(1), Column("", "")});
  for (auto [i, stream] : llvm::enumerate(program.streams))
    report.addRow({stream.name, stream.resource, stream.busyUs,
                   program.makespanUs > 0
                       ? stream.busyUs / program.makespanUs * 100
                       : 0.0,
                   drawBar(program, i, 60)});
  return report;
}

/// Prints the routing trace, and the layers that depend on it.
static void printTraffic(raw_ostream &os, const ReportedTraffic &traffic) {
  os << "traffic      " << traffic.file;
  if (traffic.step)
    os << ", step " << *traffic.step;
  else if (traffic.steps > 1)
    os << ", all " << traffic.steps << " steps together";
  if (traffic.layers.empty())
    os << ": changes nothing, no exchange of the program depends on it";
  else
    os << ": layers " << llvm::join(traffic.layers, ", ");
  os << "\n";
  if (!traffic.paddedLayers.empty())
    os << "padded       layers " << llvm::join(traffic.paddedLayers, ", ")
       << ": buffers are exchanged and computed whole, whatever the traffic\n";
}

static void printSpread(raw_ostream &os, StringRef title,
                        const ReportedSpread &spread) {
  os << title
     << llvm::formatv("{0} iterations: mean {1}, p95 {2}, worst {3}",
                      spread.steps, formatTime(spread.meanUs),
                      formatTime(spread.p95Us), formatTime(spread.worstUs))
     << " (iteration " << spread.worstStep << ")\n";
}

static void printStages(raw_ostream &os, const ReportedStages &stages) {
  os << llvm::formatv(
      "stages       {0} x {1} piece{2}, {3} micro-batches, {4}, "
      "{5} micro-batches held\n",
      stages.stages, stages.virtualStages, stages.virtualStages == 1 ? "" : "s",
      stages.microBatches, stages.order,
      cost::formatNumber(stages.heldMicroBatches));
  os << llvm::formatv("passes       forward {0}, backward {1}, send {2}, {3}\n",
                      formatTime(stages.forwardUs),
                      formatTime(stages.backwardUs), formatTime(stages.sendUs),
                      stages.waitsForSends
                          ? "before the next pass"
                          : "concurrently with the next pass");
  os << llvm::formatv(
      "all stages   {0}, bubble {1} ({2:F2} %), gradients {3}\n",
      formatTime(stages.stepUs), formatTime(stages.bubbleUs),
      stages.stepUs > 0 ? stages.bubbleUs / stages.stepUs * 100 : 0.0,
      formatTime(stages.gradientsUs));
}

/// Prints the utilization of this many runs per step, if it is known.
static void printMFU(raw_ostream &os, const ReportedProgram &program,
                     const PredictionReport &report, long long runs) {
  auto used = program.getUtilisation(report.ranks, report.platform);
  if (!used)
    return;
  os << llvm::format("MFU          %.2f %% (%.3g model FLOPs per step, %lld "
                     "ranks of %.4g TFLOP/s)",
                     *used * 100,
                     static_cast<double>(runs) * program.work->flops,
                     static_cast<long long>(report.ranks),
                     report.platform.getPeakTflops()->value);
  if (std::optional<double> share = platform::getGemmShare(report.platform))
    os << llvm::format("; assumes large GEMMs at %.0f %% of that", *share * 100);
  os << "\n";
}

/// Prints tokens per second and utilization, as far as they are known.
static void printRates(raw_ostream &os, const ReportedProgram &program,
                       const PredictionReport &report) {
  std::optional<double> rate = program.getTokensPerSecond();
  if (!rate)
    return;
  // A run processes one micro-batch; a step may have several.
  long long runs = program.stages ? program.stages->microBatches : 1;
  os << llvm::format("tokens       %.0f per second (%lld per step)\n", *rate,
                     runs * static_cast<long long>(program.work->tokens));
  printMFU(os, program, report, runs);
  os << "leaves out   " << program.describeLeftOut(report.platform) << "\n";
}

/// Prints the tasks outside the measured range, and the measurements that are
/// missing: one line for each collective over the same axes, for example
/// "all_gather over tp: groups of 2 ranks, where 8 were measured".
static void printExtrapolated(raw_ostream &os, const ReportedProgram &program) {
  os << "extrapolated " << program.numExtrapolated << " of "
     << program.numTasks
     << " tasks: outside of what the platform was measured at\n";
  std::map<std::string, llvm::SetVector<StringRef>> reasons;
  for (const ReportedKind &kind : program.kinds) {
    if (!kind.isExtrapolated)
      continue;
    bool isCopy = true;
    for (size_t i : kind.exchanges) {
      const ReportedExchange &exchange = program.exchanges[i];
      if (exchange.extrapolation.empty())
        continue;
      isCopy = false;
      reasons[exchange.kind + " over " + exchange.axes].insert(
          exchange.extrapolation);
    }
    if (isCopy)
      reasons[kind.name].insert("copies of other sizes than were measured");
  }
  for (const auto &[what, why] : reasons) {
    os << "             " << what << ": " << why.front();
    if (why.size() > 1)
      os << ", and " << why.size() - 1 << " more";
    os << "\n";
  }
}

/// Prints decisions as moe-opt summarizes them.
static void printDecisions(raw_ostream &os, const PredictionReport &report) {
  for (const ReportedChoice &choice : report.choices) {
    if (!choice.decision || choice.decision->candidates.empty())
      continue;
    os << "\n" << choice.pass << "\n";
    for (const std::string &line : summarizeDecision(*choice.decision))
      os << "  " << line << "\n";
  }
}

void moe::printTable(raw_ostream &os, const PredictionReport &report) {
  const ReportedProgram &program = report.program;
  const cost::Machine &machine = report.platform.machine;
  os << "platform     " << machine.name << "\n";
  if (program.network)
    program.network->section->printSummary(os);
  os << "ranks        " << report.ranks << "\n";
  os << "tasks        " << program.numTasks << "\n";
  os << "step time    " << formatTime(program.makespanUs) << " (predicted)\n";
  os << "lower bound  " << formatTime(program.lowerBoundUs)
     << llvm::format(" (step time %.2f %% above)\n", getGap(program));
  if (const auto &orders = program.orders)
    os << "best order   " << formatTime(orders->bestUs)
       << (orders->isExact
               ? ", no other is faster"
               : ", none is below " + formatTime(orders->boundUs))
       << "\n";
  if (program.stages)
    printStages(os, *program.stages);
  printRates(os, program, report);
  os << "peak memory  " << program.peakBytes << " bytes of values";
  if (machine.memoryPerRank &&
      double(program.peakBytes) > machine.memoryPerRank->value.value())
    os << llvm::format(", over the %.0f bytes of a rank",
                       machine.memoryPerRank->value.value());
  os << "\n";
  if (program.rowRoom > 1)
    os << "             with headroom for "
       << cost::formatFixed(program.rowRoom, 2)
       << " times the rows of an even gate (moe-translate --receive-factor)\n";
  if (program.numExtrapolated)
    printExtrapolated(os, program);
  if (program.numCircuitChanges && machine.circuits)
    os << llvm::formatv(
        "circuits     {0} reconfiguration{1} of {2} us and {3} us per pair, "
        "links up {4} us later\n",
        program.numCircuitChanges, program.numCircuitChanges == 1 ? "" : "s",
        cost::formatNumber(machine.circuits->reconfigurationBase.value()),
        cost::formatNumber(machine.circuits->reconfigurationPerPair.value()),
        cost::formatNumber(machine.circuits->linkUp.value()));
  if (report.traffic)
    printTraffic(os, *report.traffic);
  if (program.overTrace)
    printSpread(os, "over trace   ", *program.overTrace);
  for (const ReportedProgram &baseline : report.baselines) {
    os << "baseline     " << formatTime(baseline.makespanUs) << " ("
       << baseline.file << ")\n";
    if (program.makespanUs > 0)
      os << llvm::format("speedup      %.3f\n",
                         baseline.makespanUs / program.makespanUs);
    if (program.stages && baseline.stages && program.stages->stepUs > 0)
      os << "             all stages " << formatTime(baseline.stages->stepUs)
         << llvm::format(", speedup %.3f\n",
                         baseline.stages->stepUs / program.stages->stepUs);
    if (baseline.overTrace)
      printSpread(os, "its trace    ", *baseline.overTrace);
  }
  os << "\n";
  makeStreams(program).printTable(os);
  if (program.network)
    program.network->section->printTables(os);
  printDecisions(os, report);
}
