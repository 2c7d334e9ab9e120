//===- MemoryCommand.cpp - moe-plan memory --------------------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "ConfigJob.h"
#include "MemoryFit.h"
#include "moe/Support/TextFile.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::schedule;

namespace {

class MemoryCommand : public Command {
public:
  MemoryCommand()
      : Command("memory", "what training a model holds on each rank, in bytes "
                          "by part (Adam, 16-bit weights)") {}
  std::optional<Failure> run(raw_ostream &os) override;

private:
  /// Without --seq-len no activations are counted.
  ConfigJob job{subCommand,
                {JobOptions::Missing::One, JobOptions::Missing::One}};
  IntegerOption zero{"zero",
                     "stage of ZeRO, 0 to 3 (default: 0; 1 with "
                     "--parallelism=megatron, 3 with torchtitan)",
                     subCommand,
                     {0, 3}};
  IntegerOption optimizerBytes{
      "optimizer-bytes",
      "bytes of the optimizer's state for a parameter (default: 12, a 32-bit "
      "weight and two 32-bit moments; 8 with 16-bit moments)",
      subCommand,
      {0, 64}};
  IntegerOption virtualStages{"virtual-stages",
                              "pieces of the model that a pipeline stage "
                              "holds (default: 1)",
                              subCommand};
  IntegerOption parts{"parts",
                      "parts of a micro-batch that run beside each other "
                      "(default: 1)",
                      subCommand};
  cl::opt<Recompute> recompute{
      "recompute", cl::init(Recompute::Nothing),
      cl::desc("what is computed again in the backward pass"),
      cl::values(
          clEnumValN(Recompute::Nothing, "none", "nothing (default)"),
          clEnumValN(Recompute::Layers, "full", "layers, from their inputs")),
      cl::sub(subCommand)};
  MachineOptions platform{"a platform's file, or the name of one that ships: "
                          "whether the job fits its ranks",
                          cl::sub(subCommand)};
  AnswerOptions answers{subCommand};
};

/// Whether a job fits the ranks of a platform.
struct Verdict {
  std::string platform;
  double limitBytes, bytes;
  /// What would make it fit.
  std::vector<std::string> changes;

  bool fits() const { return bytes <= limitBytes; }
};

/// All that is printed, in either form.
struct Answer {
  ModelSize model;
  ParallelDegrees degrees;
  ZeroStage zero;
  double optimizerBytes;
  int64_t microBatch;
  std::optional<int64_t> seqLen;
  bool sequenceParallel;
  ModelStates states;
  /// As the config and the options have them; not set without activations.
  std::optional<StageActivations> stage;
  /// Beside them.
  double partGradients = 0;
  std::optional<Verdict> verdict;
  /// One of each form, empty when activations are not counted.
  std::vector<std::pair<ActivationForm, Activations>> activations;
  std::vector<std::string> notCounted;

  double getStatesBytes() const {
    return states.nonExpertBytes + states.expertBytes;
  }
};

} // namespace

/// Name of a form in JSON and in the table.
static StringRef getFormName(ActivationForm form) {
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
  // Stages of unequal numbers of layers have no one memory of a rank.
  return checkDivides("pp", degrees.pp, "number of layers", model.numLayers);
}

/// The parts of what a stage holds, by their names.
static std::vector<std::pair<const char *, double>>
getParts(const StageActivations &stage) {
  return {{"attention", stage.attention},
          {"moe", stage.moe},
          {"dense", stage.dense},
          {"inputs", stage.inputs},
          {"working_set", stage.workingSet},
          {"logits", stage.logits}};
}

