// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory that training needs per rank.

#include "moe/Planning/Memory.h"
#include "moe/Planning/Answers.h"
#include "moe/Planning/RecomputeOptions.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::schedule;

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
static std::optional<Failure> readRanks(MemoryInput &in,
                                        ImportOptions &options) {
  if (!in.ranks.isSet())
    return std::nullopt;
  if (in.job.job.dp.isSet())
    return makeFailure("--ranks is not supported with --dp");
  Result<int64_t> number = in.ranks.read();
  if (!number)
    return number.getFailure();
  // Of one copy; those of degrees that cannot be are for the checks to say.
  ParallelDegrees degrees = getDegrees(options);
  int64_t once =
      multiplyCapped({degrees.pp, degrees.cp,
                      std::max<int64_t>(degrees.getAxisEp(), 1), degrees.tp});
  if (*number % once != 0)
    return makeFailure("--ranks: expected a multiple of the " + Twine(once) +
                       " ranks of pp x cp x ep x tp, got " + Twine(*number));
  options.dp = *number / once;
  return std::nullopt;
}

/// Rows of experts over those of evenly spread tokens: slots, or what a rank
/// may receive; of a job that drops none and says no more, the same.
static double getRowsOverEven(const ImportOptions &options) {
  if (options.routing == moe::Routing::Dropless && !options.receiveFactor)
    return 1;
  const CapacityFactor &factor = options.routing == moe::Routing::Dropless
                                     ? *options.receiveFactor
                                     : options.capacityFactor;
  return double(factor.numerator) / double(factor.denominator);
}
static void writeFlags(MemoryInput &in, const ImportOptions &options,
                       ParallelismPreset preset, MemoryAnswer &answer) {
  ParallelismPreset framework = in.flags.get(preset);
  if (framework == ParallelismPreset::None)
    return;
  FrameworkJob written;
  written.options = options;
  written.dataRanks = options.dp * answer.degrees.getAxisEp();
  written.zero = int64_t(answer.zero);
  written.gradientBytes = answer.stateBytes.gradient;
  written.optimizerBytes = answer.stateBytes.optimizer;
  written.precision = answer.quantization.precision;
  written.keepsQuantizedWeights = answer.quantization.keepsWeights;
  written.recomputes = answer.recompute == Recompute::Layers;
  if (answer.recompute == Recompute::Selective)
    written.recomputedModules = listModules(answer.modules);
  for (const LayerCount &piece :
       splitLayers(answer.model.config, options.pp * answer.virtualStages))
    written.pieces.push_back(piece.getAll());
  answer.flags = describeFlags(framework, answer.model.config, written);
  answer.framework = getFrameworkRelease(framework, answer.model.config,
                                         options, answer.flags);
}

