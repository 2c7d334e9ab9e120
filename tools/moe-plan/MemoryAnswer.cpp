// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What moe-plan memory prints.

#include "MemoryAnswer.h"
#include "RecomputeOptions.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::schedule;

/// Name of a form in JSON and in the table.
static StringRef getVariantName(ActivationForm form) {
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
static std::vector<std::pair<const char *, double>>
getParts(const StageActivations &stage) {
  return {{"attention", stage.attention},
          {"moe", stage.moe},
          {"dense", stage.dense},
          {"inputs", stage.inputs},
          {"working_set", stage.workingSet},
          {"logits", stage.logits}};
}

static std::string gigabytes(double bytes) {
  return formatFixed(bytes / 1e9, 3);
}

void moe::plan::printMemoryJSON(json::OStream &out,
                                const MemoryAnswer &answer) {
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
         {std::pair("gathered_weights_bytes", answer.atWork.weights),
          {"unsummed_gradients_bytes", answer.atWork.gradients}})
      if (bytes > 0)
        out.attribute(key, wholeBytes(bytes));
    if (answer.stage)
      out.attributeObject("as_configured", [&] {
        for (auto [name, bytes] : getParts(*answer.stage))
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

void moe::plan::printMemoryHead(raw_ostream &os, const MemoryAnswer &answer,
                                StringRef config) {
  const ModelConfig &modelConfig = answer.model.config;
  os << "model " << modelConfig.modelType << " of " << config << ": "
     << answer.model.numLayers << " layers, " << modelConfig.moeLayers.size()
     << " with " << modelConfig.numExperts << " experts, top-"
     << modelConfig.topK << ", hidden size " << modelConfig.hiddenSize
     << ", expert " << modelConfig.expertFFNSize << "\n\nsettings\n";
}

void moe::plan::printMemoryTables(raw_ostream &os, const MemoryAnswer &answer) {
  const ModelConfig &modelConfig = answer.model.config;
  os << "\nparameters of the model\n";
  Report parameters = makeList({false, true});
  for (const ParameterPart &part : answer.model.nonExpert)
    parameters.addRow({"  " + part.name, std::to_string(part.parameters)});
  parameters.addRow(
      {"  experts", std::to_string(answer.model.expertParameters)});
  parameters.printTable(os, /*withHeading=*/false);

  auto perParameter = [&](int64_t copies) {
    return formatFixed(
               getBytesPerParameter(answer.zero, copies, answer.stateBytes),
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
  if (answer.atWork.weights > 0)
    states.addRow({"  gathered beside them", gigabytes(answer.atWork.weights),
                   "weights of the layer at work and of the next"});
  if (answer.atWork.gradients > 0)
    states.addRow({"  not yet summed", gigabytes(answer.atWork.gradients),
                   "gradients of the layer at work"});
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
    rows.addRow({"  total", gigabytes(answer.getTotalBytes())});
    rows.printTable(os, /*withHeading=*/false);
    os << "  16-bit activations, attention without scores, "
       << modelConfig.getNumMatrices() << " matrices of an expert, "
       << (answer.sequenceParallel ? "with" : "without")
       << " sequence parallelism, recomputing "
       << describeRecompute(answer.recompute, answer.modules) << "\n";
  }
  if (!answer.activations.empty()) {
    os << "\nactivations of a rank, GB, and the total with the above\n";
    Report activations = makeList({false, true, true, true, true, true});
    activations.addRow({"", "attention", "scores", "experts", "sum", "total"});
    for (auto &[form, part] : answer.activations)
      activations.addRow(
          {("  " + getVariantName(form)).str(), gigabytes(part.attentionBytes),
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
  if (const std::optional<MemoryVerdict> &verdict = answer.verdict) {
    os << "\n"
       << (verdict->fits() ? "fits" : "does not fit") << ": "
       << gigabytes(verdict->bytes) << " GB of the "
       << gigabytes(verdict->limitBytes) << " GB that a rank of "
       << verdict->platform << " has\n";
    for (const std::string &change : verdict->changes)
      os << "  would fit with " << change << "\n";
    if (!verdict->fits() && verdict->changes.empty())
      os << "  no option of these would make it fit, alone or with another\n";
  }
  if (!answer.flags.empty())
    os << "\nflags of " << answer.framework << "\n  " << answer.flags << "\n";
}
