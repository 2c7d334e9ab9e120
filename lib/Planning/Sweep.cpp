// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layouts of a job that fit the memory of its ranks.

#include "moe/Planning/Sweep.h"
#include "Answers.h"
#include "moe/Platform/GemmShare.h"
#include "moe/Support/Progress.h"
#include <cmath>
#include <tuple>

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::schedule;

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
