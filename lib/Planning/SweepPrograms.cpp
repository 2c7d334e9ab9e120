// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layouts of a job in the fastest programs that our compiler makes.

#include "moe/Cost/FormatNumber.h"
#include "moe/Planning/Answers.h"
#include "moe/Planning/Sweep.h"
#include "moe/Schedule/StageSchedule.h"
#include "moe/Support/Progress.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::schedule;

/// Describes the time of a micro-batch: the share of computing, and the
/// exchanges with the largest shares of the rest of the critical path.
static std::string explain(const StepTimes &times) {
  auto percent = [&](double us, double of) {
    return formatFixed(100 * us / of, 0) + " %";
  };
  std::string text =
      "computes " + percent(std::min(times.computeUs, times.getPassesUs()),
                            times.getPassesUs());
  std::vector<std::pair<double, std::string>> path;
  // The path includes sends between stages, which belong to no pass.
  double pathUs = 0;
  for (const auto &[name, us] : times.pathUs) {
    path.push_back({us, name});
    pathUs += us;
  }
  llvm::sort(path, [](const auto &a, const auto &b) {
    return a.first > b.first || (a.first == b.first && a.second < b.second);
  });
  int shown = 0;
  for (const auto &[us, name] : path) {
    if (us < 0.03 * pathUs || shown == 3)
      break;
    text += (shown++ == 0 ? "; its longest path: " : ", ") + name + " " +
            percent(us, pathUs);
  }
  return text;
}

/// Returns the multiply-accumulates of the output layer per micro-batch and
/// rank, which has an even share of the vocabulary over tensor-parallel ranks;
/// 0 if the config lacks the size of the vocabulary.
static double getOutputMacs(const SweepQuestion &question,
                            const ImportOptions &options) {
  double tokens =
      double(options.microBatch) * double(options.seqLen) / double(options.cp);
  return tokens * getLayerWeights(question.model, getDegrees(options)).words;
}

/// Returns the bytes that gradients send relative to the bytes in programs,
/// which sum 16-bit gradients on all ranks with equally many bytes for the
/// reduce-scatter and for the all-gather after it. The distributed optimizer
/// gathers 16-bit weights instead, and stage 3 of ZeRO gathers them later.
static double getSumFactor(const SweepQuestion &question) {
  double sums = question.stateBytes.gradient;
  switch (question.zero) {
  case ZeroStage::None:
    return sums / 2;
  case ZeroStage::Optimizer:
  case ZeroStage::Gradients:
    return (sums + 2) / 4;
  case ZeroStage::Parameters:
    return sums / 4;
  }
  return 1;
}

/// Returns the time in us of recomputation in the backward pass of a piece.
static double getRecomputeUs(const SweepQuestion &question,
                             const SweepLayout &layout, size_t index,
                             const StepTimes &piece,
                             const platform::Platform &platform) {
  switch (layout.recompute) {
  case Recompute::Nothing:
    return 0;
  case Recompute::Layers:
    return piece.forwardUs;
  case Recompute::Selective:
    break;
  }
  double passesUs = piece.getPassesUs();
  double computes =
      passesUs > 0 ? std::min(1.0, piece.computeUs / passesUs) : 1;
  // A part cannot take longer than the whole pass.
  return std::min(
      piece.forwardUs,
      getSelectiveUs(question.model, getTrainingJob(question, layout),
                     layout.pieces[index], piece.forwardUs * (1 - computes),
                     platform.machine));
}

