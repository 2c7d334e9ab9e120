//===- GradientsCommand.cpp - moe-plan gradients --------------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "moe/Platform/ModelLayers.h"
#include "moe/Schedule/GradientAllReduce.h"
#include "moe/Schedule/GradientPartition.h"
#include "moe/Schedule/MachinePhase.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::schedule;

namespace {

class GradientsCommand : public Command {
public:
  GradientsCommand()
      : Command("gradients", "which parts of gradients to send beside which "
                             "parts of the backward pass") {}
  std::optional<Failure> run(raw_ostream &os) override;

private:
  MachineOptions platform = makeMachineOptions();
  cl::opt<std::string> input{
      "input", cl::desc("the network: its layers in forward order (required)"),
      cl::value_desc("FILE"), cl::sub(subCommand)};
  IntegerOption tp{"tp",
                   "tensor-parallel ranks, consecutive, whose dense parameters "
                   "differ (default: the platform's innermost level)",
                   subCommand};
  cl::opt<std::string> dtype{
      "dtype", cl::desc("type of the gradients: f64, f32, bf16 or f16"),
      cl::value_desc("TYPE"), cl::init("f32"), cl::sub(subCommand)};
  IntegerOption maxDegree{
      "max-degree", "most chunks to try (default: 16)", subCommand, {1, 64}};
  AnswerOptions answers{subCommand};
};

/// All that is printed, in either form.
struct Answer {
  std::vector<GeneralizedLayer> layers;
  GradientAllReduce allReduce;
  GradientPartition plan;
  /// Of each layer: degrees whose chunks have sizes that the platform was not
  /// measured at.
  std::vector<std::vector<int64_t>> extrapolatedDegrees;
  /// With no gradients at all; with all of them sent after the backward pass;
  /// and after step 1 of SPEC FS-7 alone.
  double withoutUs, notOverlappedUs, step1Us;

  /// Whether the MoE part of a layer has such sizes.
  bool isExtrapolated(size_t layer) const {
    return !layers[layer].moe.empty() &&
           llvm::is_contained(extrapolatedDegrees[layer],
                              plan.time.degrees[layer]);
  }
  std::vector<size_t> listExtrapolated() const {
    std::vector<size_t> found;
    for (size_t i = 0; i < layers.size(); ++i)
      if (isExtrapolated(i))
        found.push_back(i);
    return found;
  }

  double getTimeUs() const { return plan.time.getUs(); }
  /// Beside what the search may have left out, the best pieces may differ by an
  /// element in each slot.
  double getLowerBoundUs() const {
    double roundingUs = double(2 * layers.size() + 1) * allReduce.time.slopeUs;
    return std::max(withoutUs, getTimeUs() - plan.gapUs - roundingUs);
  }
};

} // namespace

/// What an MoE layer of the file may do in the backward pass; adds the degrees
/// of sizes that were not measured to `extrapolated`.
static cost::Result<std::vector<BackwardChoice>>
getChoices(const platform::MoESizes &sizes, const cost::Machine &machine,
           int64_t maxDegree, std::vector<int64_t> &extrapolated) {
  int64_t innermost = machine.levels.front().ranks;
  LayerShape shape;
  shape.microBatch = sizes.microBatch;
  shape.seqLen = sizes.seqLen;
  shape.hidden = sizes.hidden;
  shape.ffnHidden = sizes.ffnHidden;
  shape.topK = sizes.topK;
  shape.capacityFactor = sizes.capacityFactor;
  shape.gemms = sizes.gemms;
  shape.tp = sizes.tp.value_or(innermost);
  shape.esp = sizes.esp.value_or(shape.tp);
  auto phase = MachinePhase::create(
      machine, shape, TrainingPhase::Backward,
      cost::BytesPerElement(double(*platform::getElementBytes(sizes.dtype))));
  if (!phase)
    return phase.getFailure();
  std::vector<BackwardChoice> choices =
      getBackwardChoices(*phase, phase->getMaxDegree(maxDegree));
  for (const BackwardChoice &choice : choices)
    if (phase->isExtrapolated(1.0 / double(choice.degree)))
      extrapolated.push_back(choice.degree);
  return choices;
}

