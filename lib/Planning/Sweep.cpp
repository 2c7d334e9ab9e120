// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layouts of a job that fit the memory of its ranks.

#include "moe/Planning/Sweep.h"
#include "Answers.h"
#include "moe/Options/FrameworkFlags.h"
#include "moe/Planning/RecomputeOptions.h"
#include "moe/Planning/StateOptions.h"
#include "moe/Platform/GemmShare.h"
#include "moe/Schedule/StageSchedule.h"
#include "moe/Support/Progress.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <cmath>
#include <tuple>

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::schedule;

//===----------------------------------------------------------------------===//
// The step of a layout
//===----------------------------------------------------------------------===//

/// Where the time of a micro-batch goes: what ranks compute, and the exchanges
/// that take most of the rest of the critical path.
static std::string explain(const StepTimes &times) {
  auto percent = [&](double us, double of) {
    return formatFixed(100 * us / of, 0) + " %";
  };
  std::string text =
      "computes " + percent(std::min(times.computeUs, times.getPassesUs()),
                            times.getPassesUs());
  std::vector<std::pair<double, std::string>> path;
  // Of all that is on it: what stages send is, and belongs to no pass.
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

/// Multiply-accumulates of the output layer for a micro-batch of a rank, which
/// has the words of one of the tensor-parallel ranks; 0 where the config does
/// not say how many there are.
static double getOutputMacs(const SweepQuestion &question,
                            const ImportOptions &options) {
  double tokens =
      double(options.microBatch) * double(options.seqLen) / double(options.cp);
  return tokens * getLayerWeights(question.model, getDegrees(options)).words;
}

/// What gradients of so many bytes send over those of programs, which sum
/// 16-bit ones on all ranks: as much for the sum as for what is gathered behind
/// it. The distributed optimizer gathers weights, and stage 3 of ZeRO gathers
/// them later.
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

/// Time in us that the backward pass of a piece recomputes.
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
  // No part takes longer than the whole.
  return std::min(
      piece.forwardUs,
      getSelectiveUs(question.model,
                     getTrainingJob(question, layout.options, layout.recompute),
                     layout.pieces[index], piece.forwardUs * (1 - computes),
                     platform.machine));
}

