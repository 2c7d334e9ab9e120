// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command moe-plan memory.

#include "Commands.h"
#include "ConfigJob.h"
#include "MemoryAnswer.h"
#include "RecomputeOptions.h"
#include "StateOptions.h"
#include "moe/Support/EnumNames.h"
#include "moe/Tools/RoutingOptions.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::schedule;

template <> struct moe::EnumNames<Recompute> {
  static constexpr EnumName<Recompute> all[] = {
      {Recompute::Nothing, "none", "recompute nothing (default)"},
      {Recompute::Selective, "selective",
       "recompute parts of layers (--recompute-modules)"},
      {Recompute::Layers, "full", "recompute whole layers from their inputs"}};
};

namespace {

class MemoryCommand : public Command {
public:
  MemoryCommand()
      : Command("memory", "Count the memory that training needs per rank, by "
                          "part (Adam, 16-bit weights)") {}
  std::optional<Failure> run(raw_ostream &os) override;

private:
  void printSettings(raw_ostream &os, const MemoryAnswer &answer) const;
  std::optional<Failure> readRanks(ImportOptions &options) const;
  void writeFlags(const ImportOptions &options, ParallelismPreset preset,
                  MemoryAnswer &answer) const;

  /// Without --seq-len no activations are counted.
  ConfigJob job{subCommand,
                {JobOptions::Missing::One, JobOptions::Missing::One}};
  IntegerOption ranks{"ranks",
                      "Ranks of the job, instead of --dp: the ranks that "
                      "remain after the other degrees are data-parallel",
                      subCommand};
  IntegerOption zero{"zero",
                     "ZeRO stage, 0 to 3 (default: 0; 1 with "
                     "--parallelism=megatron, 3 with torchtitan)",
                     subCommand,
                     {0, 3}};
  StateOptions state{subCommand};
  RoutingOptions routing{subCommand};
  FlagsOption flags{subCommand};
  IntegerOption virtualStages{
      "virtual-stages",
      "Virtual stages (parts of the model) per pipeline stage (default: 1)",
      subCommand};
  IntegerOption parts{"sub-batches",
                      "Concurrent sub-batches per micro-batch (default: 1)",
                      subCommand};
  cl::opt<Recompute> recompute{
      "recompute", cl::init(Recompute::Nothing),
      cl::desc("Activations that the backward pass recomputes"),
      EnumValues<Recompute>(), cl::sub(subCommand)};
  RecomputeModulesOption recomputeModules{subCommand};
  MachineOptions platform{"Platform file or name of a shipped platform; also "
                          "check that the job fits the memory of its ranks",
                          cl::sub(subCommand)};
  AnswerOptions answers{subCommand};
};

} // namespace

static std::optional<Failure> checkDegrees(const ModelSize &model,
                                           const ParallelDegrees &degrees) {
  auto checkDivides = [](StringRef option, int64_t degree, StringRef what,
                         int64_t size) -> std::optional<Failure> {
    if (size % degree == 0)
      return std::nullopt;
    return makeFailure("--" + option + ": expected a divisor of the " + what +
                       " " + Twine(size) + ", got " + Twine(degree));
  };
  int64_t ranks = 1;
  for (int64_t degree :
       {degrees.dp, degrees.pp, degrees.cp, degrees.ep, degrees.tp})
    if (MulOverflow(ranks, degree, ranks) || ranks > int64_t(1) << 40)
      return makeFailure("--ep: expected at most 2^40 ranks in all, got more");
  if (auto failure = checkDivides("ep", degrees.ep, "number of experts",
                                  model.config.numExperts))
    return failure;
  if (model.config.attention)
    if (auto failure =
            checkDivides("tp", degrees.tp, "number of attention heads",
                         model.config.attention->heads))
      return failure;
  if (auto failure = checkDivides("tp", degrees.tp, "hidden size of an expert",
                                  model.config.expertFFNSize))
    return failure;
  if (degrees.foldEp && degrees.esp > 1)
    return makeFailure("--esp: expected 1 with --fold-ep, which keeps an "
                       "expert whole on its rank, got " +
                       Twine(degrees.esp));
  if (degrees.foldEp && degrees.ep % degrees.tp != 0)
    return makeFailure("--ep: expected a multiple of the " + Twine(degrees.tp) +
                       " tensor-parallel ranks (--fold-ep), got " +
                       Twine(degrees.ep));
  if (degrees.esp > 0 && degrees.tp % degrees.esp != 0)
    return makeFailure("--esp: expected a divisor of the " + Twine(degrees.tp) +
                       " tensor-parallel ranks, got " + Twine(degrees.esp));
  if (degrees.pp > model.numLayers)
    return makeFailure("--pp: expected at most the number of layers " +
                       Twine(model.numLayers) + ", got " + Twine(degrees.pp));
  return std::nullopt;
}

