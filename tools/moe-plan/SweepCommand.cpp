// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command moe-plan sweep.

#include "Commands.h"
#include "ConfigJob.h"
#include "RecomputeOptions.h"
#include "StateOptions.h"
#include "SweepAnswer.h"
#include "moe/Platform/GemmShare.h"
#include "moe/Platform/Lookup.h"
#include "moe/Support/Progress.h"
#include "llvm/Support/JSON.h"
#include <cmath>
#include <tuple>

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::schedule;

namespace {

class SweepCommand : public Command {
public:
  SweepCommand()
      : Command("sweep", "List the layouts of a training job that fit the "
                         "memory of its ranks, fastest first") {}
  std::optional<Failure> run(raw_ostream &os) override;
  int getExitCode() const override { return exitCode; }

private:
  std::optional<Failure> readQuestion(SweepQuestion &question,
                                      const platform::Platform &platform);
  Result<std::vector<RankedLayout>> rank(const SweepAnswer &answer,
                                         const platform::Platform &platform);
  void printSettings(raw_ostream &os, const SweepAnswer &answer) const;

  ConfigJob job{table,
                {JobOptions::Missing::One, JobOptions::Missing::Command}};
  TextOption platformName{
      table, "platform",
      "Platform file or name of a shipped platform (required)", "FILE|NAME"};
  FlagOption ignoreFitted{
      table, "ignore-fitted",
      "Ignore platform parameters fitted to published results"};
  SweepLoadOptions load{table};
  IntegerOption ranks{table, "ranks",
                      "Ranks of the job (default: the platform's)"};
  NumberOption memoryGB{
      table, "memory-gb",
      "Memory per rank in GB, 1e9 bytes (default: the platform's)"};
  IntegerOption microBatches{table, "num-micro-batches",
                             "Micro-batches per step (default: 1)"};
  IntegerOption globalBatch{
      table, "global-batch",
      "Sequences per step over all ranks, instead of --num-micro-batches; each "
      "layout splits them into micro-batches"};
  IntegerOption virtualStages{
      table, "virtual-stages",
      "Virtual stages (parts of the model) per stage, for layouts with several "
      "pipeline stages (default: 1)"};
  IntegerOption zero{table,
                     "zero",
                     "ZeRO stage, 0 to 3 (default: 1; 0 with "
                     "--parallelism=deepspeed, 3 with torchtitan)",
                     {0, 3}};
  StateOptions state{table};
  FlagsOption flags{table};
  TextOption recompute{
      table, "recompute",
      "Activations that the backward pass recomputes: none; selective, "
      "parts of layers (--recompute-modules); full, whole layers; auto, "
      "the "
      "first of these that fits (default)",
      "WHAT", "auto"};
  RecomputeModulesOption recomputeModules{table};
  TextOption schedule{
      table, "schedule",
      "Schedule of the training step, as in moe-opt --moe-compile "
      "(default: layers)",
      "WORD", "layers"};
  IntegerOption layers{table, "layers",
                       "Use only the first N MoE layers (default: all)"};
  IntegerOption rows{table, "rows",
                     "Largest number of layouts in the table (default: 20)"};
  AnswerOptions answers{subCommand};

  int exitCode = kDone;
  StepCompilation compilation;
};

} // namespace