Result<MemoryAnswer> moe::planning::planMemory(MemoryInput &in) {
  Result<TrainingSettings> settings = readTraining(in);
  if (!settings)
    return settings.getFailure();
  MemoryAnswer answer;
  ImportOptions &options = settings->options;
  if (auto failure = in.routing.read(options))
    return *failure;
  if (auto failure = readRanks(in, options))
    return *failure;
  answer.degrees = getDegrees(options);
  answer.microBatch = options.microBatch;
  answer.sequenceParallel = options.sequenceParallel;
  answer.zero = settings->zero;
  answer.stateBytes = settings->stateBytes;
  if (in.job.job.seqLen.isSet())
    answer.seqLen = options.seqLen;
  else if (in.job.job.microBatch.isSet())
    return makeFailure("--micro-batch requires --seq-len");
  if (answer.seqLen && *answer.seqLen % answer.degrees.cp != 0)
    return makeFailure("--cp: expected a divisor of the sequence length " +
                       Twine(*answer.seqLen) + ", got " +
                       Twine(answer.degrees.cp));
  answer.model = std::move(settings->model);
  if (auto failure = checkDegrees(answer.model, answer.degrees))
    return *failure;

  const RecomputeSettings &recompute = settings->recompute;
  if (!recompute.recompute && !in.platform.isSet())
    return makeFailure("--recompute=auto requires --platform, whose memory "
                       "decides what is recomputed");
  std::vector<Recomputation> allowed = recompute.listAllowed();

  answer.notCounted = answer.model.notCounted;
  answer.notCounted.push_back("biases and the weights of norms");
  answer.notCounted.push_back(
      "communication buffers, fragmentation, what the framework holds");
  TrainingJob training{answer.degrees, answer.zero,
                       TrainingStep{answer.microBatch, /*seqLen=*/0,
                                    answer.sequenceParallel,
                                    allowed.front().recompute},
                       answer.stateBytes};
  std::optional<platform::Platform> machine;
  if (in.platform.isSet()) {
    Result<platform::Platform> loaded = in.platform.load();
    if (!loaded)
      return loaded.getFailure();
    if (!loaded->machine.memoryPerRank)
      return makeFailure("--platform: expected one that states "
                         "memory_per_rank_bytes, got " +
                         loaded->machine.name);
    machine = std::move(*loaded);
  }
  answer.quantization = settings->quantization;
  if (answer.quantization.isQuantized()) {
    const cost::QuantizedProducts *products = nullptr;
    if (machine && machine->rates.kernels)
      products =
          machine->rates.kernels->findQuantized(answer.quantization.precision);
    setQuantized(training, settings->quantization, products);
    if (!products)
      answer.notCounted.push_back(
          "fewer than two quantized copies of a weight, where a device's "
          "products need only one (--platform says)");
    if (answer.zero == ZeroStage::Parameters)
      answer.notCounted.push_back(
          "quantized weights of the layer at work, with --zero=3");
    if (answer.zero == ZeroStage::Parameters &&
        settings->quantization.keepsWeights)
      answer.notCounted.push_back(
          "what --fp8-param-gather saves with --zero=3, "
          "whose gathered weights count 16 bits");
  }
  training.sharesKeyValues = settings->preset == ParallelismPreset::Megatron;
  RankMemory memory = getRankMemory(answer.model, training);
  answer.states = memory.states;
  answer.atWork = memory.atWork;
  answer.quantizedWeights = memory.quantizedWeights;
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
    training.step.expertLoad = getRowsOverEven(options);
    for (auto &[option, value] :
         {std::pair(&in.virtualStages, &training.step.virtualStages),
          std::pair(&in.parts, &training.step.parts)}) {
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
    for (const Recomputation &one : allowed) {
      training.step.recompute = one.recompute;
      training.step.modules = one.modules;
      memory = getRankMemory(answer.model, training);
      if (machine &&
          memory.getBytes() <= machine->machine.memoryPerRank->value.value())
        break;
    }
    answer.states = memory.states;
    answer.atWork = memory.atWork;
    answer.quantizedWeights = memory.quantizedWeights;
    answer.partGradients = memory.partGradients;
    answer.stage = memory.activations;
    answer.stages = listStageMemory(answer.model, training);
    most = answer.getTotalBytes();
    if (!(most < 0x1p62))
      return tooLarge();
    bool isEven =
        in.routing.getWords().empty() ||
        (options.routing == moe::Routing::Dropless && !options.receiveFactor);
    if (double room = getRowRoom(answer.model.config, options);
        isEven && room > 1)
      answer.notCounted.push_back("rows of experts beyond an even gate's: a "
                                  "program that drops none has "
                                  "room for " +
                                  formatFixed(room, 2) +
                                  " times as many unless --receive-factor says "
                                  "less, and moe-sim's peak "
                                  "has these");
    if (answer.model.vocabulary == 0)
      answer.notCounted.push_back("logits: the config lacks vocab_size");
    if (machine) {
      MemoryVerdict verdict;
      verdict.platform = machine->machine.name;
      verdict.limitBytes = machine->machine.memoryPerRank->value.value();
      verdict.bytes = getRankBytes(answer.model, training);
      if (!verdict.fits())
        verdict.changes = findWhatFits(
            answer.model, training,
            {verdict.limitBytes, machine->machine.levels.front().ranks,
             machine->machine.getNumRanks(),
             settings->preset == ParallelismPreset::Megatron, recompute.sets,
             settings->preset != ParallelismPreset::Megatron});
      answer.verdict = std::move(verdict);
    }
  }
  if (!answer.stage)
    for (auto [given, name] :
         {std::pair(in.job.job.sequenceParallel.isSet(), "sequence-parallel"),
          std::pair(in.recompute.isSet(), "recompute"),
          std::pair(in.virtualStages.isSet(), "virtual-stages"),
          std::pair(in.parts.isSet(), "sub-batches"),
          std::pair(!in.routing.getWords().empty(), "routing"),
          std::pair(in.platform.isSet(), "platform")})
      if (given)
        return makeFailure(
            "--" + Twine(name) +
            " requires --seq-len and a config with num_attention_heads, from "
            "which activations are counted");
  answer.recompute = training.step.recompute;
  if (answer.recompute == Recompute::Selective)
    answer.modules = training.step.modules;
  writeFlags(in, options, settings->preset, answer);
  return answer;
}

//===----------------------------------------------------------------------===//
// The answer
//===----------------------------------------------------------------------===//

/// Name of a form in JSON and in the table.
StringRef moe::planning::getVariantName(ActivationForm form) {
  switch (form) {
  case ActivationForm::Unsharded:
    return "unsharded";
  case ActivationForm::TensorParallel:
    return "tensor_parallel";
  case ActivationForm::SequenceParallel:
    return "sequence_parallel";
  case ActivationForm::SelectiveRecompute:
    return "selective_recompute";
  case ActivationForm::FullRecompute:
    return "full_recompute";
  }
  llvm_unreachable("unknown form");
}

/// A share that is no whole number of bytes takes up one more.
static int64_t wholeBytes(double bytes) { return int64_t(std::ceil(bytes)); }