/// How many rows over those of an even gate a program has room for that drops
/// none, as the frontend makes it; 1 where it makes none of the job.
static double getRowRoom(const ModelConfig &config, ImportOptions options) {
  options.routing = moe::Routing::Dropless;
  options.pp = 1;
  Expected<Layout> layout = computeLayout(config, options);
  if (!layout) {
    consumeError(layout.takeError());
    return 1;
  }
  return double(layout->receiveLimit) /
         (double(layout->routedTokens) * double(config.topK));
}

/// Fills in `dp` where `--ranks` says how many there are in all.
std::optional<Failure> MemoryCommand::readRanks(ImportOptions &options) const {
  if (!ranks.isSet())
    return std::nullopt;
  if (job.job.dp.isSet())
    return makeFailure("--ranks is not supported with --dp");
  Result<int64_t> number = ranks.read();
  if (!number)
    return number.getFailure();
  // Of one copy; those of degrees that cannot be are for the checks to say.
  ParallelDegrees degrees = getDegrees(options);
  int64_t axis = degrees.getAxisEp(), once = 1;
  for (int64_t degree : {degrees.pp, degrees.cp, std::max<int64_t>(axis, 1),
                         degrees.tp})
    if (MulOverflow(once, degree, once))
      once = std::numeric_limits<int64_t>::max();
  if (*number % once != 0)
    return makeFailure("--ranks: expected a multiple of the " + Twine(once) +
                       " ranks of pp x cp x ep x tp, got " + Twine(*number));
  options.dp = *number / once;
  return std::nullopt;
}

/// Rows of experts over those of evenly spread tokens: slots, or what a rank may
/// receive; of a job that drops none and says no more, the same.
static double getExpertLoad(const ImportOptions &options) {
  if (options.routing == moe::Routing::Dropless && !options.receiveFactor)
    return 1;
  const CapacityFactor &factor = options.routing == moe::Routing::Dropless
                                     ? *options.receiveFactor
                                     : options.capacityFactor;
  return double(factor.numerator) / double(factor.denominator);
}

void MemoryCommand::writeFlags(const ImportOptions &options,
                               ParallelismPreset preset,
                               MemoryAnswer &answer) const {
  ParallelismPreset framework = flags.get(preset);
  if (framework == ParallelismPreset::None)
    return;
  FrameworkJob written;
  written.options = options;
  written.dataRanks = options.dp * answer.degrees.getAxisEp();
  written.zero = int64_t(answer.zero);
  written.gradientBytes = answer.stateBytes.gradient;
  written.optimizerBytes = answer.stateBytes.optimizer;
  written.recomputes = recompute == Recompute::Layers;
  if (recompute == Recompute::Selective)
    written.recomputedModules = listModules(answer.modules);
  for (const LayerCount &piece :
       splitLayers(answer.model.config, options.pp * answer.virtualStages))
    written.pieces.push_back(piece.getAll());
  answer.framework =
      getFrameworkRelease(framework, answer.model.config, options);
  answer.flags = describeFlags(framework, answer.model.config, written);
}

