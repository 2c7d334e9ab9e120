// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers of `sweep` as text.

#include "Printing.h"
#include "moe/Cost/FormatNumber.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::planning;
using namespace moe::schedule;
using moe::support::Absent;
using moe::support::Cell;
using moe::support::Column;

static std::string formatGigabytes(double bytes) {
  return formatFixed(bytes / 1e9, 1);
}

static void printSettings(raw_ostream &os, const SweepInput &in,
                          const SweepAnswer &answer) {
  const SweepQuestion &question = answer.question;
  os << "\nsettings\n";
  Report settings = makeList({false, true, false});
  addSetting(settings, in.ranks, question.ranks);
  settings.addRow({"  memory", formatFixed(*question.memory / 1e9, 1),
                   in.memoryGB.isSet() ? std::string("GB (--memory-gb)")
                                       : "GB (" + answer.machine + ")"});
  if (answer.gemmShare)
    settings.addRow({"  large GEMMs", formatFixed(100 * *answer.gemmShare, 0),
                     "% of " + formatFixed(*answer.peakTflops, 0) +
                         " TFLOP/s (" + answer.machine + ")"});
  auto addList = [&](const IntegerOption &option, ArrayRef<int64_t> values,
                     StringRef unit) {
    settings.addRow(
        {("  " + option.getName()).str(),
         join(map_range(values, [](int64_t n) { return std::to_string(n); }),
              ", "),
         (unit + " (" + option.getOrigin() + ")").str()});
  };
  addList(in.job.job.microBatch, question.microBatchSizes,
          in.job.job.microBatch.getUnit());
  addSetting(settings, in.job.job.seqLen, question.sizes.seqLen);
  if (question.globalBatch)
    addSetting(settings, in.globalBatch, *question.globalBatch,
               "sequences a step");
  else
    addSetting(settings, in.microBatches, question.microBatches, "a step");
  addList(in.virtualStages, question.virtualStages, "pieces a stage");
  settings.addRow({"  order of ranks",
                   question.sizes.stagesOutermost.value_or(false)
                       ? std::string("pp, dp")
                       : std::string("dp, pp"),
                   "cp, ep, tp, neighbors last (" +
                       (in.job.job.stagesOutermost.isSet()
                            ? std::string("--stages-outermost")
                        : question.preset != ParallelismPreset::None
                            ? "--parallelism=" + in.job.job.preset.get()
                            : std::string("default")) +
                       ")"});
  settings.addRow({"  routing", getEnumName(question.sizes.routing).str(),
                   answer.load.empty()
                       ? std::string("even (default)")
                       : "of experts' loads (" + answer.load + ")"});
  for (auto [option, value, unit] :
       {std::tuple(&in.zero, int64_t(question.zero), "stage"),
        {&in.state.optimizerBytes, int64_t(question.stateBytes.optimizer),
         "bytes a parameter"},
        {&in.state.gradientBytes, int64_t(question.stateBytes.gradient),
         "bytes a parameter"}}) {
    bool isOfPreset = question.preset != ParallelismPreset::None &&
                      option != &in.state.optimizerBytes;
    settings.addRow(
        {("  " + option->getName()).str(), std::to_string(value),
         unit +
             (" (" + (isOfPreset && !option->isSet()
                          ? "--parallelism=" + in.job.job.preset.get()
                          : option->getOrigin())) +
             ")"});
  }
  if (!answer.compiled) {
    const JobWays &ways = question.ways;
    std::vector<StringRef> overlaps;
    for (estimate::Overlap overlap : ways.overlaps)
      overlaps.push_back(estimate::getName(overlap));
    settings.addRow({"  dispatcher", join(ways.dispatchers, ", "),
                     "(" + in.dispatcher.getOrigin() + ")"});
    settings.addRow({"  overlap", join(overlaps, ", "),
                     "(" + in.overlap.getOrigin() + ")"});
    const Quantization &quantization = question.quantization;
    if (quantization.isQuantized())
      settings.addRow(
          {"  precision", quantization.getName().str(),
           quantization.keepsWeights
               ? std::string("weights too (--precision, --fp8-param-gather)")
               : std::string("(--precision)")});
  }
  settings.printTable(os, /*withHeading=*/false);
}

/// Prints the layouts in programs that our compiler makes.
static void printPrograms(raw_ostream &os, const SweepAnswer &answer) {
  Report table({Column("", ""), Column("", "layout"), Column("", "recompute"),
                Column("", "GB").fixed(1), Column("", "step ms").fixed(1),
                Column("", "tokens/s").fixed(0),
                Column("", "MFU %").fixed(1).orElse("-"), Column("", "why")});
  for (const RankedLayout &entry : answer.getShown())
    table.addRow(
        {std::string(entry.isPareto ? "*" : ""),
         describeLayout(answer.question, entry.layout),
         getRecomputeName(entry.layout.recompute).str(),
         entry.layout.bytes / 1e9, entry.stepUs / 1e3, entry.tokensPerSecond,
         entry.utilisation ? Cell(100 * *entry.utilisation) : Cell(Absent{}),
         entry.why});
  table.printTable(os);
}

