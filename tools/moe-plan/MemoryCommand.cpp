//===- MemoryCommand.cpp - moe-plan memory --------------------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "MemoryFit.h"
#include "moe/Support/TextFile.h"
#include "llvm/Support/JSON.h"
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
  cl::opt<std::string> config{"config", cl::desc("the model's config.json"),
                              cl::value_desc("FILE"), cl::sub(subCommand)};
  IntegerOption tp{"tp", "tensor-parallel ranks (default: 1)", subCommand};
  IntegerOption ep{"ep", "expert-parallel ranks (default: 1)", subCommand};
  IntegerOption dp{"dp",
                   "data-parallel ranks that hold the same experts "
                   "(default: 1)",
                   subCommand};
  IntegerOption pp{"pp", "pipeline stages (default: 1)", subCommand};
  IntegerOption zero{
      "zero", "stage of ZeRO, 0 to 3 (default: 0)", subCommand, {0, 3}};
  IntegerOption microBatch{"micro-batch",
                           "sequences a rank works on at a time (default: 1)",
                           subCommand};
  IntegerOption seqLen{"seq-len",
                       "tokens per sequence (default: none, and no "
                       "activations are counted)",
                       subCommand};
  IntegerOption virtualStages{"virtual-stages",
                              "pieces of the model that a pipeline stage "
                              "holds (default: 1)",
                              subCommand};
  IntegerOption parts{"parts",
                      "parts of a micro-batch that run beside each other "
                      "(default: 1)",
                      subCommand};
  cl::opt<bool> sequenceParallel{
      "sequence-parallel",
      cl::desc(
          "tensor-parallel ranks share what is as wide as the hidden size"),
      cl::sub(subCommand)};
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
  cl::opt<bool> json{"json", cl::desc("answer in JSON"), cl::sub(subCommand)};
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
  int64_t microBatch;
  std::optional<int64_t> seqLen;
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