std::optional<Failure> MemoryCommand::run(raw_ostream &os) {
  if (!job.isSet())
    return failMissing("config");
  MemoryAnswer answer;
  ImportOptions options;
  if (auto failure = job.job.read(options))
    return failure;
  if (auto failure = routing.read(options))
    return failure;
  if (options.elements == ElementKind::F32)
    return makeFailure("--dtype: expected bf16 or f16, as weights and "
                       "activations are counted, got 'f32'");
  if (auto failure = readRanks(options))
    return failure;
  answer.degrees = getDegrees(options);
  answer.microBatch = options.microBatch;
  answer.sequenceParallel = options.sequenceParallel;
  answer.recompute = recompute;
  Result<ParallelismPreset> preset = job.job.readPreset();
  if (!preset)
    return preset.getFailure();
  Result<int64_t> stage = zero.read(getZeroOf(*preset, 0));
  if (!stage)
    return stage.getFailure();
  answer.zero = ZeroStage(*stage);
  if (auto failure =
          state.read(answer.stateBytes, *preset, options.elements))
    return failure;
  if (job.job.seqLen.isSet())
    answer.seqLen = options.seqLen;
  else if (job.job.microBatch.isSet())
    return makeFailure("--micro-batch requires --seq-len");
  if (answer.seqLen && *answer.seqLen % answer.degrees.cp != 0)
    return makeFailure("--cp: expected a divisor of the sequence length " +
                       Twine(*answer.seqLen) + ", got " +
                       Twine(answer.degrees.cp));
  Result<ModelSize> model = job.readSize();
  if (!model)
    return model.getFailure();
  answer.model = std::move(*model);
  if (auto failure = checkDegrees(answer.model, answer.degrees))
    return failure;

  auto modules = recomputeModules.read(*preset, answer.model.config);
  if (!modules)
    return modules.getFailure();
  if (recomputeModules.isSet() && recompute != Recompute::Selective)
    return makeFailure("--recompute-modules requires --recompute=selective");
  if (recompute == Recompute::Selective && !*modules)
    return makeFailure("--recompute=selective is not supported with "
                       "--parallelism=" +
                       job.job.preset +
                       ", which recomputes whole layers: use --recompute=full");
  if (recompute == Recompute::Selective)
    answer.modules = **modules;

  answer.notCounted = answer.model.notCounted;
  answer.notCounted.push_back("biases and the weights of norms");
  answer.notCounted.push_back(
      "communication buffers, fragmentation, what the framework holds");
  TrainingJob training{answer.degrees, answer.zero,
                       TrainingStep{answer.microBatch, /*seqLen=*/0,
                                    answer.sequenceParallel, recompute},
                       answer.stateBytes};
  training.sharesKeyValues = *preset == ParallelismPreset::Megatron;
  RankMemory memory = getRankMemory(answer.model, training);
  answer.states = memory.states;
  answer.atWork = memory.atWork;
  if (!answer.seqLen) {
    answer.notCounted.push_back("activations: no --seq-len");
  } else if (!answer.model.config.attention) {
    answer.notCounted.push_back(
        "activations: the config lacks num_attention_heads");
  } else {
    ActivationSizes sizes{answer.microBatch,
                          *answer.seqLen,
                          answer.model.config.hiddenSize,
                          answer.model.numLayers,
                          answer.model.config.topK,
                          answer.model.config.attention->heads};
    for (ActivationForm form : kActivationForms)
      answer.activations.push_back(
          {form, getActivations(sizes, form, answer.degrees.tp)});
    double most =
        answer.getStatesBytes() + answer.activations.front().second.getTotal();
    auto tooLarge = [&] {
      return makeFailure("--seq-len: expected sizes that make fewer than 2^62 "
                         "bytes in all, got --seq-len " +
                         Twine(*answer.seqLen) + " with --micro-batch " +
                         Twine(answer.microBatch));
    };
    if (!(most < 0x1p62))
      return tooLarge();
    training.step.seqLen = *answer.seqLen;
    training.step.expertLoad = getExpertLoad(options);
    training.step.modules = answer.modules;
    for (auto &[option, value] :
         {std::pair(&virtualStages, &training.step.virtualStages),
          std::pair(&parts, &training.step.parts)}) {
      Result<int64_t> read = option->read(1);
      if (!read)
        return read.getFailure();
      *value = *read;
    }
    if (training.step.virtualStages > 1 && answer.degrees.pp == 1)
      return makeFailure("--virtual-stages requires --pp of at least 2, got 1");
    if (training.step.virtualStages >
        answer.model.numLayers / answer.degrees.pp)
      return makeFailure("--virtual-stages: expected at most the " +
                         Twine(answer.model.numLayers / answer.degrees.pp) +
                         " layers of a stage, got " +
                         Twine(training.step.virtualStages));
    answer.virtualStages = training.step.virtualStages;
    if (answer.microBatch % training.step.parts != 0)
      return makeFailure("--sub-batches: expected a divisor of the " +
                         Twine(answer.microBatch) +
                         " sequences of a micro-batch, got " +
                         Twine(training.step.parts));
    memory = getRankMemory(answer.model, training);
    answer.states = memory.states;
    answer.atWork = memory.atWork;
    answer.partGradients = memory.partGradients;
    answer.stage = memory.activations;
    most = answer.getTotalBytes();
    if (!(most < 0x1p62))
      return tooLarge();
    bool isEven =
        routing.getWords().empty() ||
        (options.routing == moe::Routing::Dropless && !options.receiveFactor);
    if (double room = getRowRoom(answer.model.config, options);
        isEven && room > 1)
      answer.notCounted.push_back(
          "rows of experts beyond an even gate's: a program that drops none has "
          "room for " +
          formatFixed(room, 2) +
          " times as many unless --receive-factor says less, and moe-sim's peak "
          "has these");
    if (answer.model.vocabulary == 0)
      answer.notCounted.push_back("logits: the config lacks vocab_size");
    if (platform.isSet()) {
      Result<platform::Platform> machine = platform.load();
      if (!machine)
        return machine.getFailure();
      if (!machine->machine.memoryPerRank)
        return makeFailure("--platform: expected one that states "
                           "memory_per_rank_bytes, got " +
                           machine->machine.name);
      MemoryVerdict verdict;
      verdict.platform = machine->machine.name;
      verdict.limitBytes = machine->machine.memoryPerRank->value.value();
      verdict.bytes = getRankBytes(answer.model, training);
      if (!verdict.fits())
        verdict.changes = findWhatFits(
            answer.model, training,
            {verdict.limitBytes, machine->machine.levels.front().ranks,
             *preset == ParallelismPreset::Megatron, *modules});
      answer.verdict = std::move(verdict);
    }
  }
  if (!answer.stage)
    for (auto [given, name] :
         {std::pair(job.job.sequenceParallel.getNumOccurrences() > 0,
                    "sequence-parallel"),
          std::pair(recompute.getNumOccurrences() > 0, "recompute"),
          std::pair(virtualStages.isSet(), "virtual-stages"),
          std::pair(parts.isSet(), "sub-batches"),
          std::pair(!routing.getWords().empty(), "routing"),
          std::pair(platform.isSet(), "platform")})
      if (given)
        return makeFailure(
            "--" + Twine(name) +
            " requires --seq-len and a config with num_attention_heads, from "
            "which activations are counted");
  writeFlags(options, *preset, answer);
  Result<bool> isAnswered = answers.answer(
      os, "Memory of " + answer.model.config.modelType + " on a rank",
      [&](json::OStream &out) { printMemoryJSON(out, answer); });
  if (!isAnswered)
    return isAnswered.getFailure();
  if (*isAnswered)
    return std::nullopt;

  printMemoryHead(os, answer, job.getFile());
  printSettings(os, answer);
  printMemoryTables(os, answer);
  return std::nullopt;
}