/// Prints the layouts as their framework runs them.
static void printSteps(raw_ostream &os, const SweepAnswer &answer) {
  Report table({Column("", ""), Column("", "layout"), Column("", "dispatcher"),
                Column("", "overlap"), Column("", "recompute"),
                Column("", "GB").fixed(1), Column("", "step ms").fixed(1),
                Column("", "tokens/s").fixed(0),
                Column("", "MFU %").fixed(1).orElse("-"), Column("", "why")});
  for (const RankedLayout &entry : answer.getShown()) {
    const StepAlternative &best = entry.choice->getBest();
    table.addRow(
        {std::string(entry.isPareto ? "*" : ""),
         describeLayout(answer.question, entry.layout), best.dispatcher,
         estimate::getName(best.overlap).str(),
         getRecomputeName(entry.layout.recompute).str(),
         entry.layout.bytes / 1e9, entry.stepUs / 1e3, entry.tokensPerSecond,
         entry.utilisation ? Cell(100 * *entry.utilisation) : Cell(Absent{}),
         entry.why});
  }
  table.printTable(os);
}

/// Prints the assumptions about all steps, and the changes that would alter the
/// fastest one.
static void printNotes(raw_ostream &os, const SweepAnswer &answer) {
  if (answer.compiled) {
    os << "steps of the fastest programs that moe-opt compiles, without the "
          "host, the embedding and\nthe optimizer's own; without --compiled, "
          "steps as the framework runs them\n";
    return;
  }
  const RankedLayout &fastest = answer.ranked.front();
  if (fastest.choice->alternatives.size() > 1) {
    os << "\nwhat would change the fastest\n";
    for (const std::string &change : fastest.choice->wouldChange)
      os << "  " << change << "\n";
  }
  printNotModelled(os, "not modeled of the fastest", fastest.notModelled);
}

void moe::plan::printSweepText(raw_ostream &os, const SweepInput &in,
                               const SweepAnswer &answer) {
  const SweepQuestion &question = answer.question;
  const SweepLayouts &found = answer.found;
  ArrayRef<RankedLayout> ranked = answer.ranked;
  const std::string &machine = answer.machine;
  if (ranked.empty()) {
    os << answer.describeNone() << "\n";
    // Memory is the reason only if no layout fits.
    bool needsMemory = found.fitting.empty();
    if (needsMemory && !found.tooLarge.empty())
      os << "the least takes " << formatGigabytes(found.tooLarge.front().bytes)
         << " GB: " << describeLayout(question, found.tooLarge.front()) << "\n";
    for (const std::string &change :
         needsMemory ? findSweepChanges(question) : std::vector<std::string>())
      os << "  would fit with " << change << "\n";
  } else {
    bool isOne = ranked.size() == 1;
    os << ranked.size() << (isOne ? " layout of " : " layouts of ")
       << question.model.config.modelType << (isOne ? " fits " : " fit ")
       << formatGigabytes(*question.memory) << " GB on " << question.ranks
       << " ranks of " << machine << "; the fastest first\n\n";
    if (answer.compiled)
      printPrograms(os, answer);
    else
      printSteps(os, answer);
    if (int64_t(ranked.size()) > answer.rows)
      os << "and " << ranked.size() - answer.rows << " more (--rows, --json)\n";
    os << "* no other is as fast and takes as little memory\n";
    printNotes(os, answer);
    if (answer.flagsOf != ParallelismPreset::None) {
      std::string name = getFrameworkName(answer.flagsOf).str();
      os << "\nflags of " << name << "\n";
      for (const RankedLayout &entry : answer.getShown()) {
        JobFlags written = answer.writeFlags(entry);
        os << "  " << describeLayout(question, entry.layout)
           << (written.framework == name ? "" : ", of " + written.framework)
           << "\n    " << written.flags << "\n";
      }
    }
    os << "\nthe fastest alone:\n"
       << answer.describeCommands(ranked.front()) << "\n"
       << answer.describeLeftOut(ranked.front());
  }
  printSettings(os, in, answer);
  if (!found.tooLarge.empty() || !found.impossible.empty())
    os << "\nleft out\n";
  if (!found.tooLarge.empty())
    os << "  " << found.tooLarge.size() << " take more memory, "
       << formatGigabytes(found.tooLarge.front().bytes) << " GB and more\n";
  for (const auto &[reason, count] : found.impossible)
    os << "  " << count << ": " << reason << "\n";
}

bool moe::plan::fitsNothing(const planning::Question &question) {
  const auto &typed =
      static_cast<const TypedQuestion<SweepInput, SweepAnswer> &>(question);
  return typed.getAnswer().ranked.empty();
}
