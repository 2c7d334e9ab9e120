// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers of `gemm`, `collective`, `dispatch-kernel` and `step` as text.

#include "Printing.h"
#include "moe/Cost/FormatNumber.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::planning;
using moe::schedule::RecomputeModules;

void moe::plan::printGemmText(raw_ostream &os, const GemmInput &,
                              const GemmAnswer &answer) {
  os << formatFixed(answer.timeUs, 1) << " us, "
     << formatFixed(answer.tflops, 0) << " TFLOP/s";
  if (answer.shareOfPeak)
    os << ", " << formatFixed(100 * *answer.shareOfPeak, 0) << " % of peak";
  os << "\nfrom "
     << (answer.isByKernels ? "kernels" : "the GEMM line, one for all sizes")
     << (answer.origin.empty() ? "" : ": " + answer.origin) << "\n";
}

void moe::plan::printCollectiveText(raw_ostream &os, const CollectiveInput &,
                                    const CollectiveAnswer &answer) {
  os << formatFixed(answer.timeUs, 1) << " us, "
     << formatFixed(answer.algorithmGBps, 1) << " GB/s (busbw "
     << formatFixed(answer.busGBps, 1) << ")";
  if (!answer.slowestLevel.empty())
    os << ", most of it over " << answer.slowestLevel;
  os << (answer.isExtrapolated ? "; outside of what was measured\n" : "\n");
  os << "from " << answer.rates
     << (answer.origin.empty() ? "" : ": " + answer.origin) << "\n";
}

void moe::plan::printDispatchKernelText(raw_ostream &os,
                                        const DispatchKernelInput &,
                                        const DispatchKernelAnswer &answer) {
  os << "dispatch " << formatFixed(answer.time.dispatch.value(), 1) << " us ("
     << formatFixed(answer.dispatchGBps, 1) << " GB/s), combine "
     << formatFixed(answer.time.combine.value(), 1) << " us ("
     << formatFixed(answer.combineGBps, 1) << " GB/s)\n";
  if (!answer.time.isMeasured)
    os << "not measured on " << answer.nodes
       << " nodes: from the nearest number that was\n";
}

static void printChoice(raw_ostream &os, const StepChoice &choice) {
  os << "\ndispatchers and overlaps, fastest first\n";
  Report table = makeList({false, false, true, true, false});
  table.addRow(
      {"  dispatcher", "overlap", "step ms", "expert exchanges ms", ""});
  for (const StepAlternative &one : choice.alternatives)
    table.addRow(
        {"  " + one.dispatcher, estimate::getName(one.overlap).str(),
         one.step ? formatFixed(one.step->stepUs / 1e3, 1) : "-",
         one.step ? formatFixed(getExchangeUs(*one.step) / 1e3, 1) : "-",
         one.whyNot});
  table.printTable(os, /*withHeading=*/false);
  printReasons(os, choice);
}

void moe::plan::printReasons(raw_ostream &os, const StepChoice &choice) {
  os << "why: " << choice.why << "\n";
  for (const std::string &change : choice.wouldChange)
    os << "  " << change << "\n";
}

static void printParts(raw_ostream &os, StringRef title,
                       const estimate::PartList &parts) {
  auto [forwardUs, backwardUs] = sumParts(parts, /*ofExperts=*/false);
  os << "\n" << title << ", us for one micro-batch of a rank\n";
  Report table = makeList({false, false, true, true});
  table.addRow({"  part", "what it is", "forward", "backward"});
  for (const estimate::LayerPart &part : parts)
    table.addRow({("  " + part.name).str(), estimate::getName(part.kind).str(),
                  formatFixed(part.forwardUs, 1),
                  formatFixed(part.backwardUs, 1)});
  table.addRow({"  all", std::string(), formatFixed(forwardUs, 1),
                formatFixed(backwardUs, 1)});
  table.printTable(os, /*withHeading=*/false);
}

static std::string formatMs(double us) { return formatFixed(us / 1e3, 1); }