static void printJSON(json::OStream &out, const Answer &answer) {
  out.attributeArray("pieces", [&] {
    for (const GradientPiece &piece : answer.plan.pieces)
      out.object([&] {
        out.attribute("layer", piece.layer);
        out.attribute("slot", schedule::getName(piece.slot));
        out.attribute("from", piece.from);
        out.attribute("elements", piece.elements);
        if (answer.allReduce.isExtrapolated(piece.elements))
          out.attribute("extrapolated", true);
      });
  });
  out.attribute("time_us", answer.getTimeUs());
  out.attribute("dense_us", answer.plan.time.denseUs);
  out.attribute("moe_us", answer.plan.time.moeUs);
  out.attribute("after_us", answer.plan.time.afterUs);
  out.attribute("exposed_us", answer.getTimeUs() - answer.withoutUs);
  out.attribute("lower_bound_us", answer.getLowerBoundUs());
  out.attribute("without_gradients_us", answer.withoutUs);
  out.attribute("step1_us", answer.step1Us);
  out.attribute("not_overlapped_us", answer.notOverlappedUs);
  out.attributeArray("degrees", [&] {
    for (int64_t degree : answer.plan.time.degrees)
      out.value(degree);
  });
  if (std::vector<size_t> layers = answer.listExtrapolated(); !layers.empty())
    out.attributeArray("extrapolated_layers", [&] {
      for (size_t layer : layers)
        out.value(int64_t(layer));
    });
  out.attributeObject("all_reduce", [&] {
    out.attribute("ranks", answer.allReduce.numRanks);
    out.attribute("alpha_us", answer.allReduce.time.alphaUs);
    out.attribute("us_per_element", answer.allReduce.time.slopeUs);
    out.attribute("linear", answer.allReduce.isExact);
  });
}

static void printTable(raw_ostream &os, const Answer &answer) {
  Report table = makeList({true, true, true, true, true, true, true, false});
  table.addRow({"  layer", "gradient", "degree", "dense us", "sent beside it",
                "MoE us", "sent beside it", ""});
  std::vector<int64_t> dense(answer.layers.size(), 0), moe = dense;
  for (const GradientPiece &piece : answer.plan.pieces)
    if (piece.slot != GradientSlot::After)
      (piece.slot == GradientSlot::Dense ? dense : moe)[size_t(piece.layer)] +=
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
                  markExtrapolated("", answer.isExtrapolated(i))});
  }
  table.printTable(os, /*withHeading=*/false);
}

