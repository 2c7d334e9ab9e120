// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints answers of `gradients` as text.

#include "Printing.h"
#include "moe/Cost/FormatNumber.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::planning;
using namespace moe::schedule;

static void printTable(raw_ostream &os, const GradientsAnswer &answer) {
  Report table = makeList({true, true, true, true, true, true, true, false});
  table.addRow({"  layer", "gradient", "degree", "dense us", "sent beside it",
                "MoE us", "sent beside it", ""});
  std::vector<int64_t> dense(answer.layers.size(), 0), moe = dense;
  for (const GradientBucket &piece : answer.plan.pieces)
    if (piece.slot != OverlapWindow::After)
      (piece.slot == OverlapWindow::Dense ? dense : moe)[size_t(piece.layer)] +=
          piece.elements;
  for (size_t i = answer.layers.size(); i-- > 0;) {
    const GeneralizedLayer &layer = answer.layers[i];
    int64_t inMoE = moe[i];
    double gradientUs = inMoE ? answer.allReduce.time.getUs(double(inMoE)) : 0;
    double moeUs = std::numeric_limits<double>::infinity();
    for (const BackwardChoice &choice : layer.moe)
      moeUs = std::min(moeUs, choice.getUs(gradientUs));
    bool hasMoE = !layer.moe.empty();
    table.addRow({std::to_string(i), std::to_string(layer.gradientElements),
                  hasMoE ? std::to_string(answer.plan.time.degrees[i]) : "-",
                  formatFixed(layer.denseUs, 1), std::to_string(dense[i]),
                  hasMoE ? formatFixed(moeUs, 1) : "-",
                  hasMoE ? std::to_string(inMoE) : "-",
                  answer.isExtrapolated(i) ? "extrapolated" : ""});
  }
  table.printTable(os, /*withHeading=*/false);
}

void moe::plan::printGradientsText(raw_ostream &os, const GradientsInput &in,
                                   const GradientsAnswer &answer) {
  int64_t total = answer.countElements();
  const LinearTime &line = answer.allReduce.time;
  os << "gradients of " << total << " elements in " << answer.layers.size()
     << (answer.layers.size() == 1 ? " layer" : " layers") << " on "
     << answer.machine << ": " << formatFixed(answer.getTimeUs(), 1)
     << " us for the backward pass, " << answer.plan.pieces.size()
     << (answer.plan.pieces.size() == 1 ? " piece\n\n" : " pieces\n\n");
  printTable(os, answer);

  os << "\npieces, in the order in which they are sent\n";
  Report pieces = makeList({false, true, false, false});
  for (const GradientBucket &piece : answer.plan.pieces) {
    std::string where =
        piece.slot == OverlapWindow::After
            ? "after the backward pass"
            : std::string("beside the ") +
                  (piece.slot == OverlapWindow::MoE ? "MoE" : "dense") +
                  " part of layer " + std::to_string(piece.layer);
    pieces.addRow({"  of layer " + std::to_string(piece.from),
                   std::to_string(piece.elements), where,
                   answer.allReduce.isExtrapolated(piece.elements)
                       ? "extrapolated"
                       : ""});
  }
  pieces.printTable(os, /*withHeading=*/false);

  os << "\ntimes, us\n";
  Report times = makeList({false, true});
  auto addTime = [&](const Twine &name, double us) {
    times.addRow({("  " + name).str(), formatFixed(us, 1)});
  };
  addTime("dense parts", answer.plan.time.denseUs);
  addTime("MoE parts", answer.plan.time.moeUs);
  addTime("after them", answer.plan.time.afterUs);
  addTime("together", answer.getTimeUs());
  addTime("no partition is faster than", answer.getLowerBoundUs());
  addTime("without gradients", answer.withoutUs);
  addTime("hiding what hides, the rest at the end", answer.step1Us);
  addTime("all gradients at the end", answer.notOverlappedUs);
  times.printTable(os, /*withHeading=*/false);

  os << "\nsettings\n";
  Report settings = makeList({false, true, false});
  const JobOptions &given = in.job.job;
  settings.addRow({"  tp", std::to_string(answer.tp),
                   given.tp.isSet()
                       ? "ranks (--tp)"
                       : "ranks (innermost level of the platform)"});
  settings.addRow({"  dtype", answer.dtype,
                   given.dtype.isSet() ? "(--dtype)" : "(default)"});
  settings.addRow({"  max-chunks", std::to_string(answer.maxDegree),
                   "chunks (" + in.maxDegree.getOrigin() + ")"});
  settings.printTable(os, /*withHeading=*/false);
  os << "all-reduce over " << answer.allReduce.numRanks
     << " ranks: " << moe::cost::toText(line.alphaUs) << " us + "
     << moe::cost::toText(line.slopeUs) << " us an element"
     << (answer.allReduce.isExact
             ? "\n"
             : ", a line through times that are not on one\n");
}