Result<RankedLayout>
moe::planning::rankLayout(const SweepQuestion &question,
                          const SweepLayout &layout, const LayoutTimes &times,
                          const platform::Platform &platform) {
  // The tokens and the work of all stages are those of one that holds all.
  ImportOptions whole = layout.options;
  whole.pp = 1;
  whole.numLayers.reset();
  Expected<Layout> full = computeLayout(question.timed, whole);
  if (!full)
    return Failure{toString(full.takeError())};
  schedule::StagedStep step = layout.getStep();
  step.pieces.clear();
  // As the programs are, without what is in none of them.
  schedule::StagedStep alone = step;
  double againUs = 0, gatherUs = 0, headsUs = 0;
  bool sharesHeads = question.preset == ParallelismPreset::Megatron &&
                     sharesKeyValueHeads(question.model.config, layout.options);
  // Sums of gradients, what of them no pass hides; those of programs first.
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
  RankedLayout entry{layout, staged.stepUs, 0, 0, {}, false, ""};
  entry.leftOutUs = staged.stepUs - simulateStagedStep(alone).stepUs;
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
  entry.form = longest.form;
  entry.onceANode = longest.onceANode;
  entry.hidesSums = longest.endUs < 0.99 * longest.sumUs;
  if (!entry.form.empty())
    entry.why = entry.form + "; ";
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

//===----------------------------------------------------------------------===//
// The planner
//===----------------------------------------------------------------------===//

static std::optional<Failure> readQuestion(SweepInput &in,
                                           SweepQuestion &question,
                                           StepCompilation &compilation,
                                           const platform::Platform &platform) {
  if (!in.job.isSet())
    return failMissing("config");
  if (auto failure = in.job.job.read(question.sizes))
    return failure;
  if (question.sizes.elements == ElementKind::F32)
    return makeFailure("--dtype: expected bf16 or f16, as weights and "
                       "activations are counted, got 'f32'");
  if (auto failure = in.load.read(question.sizes))
    return failure;
  Result<ParallelismPreset> preset = in.job.job.readPreset();
  if (!preset)
    return preset.getFailure();
  question.preset = *preset;
  for (auto [option, degree] : {std::pair(&in.job.job.dp, &question.dp),
                                {&in.job.job.ep, &question.ep},
                                {&in.job.job.tp, &question.tp},
                                {&in.job.job.cp, &question.cp},
                                {&in.job.job.pp, &question.pp},
                                {&in.job.job.esp, &question.esp}})
    if (auto failure = option->readIfSet(*degree))
      return failure;
  if (in.job.job.foldEp.isSet())
    question.foldEp = bool(in.job.job.foldEp);
  if (in.job.job.sequenceParallel.isSet())
    question.sequenceParallel = bool(in.job.job.sequenceParallel);
  if (auto failure = in.layers.readIfSet(question.sizes.numLayers))
    return failure;
  Result<ModelSize> model = in.job.readSize();
  if (!model)
    return model.getFailure();
  question.model = std::move(*model);
  if (!question.model.config.attention)
    return makeFailure(
        in.job.getFile() +
        ": expected a config with num_attention_heads, which the sizes of "
        "activations and non-MoE compute need, got none");
  // Fewer layers are timed as if the model ended behind them.
  question.timed = question.model.config;
  if (std::optional<int64_t> layers = question.sizes.numLayers) {
    auto all = int64_t(question.timed.moeLayers.size());
    if (*layers > all)
      return makeFailure("--layers: expected at most the " + Twine(all) +
                         " MoE layers of the model, got " + Twine(*layers));
    if (*layers < all) {
      question.timed.moeLayers.resize(size_t(*layers));
      question.timed.numLayers = question.timed.moeLayers.back() + 1;
    }
  }
  int64_t has = platform.machine.getNumRanks();
  Result<int64_t> number = in.ranks.read(has);
  if (!number)
    return number.getFailure();
  if (*number > has)
    return makeFailure("--ranks: expected at most the " + Twine(has) +
                       " ranks of " + platform.machine.name + ", got " +
                       Twine(*number));
  if (*number < 2)
    return makeFailure("--ranks: expected at least 2, as programs of one rank "
                       "have no exchanges to schedule, got " +
                       Twine(*number));
  question.ranks = *number;
  question.nodeRanks = platform.machine.levels.front().ranks;
  if (in.memoryGB.isSet()) {
    Result<double> gigabytes = in.memoryGB.read();
    if (!gigabytes)
      return gigabytes.getFailure();
    question.memory = *gigabytes * 1e9;
  } else if (platform.machine.memoryPerRank) {
    question.memory = platform.machine.memoryPerRank->value.value();
  } else {
    return makeFailure("--memory-gb is required, because " +
                       platform.machine.name +
                       " does not state memory_per_rank_bytes");
  }
  Result<int64_t> stage = in.zero.read(getZeroOf(*preset, 1));
  if (!stage)
    return stage.getFailure();
  question.zero = ZeroStage(*stage);
  if (auto failure =
          in.state.read(question.stateBytes, *preset, question.sizes.elements))
    return failure;
  auto modules = in.recomputeModules.read(*preset, question.model.config);
  if (!modules)
    return modules.getFailure();
  question.modules = *modules;
  if (in.recompute == "none")
    question.recompute = Recompute::Nothing;
  else if (in.recompute == "selective")
    question.recompute = Recompute::Selective;
  else if (in.recompute == "full")
    question.recompute = Recompute::Layers;
  else if (in.recompute != "auto")
    return makeFailure("--recompute: expected none, selective, full or auto, "
                       "got '" +
                       in.recompute.get() + "'");
  if (in.recomputeModules.isSet() && in.recompute != "selective" &&
      in.recompute != "auto")
    return makeFailure("--recompute-modules requires --recompute=selective or "
                       "auto, got '" +
                       in.recompute.get() + "'");
  if (question.recompute == Recompute::Selective && !question.modules)
    return makeFailure("--recompute=selective is not supported with "
                       "--parallelism=" +
                       in.job.job.preset.get() +
                       ", which recomputes whole layers: use --recompute=full");
  auto choice = parseEnumName<ScheduleChoice>(in.schedule.get());
  if (!choice)
    return makeFailure("--schedule: expected one of " +
                       listEnumNames<ScheduleChoice>() + ", got '" +
                       in.schedule.get() + "'");
  auto given = in.load.readLoad(question.model.config, question.sizes);
  if (!given)
    return given.getFailure();
  question.load = std::move(*given);
  compilation = {in.platform.platform.get(), in.platform.getLoadOptions(),
                 *choice, in.load.getFile()};
  Result<int64_t> micro = in.microBatches.read(1);
  if (!micro)
    return micro.getFailure();
  question.microBatches = *micro;
  if (in.globalBatch.isSet() && in.microBatches.isSet())
    return makeFailure(
        "--global-batch is not supported with --num-micro-batches");
  if (auto failure = in.globalBatch.readIfSet(question.globalBatch))
    return failure;
  Result<int64_t> pieces = in.virtualStages.read(1);
  if (!pieces)
    return pieces.getFailure();
  question.virtualStages = *pieces;
  return std::nullopt;
}
static Result<std::vector<RankedLayout>>
rankLayouts(const SweepAnswer &answer, const StepCompilation &compilation,
            const platform::Platform &platform) {
  const std::vector<SweepLayout> &fitting = answer.found.fitting;
  std::optional<moe::support::Activity> activity(std::in_place, "layout",
                                                 int64_t(fitting.size()));
  std::vector<Result<LayoutTimes>> times =
      timeLayouts(answer.question.timed, fitting, platform, compilation,
                  [&](size_t) { activity->next(); });
  activity.reset();
  std::vector<RankedLayout> ranked;
  for (auto [layout, timed] : zip_equal(fitting, times)) {
    if (!timed)
      return makeFailure(describeLayout(layout.options) + ": " +
                         timed.getError());
    Result<RankedLayout> entry =
        rankLayout(answer.question, layout, *timed, platform);
    if (!entry)
      return entry.getFailure();
    ranked.push_back(std::move(*entry));
  }
  llvm::sort(ranked, [](const RankedLayout &a, const RankedLayout &b) {
    const ImportOptions &x = a.layout.options, &y = b.layout.options;
    return std::tie(b.tokensPerSecond, a.layout.bytes, x.tp, x.pp, x.cp, x.ep) <
           std::tie(a.tokensPerSecond, b.layout.bytes, y.tp, y.pp, y.cp, y.ep);
  });
  double least = HUGE_VAL;
  for (RankedLayout &entry : ranked)
    if (entry.layout.bytes < least) {
      entry.isPareto = true;
      least = entry.layout.bytes;
    }
  return ranked;
}
Result<SweepAnswer> moe::planning::planSweep(SweepInput &in) {
  Result<platform::Platform> loaded = in.platform.load();
  if (!loaded)
    return loaded.getFailure();
  SweepAnswer answer;
  StepCompilation compilation;
  if (auto failure = readQuestion(in, answer.question, compilation, *loaded))
    return *failure;
  Result<int64_t> most = in.rows.read(20);
  if (!most)
    return most.getFailure();
  answer.rows = *most;
  answer.config = in.job.getFile();
  answer.configMap = in.job.job.configMap.getFile();
  answer.ignoredKeys = in.job.job.ignoredKeys.get();
  answer.platform = in.platform.platform.get();
  answer.machine = loaded->machine.name;
  answer.ignoresFitted = in.platform.ignoresFitted();
  answer.gemmShare = platform::getGemmShare(*loaded);
  if (auto peak = loaded->getPeakTflops())
    answer.peakTflops = peak->value;
  answer.schedule = compilation.schedule;
  answer.routingWords = in.load.getWords();
  answer.traffic = in.load.getShownFile();
  answer.trafficCommand = in.load.getCommand();
  answer.load = in.load.getGiven();
  answer.flagsOf = in.flags.get(answer.question.preset);
  answer.found = findLayouts(answer.question);
  Result<std::vector<RankedLayout>> ranked =
      rankLayouts(answer, compilation, *loaded);
  if (!ranked)
    return ranked.getFailure();
  answer.ranked = std::move(*ranked);
  return answer;
}

//===----------------------------------------------------------------------===//
// The answer
//===----------------------------------------------------------------------===//

StringRef moe::planning::getRecomputeName(Recompute recompute) {
  switch (recompute) {
  case Recompute::Nothing:
    return "none";
  case Recompute::Selective:
    return "selective";
  case Recompute::Layers:
    return "full";
  }
  llvm_unreachable("unknown recomputation");
}

std::string moe::planning::getTitle(const SweepAnswer &) {
  return "moe-plan sweep";
}

void moe::planning::printJSON(json::OStream &out, const SweepAnswer &answer) {
  const SweepQuestion &question = answer.question;
  const SweepLayouts &found = answer.found;
  auto printLayout = [&](const SweepLayout &layout) {
    const ImportOptions &options = layout.options;
    out.attribute("dp", options.dp);
    out.attribute("pp", options.pp);
    out.attribute("cp", options.cp);
    out.attribute("ep", options.ep);
    out.attribute("tp", options.tp);
    if (options.esp)
      out.attribute("esp", *options.esp);
    out.attribute("fold_ep", options.foldEp);
    out.attribute("sequence_parallel", options.sequenceParallel);
    out.attribute("recompute", getRecomputeName(layout.recompute));
    out.attribute("memory_bytes", int64_t(layout.bytes));
    if (double load = getExpertLoad(question, options); load != 1)
      out.attribute("busiest_rank", load);
    out.attribute("micro_batches", layout.microBatches);
    out.attributeArray("layers", [&] {
      for (const LayerCount &piece : layout.pieces)
        out.value(piece.getAll());
    });
  };
  out.attribute("model_type", question.model.config.modelType);
  out.attribute("platform", answer.machine);
  out.attribute("ranks", question.ranks);
  out.attribute("micro_batch", question.sizes.microBatch);
  out.attribute("seq_len", question.sizes.seqLen);
  if (answer.gemmShare)
    out.attribute("gemm_share", *answer.gemmShare);
  out.attribute("memory_per_rank_bytes", int64_t(question.memory));
  out.attribute("zero", int(question.zero));
  out.attribute("optimizer_bytes", int64_t(question.stateBytes.optimizer));
  out.attribute("gradient_bytes", int64_t(question.stateBytes.gradient));
  out.attribute("routing", getEnumName(question.sizes.routing));
  if (!answer.load.empty())
    out.attribute("load", answer.load);
  if (question.globalBatch)
    out.attribute("global_batch", *question.globalBatch);
  out.attribute("virtual_stages", question.virtualStages);
  out.attribute("stages_outermost",
                question.sizes.stagesOutermost.value_or(false));
  out.attribute("schedule", getEnumName(answer.schedule));
  out.attributeArray("layouts", [&] {
    for (const RankedLayout &entry : answer.ranked)
      out.object([&] {
        printLayout(entry.layout);
        out.attribute("step_us", entry.stepUs);
        out.attribute("tokens_per_s", entry.tokensPerSecond);
        if (entry.utilisation)
          out.attribute("mfu", *entry.utilisation);
        out.attribute("pareto", entry.isPareto);
        if (!entry.form.empty())
          out.attribute("form", entry.form);
        out.attribute("why", entry.why);
        out.attribute("commands", answer.describeCommands(entry.layout));
        if (answer.flagsOf != ParallelismPreset::None)
          out.attribute("flags", answer.describeFlags(entry));
        if (answer.flagsOf != ParallelismPreset::None)
          out.attribute("flags_of", getFrameworkRelease(answer.flagsOf,
                                                        question.model.config,
                                                        entry.layout.options));
        out.attribute("commands_leave_out_us", entry.leftOutUs);
        if (std::string words = answer.describeLeftOut(entry); !words.empty())
          out.attribute("commands_leave_out", StringRef(words).rtrim());
      });
  });
  if (answer.ranked.empty())
    out.attribute("none", answer.describeNone());
  out.attribute("too_large", int64_t(found.tooLarge.size()));
  if (answer.ranked.empty() && !found.tooLarge.empty())
    out.attributeObject("least_memory",
                        [&] { printLayout(found.tooLarge.front()); });
  if (answer.ranked.empty())
    out.attributeArray("would_fit", [&] {
      for (const std::string &change : findSweepChanges(question))
        out.value(change);
    });
  out.attributeArray("impossible", [&] {
    for (const auto &[reason, count] : found.impossible)
      out.object([&] {
        out.attribute("reason", reason);
        out.attribute("layouts", count);
      });
  });
}