static void printJSON(raw_ostream &os, const Answer &answer) {
  json::OStream out(os, /*IndentSize=*/2);
  auto strings = [&](const std::vector<std::string> &values) {
    for (const std::string &value : values)
      out.value(value);
  };
  out.object([&] {
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
      out.attribute("non_moe_copies", answer.degrees.dp * answer.degrees.ep);
      out.attribute("moe_copies", answer.degrees.dp);
    });
    out.attributeObject("per_rank", [&] {
      out.attribute("non_moe_bytes", wholeBytes(answer.states.nonExpertBytes));
      out.attribute("moe_bytes", wholeBytes(answer.states.expertBytes));
      out.attribute("states_bytes", wholeBytes(answer.getStatesBytes()));
      if (answer.stage)
        out.attributeObject("as_configured", [&] {
          for (auto [name, bytes] : getParts(*answer.stage))
            out.attribute((Twine(name) + "_bytes").str(), wholeBytes(bytes));
          out.attribute("activation_bytes",
                        wholeBytes(answer.stage->getTotal()));
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
  });
  os << "\n";
}

std::optional<Failure> MemoryCommand::run(raw_ostream &os) {
  if (config.getNumOccurrences() == 0)
    return failMissing("config");
  Answer answer;
  struct {
    const IntegerOption &option;
    int64_t *value;
    int64_t fallback;
  } integers[] = {{tp, &answer.degrees.tp, 1},
                  {ep, &answer.degrees.ep, 1},
                  {dp, &answer.degrees.dp, 1},
                  {pp, &answer.degrees.pp, 1},
                  {microBatch, &answer.microBatch, 1}};
  for (auto &[option, value, fallback] : integers) {
    Result<int64_t> read = option.read(fallback);
    if (!read)
      return read.getFailure();
    *value = *read;
  }
  Result<int64_t> stage = zero.read(0);
  if (!stage)
    return stage.getFailure();
  answer.zero = ZeroStage(*stage);
  if (seqLen.isSet()) {
    Result<int64_t> read = seqLen.read();
    if (!read)
      return read.getFailure();
    answer.seqLen = *read;
  } else if (microBatch.isSet()) {
    return makeFailure("--micro-batch: expected --seq-len beside it, got none");
  }

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

  answer.states = getModelStates(double(answer.model.getNonExpertParameters()),
                                 double(answer.model.expertParameters),
                                 answer.degrees, answer.zero);
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
    TrainingJob job{answer.degrees, answer.zero,
                    TrainingStep{answer.microBatch, *answer.seqLen,
                                 sequenceParallel, recompute}};
    for (auto &[option, value] :
         {std::pair(&virtualStages, &job.step.virtualStages),
          std::pair(&parts, &job.step.parts)}) {
      Result<int64_t> read = option->read(1);
      if (!read)
        return read.getFailure();
      *value = *read;
    }
    if (job.step.virtualStages > 1 && answer.degrees.pp == 1)
      return makeFailure("--virtual-stages: expected --pp of at least 2 beside "
                         "it, got 1");
    int64_t stageLayers = answer.model.numLayers / answer.degrees.pp;
    if (stageLayers % job.step.virtualStages != 0)
      return makeFailure("--virtual-stages: expected a divisor of the " +
                         Twine(stageLayers) + " layers of a stage, got " +
                         Twine(job.step.virtualStages));
    if (answer.microBatch % job.step.parts != 0)
      return makeFailure(
          "--parts: expected a divisor of the " + Twine(answer.microBatch) +
          " sequences of a micro-batch, got " + Twine(job.step.parts));
    answer.partGradients = getPartGradients(answer.model, job);
    answer.stage =
        getStageActivations(getShape(answer.model), job.degrees, job.step);
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
      verdict.bytes = getRankBytes(answer.model, job);
      if (!verdict.fits())
        verdict.changes = findWhatFits(answer.model, job, verdict.limitBytes);
      answer.verdict = std::move(verdict);
    }
  }
  if (!answer.stage)
    for (auto [given, name] :
         {std::pair(sequenceParallel.getNumOccurrences() > 0,
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
  if (json) {
    printJSON(os, answer);
    return std::nullopt;
  }

  const ModelConfig &modelConfig = answer.model.config;
  os << "model " << modelConfig.modelType << " of " << config << ": "
     << answer.model.numLayers << " layers, " << modelConfig.moeLayers.size()
     << " with " << modelConfig.numExperts << " experts, top-"
     << modelConfig.topK << ", hidden size " << modelConfig.hiddenSize
     << ", expert " << modelConfig.expertFFNSize << "\n\nsettings\n";
  Report settings = makeList({false, true, false});
  addSetting(settings, tp, answer.degrees.tp, "ranks");
  addSetting(settings, ep, answer.degrees.ep, "ranks");
  addSetting(settings, dp, answer.degrees.dp,
             "ranks that hold the same experts");
  addSetting(settings, pp, answer.degrees.pp, "stages");
  addSetting(settings, zero, int64_t(answer.zero), "stage");
  if (answer.seqLen) {
    addSetting(settings, microBatch, answer.microBatch, "sequences");
    addSetting(settings, seqLen, *answer.seqLen, "tokens");
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
    return formatFixed(getBytesPerParameter(answer.zero, copies), 3) +
           " bytes a parameter, " + std::to_string(copies) +
           (copies == 1 ? " copy" : " copies");
  };
  os << "\nweights, gradients and optimizer of a rank, GB (1e9 bytes)\n";
  Report states = makeList({false, true, false});
  states.addRow({"  outside of experts",
                 gigabytes(answer.states.nonExpertBytes),
                 perParameter(answer.degrees.dp * answer.degrees.ep)});
  states.addRow({"  experts", gigabytes(answer.states.expertBytes),
                 perParameter(answer.degrees.dp)});
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
       << (sequenceParallel ? "with" : "without")
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