std::optional<Failure> GradientsCommand::run(raw_ostream &os) {
  if (!platform.isSet())
    return failMissing("platform");
  if (input.getNumOccurrences() == 0)
    return failMissing("input");
  Result<int64_t> most = maxDegree.read(16);
  if (!most)
    return most.getFailure();
  std::optional<int64_t> bytes = platform::getElementBytes(dtype.getValue());
  if (!bytes)
    return makeFailure("--dtype: expected one of f64, f32, bf16, f16; got '" +
                       dtype.getValue() + "'");

  Result<platform::Platform> loaded = platform.load();
  if (!loaded)
    return loaded.getFailure();
  const cost::Machine &machine = loaded->machine;
  Result<int64_t> tpRanks = tp.read(machine.levels.front().ranks);
  if (!tpRanks)
    return tpRanks.getFailure();
  auto model = platform::loadModelLayers(input);
  if (!model)
    return model.getFailure();

  Answer answer;
  int64_t total = 0;
  for (size_t i = 0; i < model->layers.size(); ++i) {
    const platform::ModelLayer &from = model->layers[i];
    GeneralizedLayer layer;
    layer.gradientElements = from.gradientElements;
    layer.denseUs = from.overlappableDenseUs;
    answer.extrapolatedDegrees.emplace_back();
    if (from.moe) {
      auto choices = getChoices(*from.moe, machine, *most,
                                answer.extrapolatedDegrees.back());
      if (!choices)
        return makeFailure(input + ": layers[" + Twine(i) +
                           "].moe: " + choices.getError());
      layer.moe = std::move(*choices);
    }
    total += layer.gradientElements;
    answer.layers.push_back(std::move(layer));
  }
  auto allReduce = GradientAllReduce::create(
      machine, *tpRanks, cost::BytesPerElement(double(*bytes)), total);
  if (!allReduce)
    return allReduce.getFailure();
  answer.allReduce = *allReduce;
  const LinearTime &line = allReduce->time;
  auto plan = partitionGradients(answer.layers, line);
  if (!plan)
    return makeFailure(input + ": " + plan.getError());
  auto step1 = hideGradients(answer.layers, line);
  if (!step1)
    return makeFailure(input + ": " + step1.getError());
  for (const auto *pieces : {&plan->pieces, &step1->pieces})
    if (std::string problem = checkPartition(answer.layers, *pieces);
        !problem.empty())
      return makeFailure("internal error: " + problem);
  answer.plan = std::move(*plan);
  answer.step1Us = step1->time.getUs();
  answer.withoutUs = getBackwardTime(answer.layers, line, {}).getUs();
  answer.notOverlappedUs =
      answer.withoutUs + (total ? line.getUs(double(total)) : 0);

  Result<bool> isAnswered =
      answers.answer(os, "Gradients on " + machine.name,
                     [&](json::OStream &out) { printJSON(out, answer); });
  if (!isAnswered)
    return isAnswered.getFailure();
  if (*isAnswered)
    return std::nullopt;
  os << "gradients of " << total << " elements in " << answer.layers.size()
     << (answer.layers.size() == 1 ? " layer" : " layers") << " on "
     << machine.name << ": " << formatFixed(answer.getTimeUs(), 1)
     << " us for the backward pass, " << answer.plan.pieces.size()
     << (answer.plan.pieces.size() == 1 ? " piece\n\n" : " pieces\n\n");
  printTable(os, answer);

  os << "\npieces, in the order in which they are sent\n";
  Report pieces = makeList({false, true, false, false});
  for (const GradientPiece &piece : answer.plan.pieces) {
    std::string where =
        piece.slot == GradientSlot::After
            ? "after the backward pass"
            : std::string("beside the ") +
                  (piece.slot == GradientSlot::MoE ? "MoE" : "dense") +
                  " part of layer " + std::to_string(piece.layer);
    pieces.addRow({"  of layer " + std::to_string(piece.from),
                   std::to_string(piece.elements), where,
                   markExtrapolated(
                       "", answer.allReduce.isExtrapolated(piece.elements))});
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
  settings.addRow({"  tp", std::to_string(*tpRanks),
                   tp.isSet() ? "ranks (--tp)"
                              : "ranks (innermost level of the platform)"});
  settings.addRow({"  dtype", dtype,
                   dtype.getNumOccurrences() ? "(--dtype)" : "(default)"});
  settings.addRow({"  max-degree", std::to_string(*most),
                   "chunks (" + maxDegree.getOrigin() + ")"});
  settings.printTable(os, /*withHeading=*/false);
  os << "all-reduce over " << allReduce->numRanks
     << " ranks: " << format("%.6g", line.alphaUs) << " us + "
     << format("%.6g", line.slopeUs) << " us an element"
     << (allReduce->isExact ? "\n"
                            : ", a line through times that are not on one\n");
  return std::nullopt;
}

std::unique_ptr<Command> moe::plan::createGradientsCommand() {
  return std::make_unique<GradientsCommand>();
}