/// The parts of what a stage holds, by their names.
std::vector<std::pair<const char *, double>>
moe::planning::listParts(const StageActivations &stage) {
  return {{"attention", stage.attention},
          {"moe", stage.moe},
          {"dense", stage.dense},
          {"inputs", stage.inputs},
          {"working_set", stage.workingSet},
          {"logits", stage.logits}};
}

std::string moe::planning::getTitle(const MemoryAnswer &answer) {
  return "Memory of " + answer.model.config.modelType + " on a rank";
}

void moe::planning::printJSON(json::OStream &out, const MemoryAnswer &answer) {
  auto strings = [&](const std::vector<std::string> &values) {
    for (const std::string &value : values)
      out.value(value);
  };
  out.attribute("model_type", answer.model.config.modelType);
  out.attributeObject("parameters", [&] {
    for (const ParameterPart &part : answer.model.nonExpert) {
      std::string key = part.name;
      llvm::replace(key, ' ', '_');
      out.attribute(key, part.parameters);
    }
    out.attribute("non_moe", answer.model.getNonExpertParameters());
    out.attribute("moe", answer.model.expertParameters);
  });
  out.attributeObject("parallelism", [&] {
    out.attribute("tp", answer.degrees.tp);
    out.attribute("ep", answer.degrees.ep);
    out.attribute("dp", answer.degrees.dp);
    out.attribute("pp", answer.degrees.pp);
    out.attribute("zero", int(answer.zero));
    out.attribute("gradient_bytes", int64_t(answer.stateBytes.gradient));
    out.attribute("precision", answer.quantization.getName());
    out.attribute("cp", answer.degrees.cp);
    out.attribute("esp", answer.degrees.getExpertShards());
    out.attribute("fold_ep", answer.degrees.foldEp);
    out.attribute("ranks", answer.degrees.getNumRanks());
    out.attribute("non_moe_copies", answer.degrees.getOtherCopies());
    out.attribute("moe_copies", answer.degrees.getExpertCopies());
  });
  out.attributeObject("per_rank", [&] {
    out.attribute("non_moe_bytes", wholeBytes(answer.states.nonExpertBytes));
    out.attribute("moe_bytes", wholeBytes(answer.states.expertBytes));
    out.attribute("states_bytes", wholeBytes(answer.getStatesBytes()));
    for (auto [key, bytes] :
         {std::pair("quantized_weights_bytes", answer.quantizedWeights),
          {"gathered_weights_bytes", answer.atWork.weights},
          {"unsummed_gradients_bytes", answer.atWork.gradients}})
      if (bytes > 0)
        out.attribute(key, wholeBytes(bytes));
    if (answer.stage)
      out.attributeObject("as_configured", [&] {
        for (auto [name, bytes] : listParts(*answer.stage))
          out.attribute((Twine(name) + "_bytes").str(), wholeBytes(bytes));
        out.attribute("activation_bytes", wholeBytes(answer.stage->getTotal()));
        if (answer.recompute == Recompute::Selective)
          out.attributeArray("recompute_modules", [&] {
            for (StringRef name : listModules(answer.modules))
              out.value(name);
          });
        if (answer.partGradients > 0)
          out.attribute("part_gradients_bytes",
                        wholeBytes(answer.partGradients));
        out.attribute("total_bytes", wholeBytes(answer.getTotalBytes()));
      });
    if (!answer.stages.empty())
      out.attributeArray("stages", [&] {
        for (const RankMemory &stage : answer.stages)
          out.object([&] {
            out.attribute("states_bytes",
                          wholeBytes(stage.states.nonExpertBytes +
                                     stage.states.expertBytes));
            out.attribute("activation_bytes",
                          wholeBytes(stage.activations.getTotal()));
            out.attribute("total_bytes", wholeBytes(stage.getBytes()));
          });
      });
    for (auto &[form, activations] : answer.activations) {
      out.attributeObject(getVariantName(form), [&,
                                                 &activations = activations] {
        out.attribute("attention_bytes",
                      wholeBytes(activations.attentionBytes));
        out.attribute("scores_bytes", wholeBytes(activations.scoresBytes));
        out.attribute("experts_bytes", wholeBytes(activations.expertBytes));
        out.attribute("activation_bytes", wholeBytes(activations.getTotal()));
        out.attribute("total_bytes", wholeBytes(answer.getStatesBytes() +
                                                activations.getTotal()));
      });
    }
  });
  if (const std::optional<MemoryVerdict> &verdict = answer.verdict)
    out.attributeObject("verdict", [&] {
      out.attribute("platform", verdict->platform);
      out.attribute("memory_per_rank_bytes", wholeBytes(verdict->limitBytes));
      out.attribute("fits", verdict->fits());
      out.attributeArray("would_fit", [&] { strings(verdict->changes); });
    });
  if (!answer.flags.empty()) {
    out.attribute("flags", answer.flags);
    out.attribute("flags_of", answer.framework);
  }
  out.attributeArray("not_counted", [&] { strings(answer.notCounted); });
}
