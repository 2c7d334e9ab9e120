// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The answer of `memory` as JSON.

#include "Answers.h"
#include "moe/Planning/Memory.h"
#include "moe/Planning/RecomputeOptions.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::schedule;

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