static Result<RankedLayout> rankLayout(const SweepQuestion &question,
                                       const SweepLayout &layout,
                                       const LayoutTimes &times,
                                       const platform::Platform &platform) {
  // The tokens and the work of all stages equal those of a single stage.
  ImportOptions whole = layout.options;
  whole.pp = 1;
  whole.numLayers.reset();
  Expected<Layout> full = computeLayout(question.model.config, whole);
  if (!full)
    return Failure{toString(full.takeError())};
  schedule::StagedStep step = layout.getStep();
  step.pieces.clear();
  // The step without the parts that no program contains.
  schedule::StagedStep alone = step;
  double againUs = 0, gatherUs = 0, headsUs = 0;
  bool sharesHeads = question.preset == ParallelismPreset::Megatron &&
                     sharesKeyValueHeads(question.model.config, layout.options);
  // Sums of gradients that no pass hides: in programs, and in full.
  std::vector<double> endUs(size_t(step.stages), 0), widerUs = endUs;
  for (size_t i = 0; i < layout.pieces.size(); ++i) {
    const StepTimes &piece = times.pieces[times.pieces.size() == 1 ? 0 : i];
    alone.pieces.push_back({piece.forwardUs, piece.backwardUs});
    double recomputeUs = getRecomputeUs(question, layout, i, piece, platform);
    schedule::PassTimes pass{piece.forwardUs, piece.backwardUs + recomputeUs};
    againUs = std::max(againUs, recomputeUs);
    if (sharesHeads) {
      auto heads = getHeadGatherUs(question.model, layout.options,
                                   layout.pieces[i], platform.machine);
      if (!heads)
        return heads.getFailure();
      bool again = layout.recompute == Recompute::Layers;
      pass.forwardUs += *heads;
      pass.backwardUs += again ? 2 * *heads : *heads;
      headsUs = std::max(headsUs, (again ? 3 : 2) * *heads);
    }
    if (question.zero == ZeroStage::Parameters) {
      auto gather = getGatherUs(question.model, layout.options,
                                layout.pieces[i], platform.machine);
      if (!gather)
        return gather.getFailure();
      double before = pass.forwardUs + pass.backwardUs;
      double computes = before > 0 ? piece.computeUs / piece.getPassesUs() : 0;
      for (double *us : {&pass.forwardUs, &pass.backwardUs})
        *us += std::max(0.0, *gather - computes * *us);
      gatherUs = std::max(gatherUs, pass.forwardUs + pass.backwardUs - before);
    }
    step.pieces.push_back(pass);
    step.sendUs = std::max(step.sendUs, piece.sendUs);
    endUs[i % endUs.size()] += piece.endUs;
    widerUs[i % endUs.size()] +=
        piece.endUs + (getSumFactor(question) - 1) * piece.sumUs;
  }
  // The last stage has the output layer; its product has two gradients.
  double outputMacs = getOutputMacs(question, layout.options), outputUs = 0;
  if (outputMacs > 0 && platform.machine.gemm) {
    outputUs = cost::getGemmTime(*platform.machine.gemm, cost::Macs(outputMacs))
                   .value();
    step.pieces.back().forwardUs += outputUs;
    step.pieces.back().backwardUs += 2 * outputUs;
  }
  step.endUs = std::max(0.0, *llvm::max_element(widerUs));
  schedule::StagedStepTime staged = simulateStagedStep(step);
  alone.sendUs = step.sendUs;
  alone.endUs = *llvm::max_element(endUs);
  RankedLayout entry;
  entry.layout = layout;
  entry.stepUs = staged.stepUs;
  CompiledLayout &compiled = entry.compiled.emplace();
  compiled.leftOutUs = staged.stepUs - simulateStagedStep(alone).stepUs;
  double batches = double(layout.microBatches);
  entry.tokensPerSecond =
      batches * double(full->batchTokens) / (entry.stepUs * 1e-6);
  if (std::optional<cost::Stated<double>> peak = platform.getPeakTflops())
    entry.utilisation =
        batches *
        (full->modelFlops + 6 * double(full->batchTokens) *
                                getLayerWeights(question.model, {}).words) /
        (entry.stepUs * double(question.ranks) * peak->value * 1e6);
  double passes = batches * double(step.virtualStages);
  const StepTimes &longest = times.getLongest();
  compiled.form = longest.form;
  compiled.onceANode = longest.onceANode;
  compiled.hidesSums = longest.endUs < 0.99 * longest.sumUs;
  if (!compiled.form.empty())
    entry.why = compiled.form + "; ";
  entry.why += explain(longest);
  if (question.load)
    entry.why += "; rows of the busiest rank " +
                 formatFixed(getExpertLoad(question, layout.options), 2) +
                 " of an even share";
  auto add = [&](StringRef what, double us) {
    if (us > 0)
      entry.why += "; " + what.str() + ", " +
                   formatFixed(100 * us / entry.stepUs, 0) + " % of the step";
  };
  add(layout.recompute == Recompute::Layers ? "layers again"
                                            : "parts recomputed",
      passes * againUs);
  add("weights gathered", passes * gatherUs);
  add("shared heads gathered", passes * headsUs);
  add("output layer", 3 * batches * outputUs);
  add("gradients summed", step.endUs);
  if (step.stages > 1) {
    entry.why += "; " + std::to_string(step.stages) + " stages";
    if (!areAlike(layout.pieces))
      entry.why += " of " + describePieces(layout.pieces);
    entry.why += ", idle " +
                 formatFixed(100 * staged.bubbleUs / entry.stepUs, 0) +
                 " % of the step";
  }
  return entry;
}

Result<std::vector<RankedLayout>> moe::planning::rankPrograms(
    const SweepQuestion &question, ArrayRef<SweepLayout> layouts,
    const StepCompilation &compilation, const platform::Platform &platform) {
  std::optional<moe::support::Activity> activity(std::in_place, "layout",
                                                 int64_t(layouts.size()));
  std::vector<Result<LayoutTimes>> times =
      timeLayouts(question.model.config, layouts, platform, compilation,
                  [&](size_t) { activity->next(); });
  activity.reset();
  std::vector<RankedLayout> ranked;
  for (const auto &[layout, timed] : zip_equal(layouts, times)) {
    if (!timed)
      return makeFailure(describeLayout(question, layout) + ": " +
                         timed.getError());
    Result<RankedLayout> entry = rankLayout(question, layout, *timed, platform);
    if (!entry)
      return entry.getFailure();
    ranked.push_back(std::move(*entry));
  }
  return ranked;
}