std::optional<Failure>
SweepCommand::readQuestion(SweepQuestion &question,
                           const platform::Platform &platform) {
  if (!job.isSet())
    return failMissing("config");
  if (auto failure = job.job.read(question.sizes))
    return failure;
  if (question.sizes.elements == ElementKind::F32)
    return makeFailure("--dtype: expected bf16 or f16, as weights and "
                       "activations are counted, got 'f32'");
  if (auto failure = load.read(question.sizes))
    return failure;
  Result<ParallelismPreset> preset = job.job.readPreset();
  if (!preset)
    return preset.getFailure();
  question.preset = *preset;
  for (auto [option, degree] : {std::pair(&job.job.dp, &question.dp),
                                {&job.job.ep, &question.ep},
                                {&job.job.tp, &question.tp},
                                {&job.job.cp, &question.cp},
                                {&job.job.pp, &question.pp},
                                {&job.job.esp, &question.esp}})
    if (auto failure = option->readIfSet(*degree))
      return failure;
  if (job.job.foldEp.isSet())
    question.foldEp = bool(job.job.foldEp);
  if (job.job.sequenceParallel.isSet())
    question.sequenceParallel = bool(job.job.sequenceParallel);
  if (auto failure = layers.readIfSet(question.sizes.numLayers))
    return failure;
  Result<ModelSize> model = job.readSize();
  if (!model)
    return model.getFailure();
  question.model = std::move(*model);
  if (!question.model.config.attention)
    return makeFailure(
        job.getFile() +
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
  Result<int64_t> number = ranks.read(has);
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
  if (memoryGB.isSet()) {
    Result<double> gigabytes = memoryGB.read();
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
  Result<int64_t> stage = zero.read(getZeroOf(*preset, 1));
  if (!stage)
    return stage.getFailure();
  question.zero = ZeroStage(*stage);
  if (auto failure =
          state.read(question.stateBytes, *preset, question.sizes.elements))
    return failure;
  auto modules = recomputeModules.read(*preset, question.model.config);
  if (!modules)
    return modules.getFailure();
  question.modules = *modules;
  if (recompute == "none")
    question.recompute = Recompute::Nothing;
  else if (recompute == "selective")
    question.recompute = Recompute::Selective;
  else if (recompute == "full")
    question.recompute = Recompute::Layers;
  else if (recompute != "auto")
    return makeFailure("--recompute: expected none, selective, full or auto, "
                       "got '" +
                       recompute.get() + "'");
  if (recomputeModules.isSet() && recompute != "selective" &&
      recompute != "auto")
    return makeFailure("--recompute-modules requires --recompute=selective or "
                       "auto, got '" +
                       recompute.get() + "'");
  if (question.recompute == Recompute::Selective && !question.modules)
    return makeFailure("--recompute=selective is not supported with "
                       "--parallelism=" +
                       job.job.preset.get() +
                       ", which recomputes whole layers: use --recompute=full");
  auto choice = parseEnumName<ScheduleChoice>(schedule.get());
  if (!choice)
    return makeFailure("--schedule: expected one of " +
                       listEnumNames<ScheduleChoice>() + ", got '" +
                       schedule.get() + "'");
  auto given = load.readLoad(question.model.config, question.sizes);
  if (!given)
    return given.getFailure();
  question.load = std::move(*given);
  compilation = {platformName, {.ignoreFitted = ignoreFitted}, *choice,
                 load.getFile()};
  Result<int64_t> micro = microBatches.read(1);
  if (!micro)
    return micro.getFailure();
  question.microBatches = *micro;
  if (globalBatch.isSet() && microBatches.isSet())
    return makeFailure(
        "--global-batch is not supported with --num-micro-batches");
  if (auto failure = globalBatch.readIfSet(question.globalBatch))
    return failure;
  Result<int64_t> pieces = virtualStages.read(1);
  if (!pieces)
    return pieces.getFailure();
  question.virtualStages = *pieces;
  return std::nullopt;
}

Result<std::vector<RankedLayout>>
SweepCommand::rank(const SweepAnswer &answer,
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

void SweepCommand::printSettings(raw_ostream &os,
                                 const SweepAnswer &answer) const {
  const SweepQuestion &question = answer.question;
  os << "\nsettings\n";
  Report settings = makeList({false, true, false});
  addSetting(settings, ranks, question.ranks, "ranks");
  settings.addRow({"  memory", formatFixed(question.memory / 1e9, 1),
                   memoryGB.isSet() ? std::string("GB (--memory-gb)")
                                    : "GB (" + answer.machine + ")"});
  if (answer.gemmShare)
    settings.addRow({"  large GEMMs", formatFixed(100 * *answer.gemmShare, 0),
                     "% of " + formatFixed(*answer.peakTflops, 0) +
                         " TFLOP/s (" + answer.machine + ")"});
  addSetting(settings, job.job.microBatch, question.sizes.microBatch,
             "sequences");
  addSetting(settings, job.job.seqLen, question.sizes.seqLen, "tokens");
  if (question.globalBatch)
    addSetting(settings, globalBatch, *question.globalBatch,
               "sequences a step");
  else
    addSetting(settings, microBatches, question.microBatches, "a step");
  addSetting(settings, virtualStages, question.virtualStages,
             "pieces a stage");
  settings.addRow(
      {"  order of ranks",
       question.sizes.stagesOutermost.value_or(false) ? std::string("pp, dp")
                                                      : std::string("dp, pp"),
       "cp, ep, tp, neighbours last (" +
           (job.job.stagesOutermost.isSet() ? std::string("--stages-outermost")
            : question.preset != ParallelismPreset::None
                ? "--parallelism=" + job.job.preset.get()
                : std::string("default")) +
           ")"});
  settings.addRow({"  routing", getEnumName(question.sizes.routing).str(),
                   answer.load.empty()
                       ? std::string("even (default)")
                       : "of experts' loads (" + answer.load + ")"});
  for (auto [option, value, unit] :
       {std::tuple(&zero, int64_t(question.zero), "stage"),
        {&state.optimizerBytes, int64_t(question.stateBytes.optimizer),
         "bytes a parameter"},
        {&state.gradientBytes, int64_t(question.stateBytes.gradient),
         "bytes a parameter"}}) {
    bool isOfPreset = question.preset != ParallelismPreset::None &&
                      option != &state.optimizerBytes;
    settings.addRow({("  " + option->getName()).str(), std::to_string(value),
                     unit +
                         (" (" + (isOfPreset && !option->isSet()
                                      ? "--parallelism=" + job.job.preset.get()
                                      : option->getOrigin())) +
                         ")"});
  }
  settings.printTable(os, /*withHeading=*/false);
}

std::optional<Failure> SweepCommand::run(raw_ostream &os) {
  if (!platformName.isSet())
    return failMissing("platform");
  Result<platform::Platform> loaded = platform::findAndLoadPlatform(
      platformName, "--platform", {.ignoreFitted = ignoreFitted});
  if (!loaded)
    return loaded.getFailure();
  SweepAnswer answer;
  if (auto failure = readQuestion(answer.question, *loaded))
    return failure;
  Result<int64_t> most = rows.read(20);
  if (!most)
    return most.getFailure();
  answer.rows = *most;
  answer.config = job.getFile();
  answer.configMap = job.job.configMap.getFile();
  answer.ignoredKeys = job.job.ignoredKeys.get();
  answer.platform = platformName;
  answer.machine = loaded->machine.name;
  answer.ignoresFitted = ignoreFitted;
  answer.gemmShare = platform::getGemmShare(*loaded);
  if (auto peak = loaded->getPeakTflops())
    answer.peakTflops = peak->value;
  answer.schedule = compilation.schedule;
  answer.routingWords = load.getWords();
  answer.traffic = load.getShownFile();
  answer.trafficCommand = load.getCommand();
  answer.load = load.getGiven();
  answer.flagsOf = flags.get(answer.question.preset);
  answer.found = findLayouts(answer.question);
  Result<std::vector<RankedLayout>> ranked = rank(answer, *loaded);
  if (!ranked)
    return ranked.getFailure();
  answer.ranked = std::move(*ranked);
  // That none fits is an answer.
  exitCode = answer.ranked.empty() ? kNo : kDone;
  Result<bool> isAnswered =
      answers.answer(os, "moe-plan sweep", [&](json::OStream &out) {
        printSweepJSON(out, answer);
      });
  if (!isAnswered)
    return isAnswered.getFailure();
  if (*isAnswered)
    return std::nullopt;
  printSweepTable(os, answer);
  printSettings(os, answer);
  printSweepLeftOut(os, answer);
  return std::nullopt;
}

std::unique_ptr<Command> moe::plan::createSweepCommand() {
  return std::make_unique<SweepCommand>();
}
