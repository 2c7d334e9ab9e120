// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory that training needs per rank.

#include "moe/Planning/Memory.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Planning/Answers.h"
#include "moe/Planning/JobFlags.h"
#include "moe/Planning/NotModelled.h"
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

/// Derives `dp` from the total number of ranks in `--ranks`.
static std::optional<Failure> readRanks(MemoryInput &in,
                                        ImportOptions &options) {
  if (!in.ranks.isSet())
    return std::nullopt;
  if (in.job.job.dp.isSet())
    return makeFailure("--ranks is not supported with --dp");
  Result<int64_t> number = in.ranks.read();
  if (!number)
    return number.getFailure();
  // Count the ranks of one copy. Later checks report impossible degrees.
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

/// Loads the platform whose memory must hold the job, if one is given.
static Result<std::optional<platform::Platform>>
loadPlatform(const MemoryInput &in) {
  if (!in.platform.isSet()) {
    if (in.memoryGB.isSet())
      return makeFailure("--memory-gb requires --platform, whose nodes decide "
                         "what would fit");
    return std::optional<platform::Platform>();
  }
  Result<platform::Platform> loaded = in.platform.load();
  if (!loaded)
    return loaded.getFailure();
  if (!loaded->machine.memoryPerRank && !in.memoryGB.isSet())
    return makeFailure("--platform: expected one that states "
                       "memory_per_rank_bytes, got " +
                       loaded->machine.name);
  return std::optional<platform::Platform>(std::move(*loaded));
}

/// Rejects options that apply only to activations.
static std::optional<Failure> checkCounted(const MemoryInput &in) {
  for (auto [given, name] :
       {std::pair(in.job.job.sequenceParallel.isSet(), "sequence-parallel"),
        std::pair(in.recompute.isSet(), "recompute"),
        std::pair(in.virtualStages.isSet(), "virtual-stages"),
        std::pair(in.pipelineLayout.isSet(), "pipeline-layout"),
        std::pair(in.overlap.isSet(), "overlap"),
        std::pair(in.parts.isSet(), "sub-batches"),
        std::pair(in.microBatches.isSet(), "num-micro-batches"),
        std::pair(in.globalBatch.isSet(), "global-batch"),
        std::pair(!in.load.getWords().empty(), "routing"),
        std::pair(in.platform.isSet(), "platform")})
    if (given)
      return makeFailure("--" + Twine(name) +
                         " requires --seq-len and a config with "
                         "num_attention_heads, from which activations are "
                         "counted");
  return std::nullopt;
}

/// Cuts the job into pieces, finds its recomputation, and counts activations.
static std::optional<Failure> countActivations(const MemoryInput &in,
                                               const SweepQuestion &question,
                                               SweepLayout &layout,
                                               MemoryAnswer &answer) {
  const ModelConfig &config = answer.model.config;
  ActivationSizes sizes{answer.microBatch, *answer.seqLen,
                        config.hiddenSize, answer.model.numLayers,
                        config.topK,       config.attention->heads};
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
  int64_t layers = answer.model.numLayers / answer.degrees.pp;
  if (layout.virtualStages > 1 && answer.degrees.pp == 1)
    return makeFailure("--virtual-stages requires --pp of at least 2, got 1");
  if (layout.virtualStages > layers && question.pipelineLayout.empty())
    return makeFailure("--virtual-stages: expected at most the " +
                       Twine(layers) + " layers of a stage, got " +
                       Twine(layout.virtualStages));
  if (answer.microBatch % question.subBatches != 0)
    return makeFailure(
        "--sub-batches: expected a divisor of the " + Twine(answer.microBatch) +
        " sequences of a micro-batch, got " + Twine(question.subBatches));
  if (question.ways.overlaps.size() > 1)
    return makeFailure("--overlap: expected one overlap, whose memory is "
                       "counted, got " +
                       Twine(question.ways.overlaps.size()));
  if (std::string problem = cutLayout(question, layout, /*mayLackBatch=*/true);
      !problem.empty())
    return makeFailure(problem);
  answer.virtualStages = layout.getStep().virtualStages;
  if (question.statesBatch)
    answer.microBatches = layout.microBatches;
  bool fits = fitLayout(question, layout);
  TrainingJob job = getTrainingJob(question, layout);
  answer.setMemory(getRankMemory(answer.model, job));
  answer.stages = listStageMemory(answer.model, job);
  if (!(answer.getTotalBytes() < 0x1p62))
    return tooLarge();
  if (!in.platform.isSet())
    return std::nullopt;
  MemoryVerdict verdict;
  verdict.platform = question.machine;
  verdict.limitBytes = *question.memory;
  verdict.bytes = layout.bytes;
  // Other numbers of stages have other pieces, unless the pieces are stated.
  if (question.pipelineLayout.empty())
    job.pieces.clear();
  bool isMegatron = question.preset == ParallelismPreset::Megatron;
  if (!fits)
    verdict.changes =
        findWhatFits(answer.model, job,
                     {verdict.limitBytes, question.nodeRanks, question.ranks,
                      isMegatron, question.recompute.sets, !isMegatron});
  answer.verdict = std::move(verdict);
  return std::nullopt;
}

void MemoryAnswer::setMemory(const RankMemory &memory) {
  states = memory.states;
  atWork = memory.atWork;
  quantizedWeights = memory.quantizedWeights;
  partGradients = memory.partGradients;
  stage = memory.activations;
}

Result<MemoryAnswer> moe::planning::planMemory(MemoryInput &in) {
  Result<std::optional<platform::Platform>> platform = loadPlatform(in);
  if (!platform)
    return platform.getFailure();
  Result<SweepQuestion> question =
      readQuestion(in, *platform ? &**platform : nullptr);
  if (!question)
    return question.getFailure();
  if (*platform)
    question->ranks = (*platform)->machine.getNumRanks();
  Result<int64_t> parts = in.parts.read(1);
  if (!parts)
    return parts.getFailure();
  question->subBatches = *parts;
  SweepLayout layout;
  layout.options = question->sizes;
  layout.virtualStages = question->virtualStages.front();
  ImportOptions &options = layout.options;
  if (auto failure = readRanks(in, options))
    return *failure;
  MemoryAnswer answer;
  answer.degrees = getDegrees(options);
  answer.microBatch = options.microBatch;
  answer.sequenceParallel = options.sequenceParallel;
  answer.zero = question->zero;
  answer.stateBytes = question->stateBytes;
  answer.quantization = question->quantization;
  answer.mtpLayers = question->mtpLayers;
  if (in.job.job.seqLen.isSet())
    answer.seqLen = options.seqLen;
  else if (in.job.job.microBatch.isSet())
    return makeFailure("--micro-batch requires --seq-len");
  else
    options.seqLen = 0;
  if (answer.seqLen && *answer.seqLen % answer.degrees.cp != 0)
    return makeFailure("--cp: expected a divisor of the sequence length " +
                       Twine(*answer.seqLen) + ", got " +
                       Twine(answer.degrees.cp));
  answer.model = question->model;
  if (auto failure = checkDegrees(answer.model, answer.degrees))
    return *failure;
  if (!question->recompute.recompute && !question->memory)
    return makeFailure("--recompute=auto requires --platform, whose memory "
                       "decides what is recomputed");
  layout.pieces = splitLayers(answer.model.config, options.pp);
  answer.setMemory(
      getRankMemory(answer.model, getTrainingJob(*question, layout)));
  bool counts = answer.seqLen && answer.model.config.attention;
  if (!counts) {
    answer.stage.reset();
    if (auto failure = checkCounted(in))
      return *failure;
  } else if (auto failure = countActivations(in, *question, layout, answer)) {
    return *failure;
  }
  answer.recompute = layout.recompute;
  if (answer.recompute == Recompute::Selective)
    answer.modules = layout.modules;
  answer.pieces = layout.pieces;
  estimate::Job job = getEstimateJob(*question, layout);
  answer.notCounted =
      listNotModelled(LimitOf::Memory, {*question, layout, job,
                                        *platform ? &**platform : nullptr});
  if (ParallelismPreset framework = in.flags.get(question->preset);
      framework != ParallelismPreset::None) {
    JobFlags written = writeJobFlags(framework, answer.model.config,
                                     getFrameworkJob(*question, layout));
    answer.flags = written.flags;
    answer.framework = written.framework;
  }
  return answer;
}

//===----------------------------------------------------------------------===//
// The answer
//===----------------------------------------------------------------------===//

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

/// Rounds up, because a fractional share occupies one more byte.
static int64_t wholeBytes(double bytes) { return int64_t(std::ceil(bytes)); }

std::vector<std::pair<const char *, double>>
moe::planning::listParts(const StageActivations &stage) {
  return {{"attention", stage.attention},
          {"moe", stage.moe},
          {"dense", stage.dense},
          {"inputs", stage.inputs},
          {"working_set", stage.workingSet},
          {"logits", stage.logits}};
}

std::vector<std::pair<StringRef, double>>
moe::planning::listFurtherBytes(const RankMemory &memory) {
  std::vector<std::pair<StringRef, double>> further = {
      {"quantized_weights", memory.quantizedWeights},
      {"gathered_weights", memory.atWork.weights},
      {"unsummed_gradients", memory.atWork.gradients},
      {"part_gradients", memory.partGradients}};
  llvm::erase_if(further, [](const auto &part) { return part.second <= 0; });
  return further;
}

void moe::planning::printStages(json::OStream &out,
                                ArrayRef<RankMemory> stages) {
  out.attributeArray("stages", [&] {
    for (const RankMemory &stage : stages)
      out.object([&] {
        out.attribute("states_bytes", wholeBytes(stage.states.nonExpertBytes +
                                                 stage.states.expertBytes));
        for (auto [key, bytes] : listFurtherBytes(stage))
          out.attribute((Twine(key) + "_bytes").str(), wholeBytes(bytes));
        out.attribute("activation_bytes",
                      wholeBytes(stage.activations.getTotal()));
        out.attribute("total_bytes", wholeBytes(stage.getBytes()));
      });
  });
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
    if (answer.microBatches)
      out.attribute("micro_batches", *answer.microBatches);
    if (answer.mtpLayers > 0)
      out.attribute("mtp_layers", answer.mtpLayers);
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
      printStages(out, answer.stages);
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
