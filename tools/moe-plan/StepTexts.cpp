// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers of `gemm`, `collective`, `dispatch-kernel` and `step` as text.

#include "Printing.h"

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
  os << (answer.isExtrapolated ? "; outside of the sizes that were measured\n"
                               : "\n");
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
  os << "\n\nthe busiest stage spends it on\n";
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
  if (!step.notModelled.empty()) {
    os << "\nnot modelled\n";
    for (const std::string &what : step.notModelled)
      os << "  " << what << "\n";
  }
}