static void printJSON(json::OStream &out, const Answer &answer) {
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
    if (answer.stage)
      out.attributeObject("as_configured", [&] {
        for (auto [name, bytes] : getParts(*answer.stage))
          out.attribute((Twine(name) + "_bytes").str(), wholeBytes(bytes));
        out.attribute("activation_bytes", wholeBytes(answer.stage->getTotal()));
        if (answer.partGradients > 0)
          out.attribute("part_gradients_bytes",
                        wholeBytes(answer.partGradients));
        out.attribute("total_bytes", wholeBytes(answer.getStatesBytes() +
                                                answer.stage->getTotal() +
                                                answer.partGradients));
      });
    for (auto &[form, activations] : answer.activations) {
      out.attributeObject(getFormName(form), [&, &activations = activations] {
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
  if (const std::optional<Verdict> &verdict = answer.verdict)
    out.attributeObject("verdict", [&] {
      out.attribute("platform", verdict->platform);
      out.attribute("memory_per_rank_bytes", wholeBytes(verdict->limitBytes));
      out.attribute("fits", verdict->fits());
      out.attributeArray("would_fit", [&] { strings(verdict->changes); });
    });
  out.attributeArray("not_counted", [&] { strings(answer.notCounted); });
}

std::optional<Failure> MemoryCommand::run(raw_ostream &os) {
  if (!job.isSet())
    return failMissing("config");
  Answer answer;
  ImportOptions options;
  if (auto failure = job.job.read(options))
    return failure;
  if (options.elements == ElementKind::F32)
    return makeFailure("--dtype: expected bf16 or f16, as weights and "
                       "activations are counted, got 'f32'");
  answer.degrees = getDegrees(options);
  answer.microBatch = options.microBatch;
  answer.sequenceParallel = options.sequenceParallel;
  Result<ParallelismPreset> preset = job.job.readPreset();
  if (!preset)
    return preset.getFailure();
  Result<int64_t> stage =
      zero.read(*preset == ParallelismPreset::Megatron     ? 1
                : *preset == ParallelismPreset::TorchTitan ? 3
                                                           : 0);
  if (!stage)
    return stage.getFailure();
  answer.zero = ZeroStage(*stage);
  Result<int64_t> optimizer = optimizerBytes.read(int64_t(kAdamBytes));
  if (!optimizer)
    return optimizer.getFailure();
  answer.optimizerBytes = double(*optimizer);
  if (job.job.seqLen.isSet())
    answer.seqLen = options.seqLen;
  else if (job.job.microBatch.isSet())
    return makeFailure("--micro-batch: expected --seq-len beside it, got none");
  if (answer.seqLen && *answer.seqLen % answer.degrees.cp != 0)
    return makeFailure("--cp: expected a divisor of the sequence length " +
                       Twine(*answer.seqLen) + ", got " +
                       Twine(answer.degrees.cp));
  const std::string &config = job.getFile();

  Result<std::string> text =
      moe::support::readTextFile(config, "a model's config");
  if (!text)
    return text.getFailure();
  Expected<ModelSize> model = readModelSize(*text, config);
  if (!model)
    return Failure{toString(model.takeError())};
  answer.model = std::move(*model);
  if (auto failure = checkDegrees(answer.model, answer.degrees))
    return failure;

  answer.states =
      getModelStates(double(answer.model.getNonExpertParameters()),
                     double(answer.model.expertParameters), answer.degrees,
                     answer.zero, answer.optimizerBytes);
  answer.notCounted = answer.model.notCounted;
  answer.notCounted.push_back("biases and the weights of norms");
  answer.notCounted.push_back(
      "communication buffers, fragmentation, what the framework holds");
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
    if (!(most < 0x1p62))
      return makeFailure("--seq-len: expected sizes that make fewer than 2^62 "
                         "bytes in all, got --seq-len " +
                         Twine(*answer.seqLen) + " with --micro-batch " +
                         Twine(answer.microBatch));
    TrainingJob training{answer.degrees, answer.zero,
                         TrainingStep{answer.microBatch, *answer.seqLen,
                                      answer.sequenceParallel, recompute},
                         answer.optimizerBytes};
    for (auto &[option, value] :
         {std::pair(&virtualStages, &training.step.virtualStages),
          std::pair(&parts, &training.step.parts)}) {
      Result<int64_t> read = option->read(1);
      if (!read)
        return read.getFailure();
      *value = *read;
    }
    if (training.step.virtualStages > 1 && answer.degrees.pp == 1)
      return makeFailure("--virtual-stages: expected --pp of at least 2 beside "
                         "it, got 1");
    int64_t stageLayers = answer.model.numLayers / answer.degrees.pp;
    if (stageLayers % training.step.virtualStages != 0)
      return makeFailure("--virtual-stages: expected a divisor of the " +
                         Twine(stageLayers) + " layers of a stage, got " +
                         Twine(training.step.virtualStages));
    if (answer.microBatch % training.step.parts != 0)
      return makeFailure(
          "--parts: expected a divisor of the " + Twine(answer.microBatch) +
          " sequences of a micro-batch, got " + Twine(training.step.parts));
    answer.partGradients = getPartGradients(answer.model, training);
    answer.stage = getStageActivations(getShape(answer.model), training.degrees,
                                       training.step);
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
      Verdict verdict;
      verdict.platform = machine->machine.name;
      verdict.limitBytes = machine->machine.memoryPerRank->value.value();
      verdict.bytes = getRankBytes(answer.model, training);
      if (!verdict.fits())
        verdict.changes =
            findWhatFits(answer.model, training, verdict.limitBytes);
      answer.verdict = std::move(verdict);
    }
  }
  if (!answer.stage)
    for (auto [given, name] :
         {std::pair(job.job.sequenceParallel.getNumOccurrences() > 0,
                    "sequence-parallel"),
          std::pair(recompute.getNumOccurrences() > 0, "recompute"),
          std::pair(virtualStages.isSet(), "virtual-stages"),
          std::pair(parts.isSet(), "parts"),
          std::pair(platform.isSet(), "platform")})
      if (given)
        return makeFailure("--" + Twine(name) +
                           ": expected activations to be "
                           "counted, which need --seq-len and a config with "
                           "attention heads");
  Result<bool> isAnswered = answers.answer(
      os, "Memory of " + answer.model.config.modelType + " on a rank",
      [&](json::OStream &out) { printJSON(out, answer); });
  if (!isAnswered)
    return isAnswered.getFailure();
  if (*isAnswered)
    return std::nullopt;

  const ModelConfig &modelConfig = answer.model.config;
  os << "model " << modelConfig.modelType << " of " << config << ": "
     << answer.model.numLayers << " layers, " << modelConfig.moeLayers.size()
     << " with " << modelConfig.numExperts << " experts, top-"
     << modelConfig.topK << ", hidden size " << modelConfig.hiddenSize
     << ", expert " << modelConfig.expertFFNSize << "\n\nsettings\n";
  Report settings = makeList({false, true, false});
  const JobOptions &given = job.job;
  addSetting(settings, given.tp, answer.degrees.tp, "ranks");
  addSetting(settings, given.ep, answer.degrees.ep,
             answer.degrees.foldEp ? "ranks, folded" : "ranks");
  addSetting(settings, given.dp, answer.degrees.dp,
             "ranks that hold the same experts");
  addSetting(settings, given.pp, answer.degrees.pp, "stages");
  if (answer.degrees.cp > 1)
    addSetting(settings, given.cp, answer.degrees.cp, "ranks of a sequence");
  if (answer.degrees.getExpertShards() != answer.degrees.tp)
    addSetting(settings, given.esp, answer.degrees.getExpertShards(),
               "ranks of an expert");
  addSetting(settings, zero, int64_t(answer.zero), "stage");
  if (optimizerBytes.isSet())
    addSetting(settings, optimizerBytes, int64_t(answer.optimizerBytes),
               "bytes");
  if (answer.seqLen) {
    addSetting(settings, given.microBatch, answer.microBatch, "sequences");
    addSetting(settings, given.seqLen, *answer.seqLen, "tokens");
  }
  settings.printTable(os, /*withHeading=*/false);

  os << "\nparameters of the model\n";
  Report parameters = makeList({false, true});
  for (const ParameterPart &part : answer.model.nonExpert)
    parameters.addRow({"  " + part.name, std::to_string(part.parameters)});
  parameters.addRow(
      {"  experts", std::to_string(answer.model.expertParameters)});
  parameters.printTable(os, /*withHeading=*/false);

  auto gigabytes = [](double bytes) { return formatFixed(bytes / 1e9, 3); };
  auto perParameter = [&](int64_t copies) {
    return formatFixed(
               getBytesPerParameter(answer.zero, copies, answer.optimizerBytes),
               3) +
           " bytes a parameter, " + std::to_string(copies) +
           (copies == 1 ? " copy" : " copies");
  };
  os << "\nweights, gradients and optimizer of a rank, GB (1e9 bytes)\n";
  Report states = makeList({false, true, false});
  states.addRow({"  outside of experts",
                 gigabytes(answer.states.nonExpertBytes),
                 perParameter(answer.degrees.getOtherCopies())});
  states.addRow({"  experts", gigabytes(answer.states.expertBytes),
                 perParameter(answer.degrees.getExpertCopies())});
  states.addRow({"  together", gigabytes(answer.getStatesBytes()), ""});
  states.printTable(os, /*withHeading=*/false);

  if (answer.stage) {
    os << "\nactivations of the fullest rank as the config has them, GB, and "
          "the total with the above\n";
    Report rows = makeList({false, true});
    for (auto [name, bytes] : getParts(*answer.stage))
      if (bytes > 0) {
        std::string words = name;
        llvm::replace(words, '_', ' ');
        rows.addRow({"  " + words, gigabytes(bytes)});
      }
    rows.addRow({"  together", gigabytes(answer.stage->getTotal())});
    if (answer.partGradients > 0)
      rows.addRow({"  gradients that wait for other parts",
                   gigabytes(answer.partGradients)});
    rows.addRow({"  total",
                 gigabytes(answer.getStatesBytes() + answer.stage->getTotal() +
                           answer.partGradients)});
    rows.printTable(os, /*withHeading=*/false);
    os << "  16-bit activations, attention without scores, "
       << modelConfig.getNumMatrices() << " matrices of an expert, "
       << (answer.sequenceParallel ? "with" : "without")
       << " sequence parallelism, recomputing "
       << (recompute == Recompute::Layers ? "all" : "nothing") << "\n";
  }
  if (const std::optional<Verdict> &verdict = answer.verdict) {
    os << "\n"
       << (verdict->fits() ? "fits" : "does not fit") << ": "
       << gigabytes(verdict->bytes) << " GB of the "
       << gigabytes(verdict->limitBytes) << " GB that a rank of "
       << verdict->platform << " has\n";
    for (const std::string &change : verdict->changes)
      os << "  would fit with " << change << "\n";
    if (!verdict->fits() && verdict->changes.empty())
      os << "  no option of these alone would make it fit\n";
  }
  if (!answer.activations.empty()) {
    os << "\nactivations of a rank, GB, and the total with the above\n";
    Report activations = makeList({false, true, true, true, true, true});
    activations.addRow({"", "attention", "scores", "experts", "sum", "total"});
    for (auto &[form, part] : answer.activations)
      activations.addRow(
          {("  " + getFormName(form)).str(), gigabytes(part.attentionBytes),
           gigabytes(part.scoresBytes), gigabytes(part.expertBytes),
           gigabytes(part.getTotal()),
           gigabytes(answer.getStatesBytes() + part.getTotal())});
    activations.printTable(os, /*withHeading=*/false);
    os << "  MoNTA's eq. (2): 16-bit activations of layers alike, experts of "
          "two matrices and\n  hidden size 4*"
       << modelConfig.hiddenSize << "; first pipeline stage, balanced routing; "
       << "`unsharded` is the model on one rank\n";
  }
  os << "\nnot counted\n";
  for (const std::string &what : answer.notCounted)
    os << "  " << what << "\n";
  return std::nullopt;
}

std::unique_ptr<Command> moe::plan::createMemoryCommand() {
  return std::make_unique<MemoryCommand>();
}