void MemoryCommand::printSettings(raw_ostream &os,
                                  const MemoryAnswer &answer) const {
  Report settings = makeList({false, true, false});
  const JobOptions &given = job.job;
  addSetting(settings, given.tp, answer.degrees.tp, "ranks");
  addSetting(settings, given.ep, answer.degrees.ep,
             answer.degrees.foldEp ? "ranks, folded" : "ranks");
  const IntegerOption &copies = ranks.isSet() ? ranks : given.dp;
  settings.addRow({"  dp", std::to_string(answer.degrees.dp),
                   "ranks that hold the same experts (" + copies.getOrigin() +
                       ")"});
  addSetting(settings, given.pp, answer.degrees.pp,
             "stages" + answer.describeStages());
  if (answer.degrees.cp > 1)
    addSetting(settings, given.cp, answer.degrees.cp, "ranks of a sequence");
  if (answer.degrees.getExpertShards() != answer.degrees.tp)
    addSetting(settings, given.esp, answer.degrees.getExpertShards(),
               "ranks of an expert");
  settings.addRow({"  ranks", std::to_string(answer.degrees.getNumRanks()),
                   "in all (degrees)"});
  auto addOfPreset = [&](const IntegerOption &option, int64_t value,
                         StringRef unit, bool isPreset) {
    settings.addRow({("  " + option.getName()).str(), std::to_string(value),
                     (unit + " (").str() +
                         (isPreset && !option.isSet()
                              ? "--parallelism=" + given.preset
                              : option.getOrigin()) +
                         ")"});
  };
  bool isPreset = given.preset.getNumOccurrences() > 0;
  addOfPreset(zero, int64_t(answer.zero), "stage", isPreset);
  if (state.optimizerBytes.isSet())
    addSetting(settings, state.optimizerBytes,
               int64_t(answer.stateBytes.optimizer), "bytes a parameter");
  bool isOfPreset = answer.stateBytes.gradient != StateBytes().gradient;
  if (state.gradientBytes.isSet() || isOfPreset)
    addOfPreset(state.gradientBytes, int64_t(answer.stateBytes.gradient),
                "bytes a parameter", isOfPreset);
  if (answer.seqLen) {
    addSetting(settings, given.microBatch, answer.microBatch, "sequences");
    addSetting(settings, given.seqLen, *answer.seqLen, "tokens");
  }
  settings.printTable(os, /*withHeading=*/false);
}

std::unique_ptr<Command> moe::plan::createMemoryCommand() {
  return std::make_unique<MemoryCommand>();
}