/// The measured time of a step, the accuracy of such predictions, and which
/// part would explain the difference.
static void printMeasuredStep(raw_ostream &os, const StepAnswer &answer) {
  const MeasuredStep &measured = *answer.measured;
  double moreUs = measured.measuredUs - measured.predictedUs;
  os << "\nmeasured " << formatMs(measured.measuredUs)
     << " ms, predicted / measured " << formatFixed(measured.getRatio(), 2);
  if (answer.calibration)
    os << ", calibrated / measured "
       << formatFixed(answer.getCalibratedUs() / measured.measuredUs, 2);
  if (measured.utilisation)
    os << ", measured MFU " << formatFixed(100 * *measured.utilisation, 1)
       << " %";
  os << "\n";
  if (measured.isAbovePeak)
    os << "  impossible at the platform's peak: check the batch, the layers "
          "and the ranks\n";
  if (const StepAccuracy *accuracy = measured.accuracy) {
    os << "  " << accuracy->steps << " published steps (" << accuracy->kind
       << "): predicted / published " << formatFixed(accuracy->median, 2)
       << " in the median, spread x" << formatFixed(accuracy->spread, 2)
       << " (docs/concepts/accuracy.md)\n  "
       << (measured.isWithinSpread()
               ? "within the spread: at least half of these predictions are "
                 "off "
                 "as far\n"
               : "outside of the spread: fewer than half of these predictions "
                 "are off as far\n");
  } else {
    os << "  no published step is compared with a prediction on "
       << answer.question.machine << " for this precision\n";
  }
  os << "  the job is " << formatMs(std::abs(moreUs)) << " ms "
     << (moreUs > 0 ? "slower" : "faster") << " than predicted";
  if (!measured.explainedBy.empty()) {
    os << "; one of these parts alone would explain that, if it takes\n";
    Report table = makeList({false, true});
    for (const auto &[what, factor] : measured.explainedBy)
      table.addRow({"    " + what, formatFixed(factor, 2) + " times as long"});
    table.printTable(os, /*withHeading=*/false);
  } else {
    os << "\n";
  }
  if (!answer.calibration)
    os << "  nothing is fitted to it; to apply the ratio to similar jobs, give "
          "them --calibration="
       << formatFixed(1 / measured.getRatio(), 3) << "\n";
}

void moe::plan::printStepText(raw_ostream &os, const StepInput &,
                              const StepAnswer &answer) {
  const estimate::StepEstimate &step = *answer.step.step;
  os << "a step takes " << formatFixed(step.stepUs / 1e3, 1) << " ms, "
     << formatFixed(step.tokensPerSecond, 0) << " tokens/s";
  if (step.utilisation)
    os << ", MFU " << formatFixed(100 * *step.utilisation, 1) << " %";
  os << "\n"
     << answer.step.describe() << ", recomputing "
     << describeRecompute(answer.layout.recompute, answer.layout.modules);
  const Quantization &quantization = answer.question.quantization;
  if (quantization.isQuantized())
    os << ", linear layers and experts in " << quantization.getName()
       << (quantization.keepsWeights ? ", weights too" : "");
  os << "; the fullest rank holds " << formatFixed(answer.layout.bytes / 1e9, 1)
     << " GB";
  if (auto fits = answer.fits())
    os << (*fits ? " of " : ", which does not fit the ")
       << formatFixed(*answer.question.memory / 1e9, 1) << " GB of "
       << answer.question.machine;
  os << "\n";
  if (answer.calibration)
    os << "with --calibration=" << formatFixed(*answer.calibration, 3)
       << ", as you state it: " << formatMs(answer.getCalibratedUs())
       << " ms\n";
  if (answer.measured)
    printMeasuredStep(os, answer);
  os << "\nthe busiest stage spends it on\n";
  Report spent = makeList({false, true, true});
  for (const auto &[what, us] : step.spentUs)
    spent.addRow({"  " + what, formatFixed(us / 1e3, 1) + " ms",
                  formatFixed(100 * us / step.stepUs, 0) + " %"});
  spent.printTable(os, /*withHeading=*/false);
  printParts(os, "a MoE layer", step.moeLayer);
  if (!step.denseLayer.empty())
    printParts(os, "a dense layer", step.denseLayer);
  if (answer.choice)
    printChoice(os, *answer.choice);
  if (!answer.stages.empty()) {
    os << "\na rank of each pipeline stage, GB\n";
    printStages(os, answer.stages);
  }
  if (answer.flagsOf != ParallelismPreset::None)
    os << "\nflags of " << answer.flags.framework << "\n  "
       << answer.flags.flags << "\n";
  printNotModelled(os, "not modeled", answer.notModelled);
  printNotModelled(os, "not counted in memory", answer.notCounted);
}

void moe::plan::printNotModelled(raw_ostream &os, StringRef title,
                                 ArrayRef<std::string> texts) {
  if (texts.empty())
    return;
  os << "\n" << title << "\n";
  for (const std::string &text : texts)
    os << "  " << text << "\n";
}
