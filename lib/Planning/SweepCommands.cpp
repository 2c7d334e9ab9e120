// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands and flags for a layout of a sweep, and their limits, as text.

#include "moe/Cost/FormatNumber.h"
#include "moe/Planning/Answers.h"
#include "moe/Planning/Sweep.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::schedule;

/// Returns the command that predicts a single layout.
static std::string describeStep(const SweepAnswer &answer,
                                const RankedLayout &entry) {
  const ImportOptions &options = entry.layout.options;
  const SweepQuestion &question = answer.question;
  std::string text = answer.stepWords;
  auto add = [&](StringRef name, const Twine &value) {
    text += (" --" + name + "=" + value).str();
  };
  add("micro-batch", Twine(options.microBatch));
  if (entry.layout.virtualStages > 1 && question.pipelineLayout.empty())
    add("virtual-stages", Twine(entry.layout.virtualStages));
  for (auto [name, degree] : {std::pair("dp", options.dp),
                              {"pp", options.pp},
                              {"cp", options.cp},
                              {"ep", options.ep},
                              {"tp", options.tp}})
    if (degree > 1)
      add(name, Twine(degree));
  if (options.esp)
    add("esp", Twine(*options.esp));
  auto addFlag = [&](StringRef name, bool value) {
    add(name, value ? "true" : "false");
  };
  if (options.tp * options.cp > 1)
    addFlag("fold-ep", options.foldEp);
  if (options.tp > 1)
    addFlag("sequence-parallel", options.sequenceParallel);
  if (options.pp > 1)
    addFlag("stages-outermost", options.stagesOutermost.value_or(false));
  if (entry.layout.microBatches > 1)
    add("num-micro-batches", Twine(entry.layout.microBatches));
  if (entry.layout.recompute != Recompute::Nothing)
    add("recompute", getRecomputeName(entry.layout.recompute));
  if (entry.layout.recompute == Recompute::Selective)
    add("recompute-modules", join(listModules(entry.layout.modules), ","));
  const StepAlternative &best = entry.choice->getBest();
  add("dispatcher", best.dispatcher);
  if (best.dispatcher != "all-to-all")
    add("dispatcher-sms", Twine(answer.question.ways.dispatcherSms));
  if (best.overlap != estimate::Overlap::None)
    add("overlap", estimate::getName(best.overlap));
  return text;
}

std::string SweepAnswer::describeCommands(const RankedLayout &entry) const {
  if (entry.choice)
    return describeStep(*this, entry);
  const SweepLayout &layout = entry.layout;
  const ImportOptions &options = layout.options;
  std::string text = trafficCommand;
  if (!text.empty())
    text += " &&\n";
  text += "moe-translate --import-hf-config " + config;
  if (!configMap.empty())
    text += " --config-map " + configMap;
  for (const std::string &key : ignoredKeys)
    text += " --ignore-key " + key;
  for (auto [name, degree] : {std::pair("dp", options.dp),
                              {"pp", options.pp},
                              {"cp", options.cp},
                              {"ep", options.ep},
                              {"tp", options.tp},
                              {"micro-batch", options.microBatch},
                              {"seq-len", options.seqLen}})
    if (degree > 1 || StringRef(name) == "ep" || StringRef(name) == "tp" ||
        StringRef(name) == "micro-batch" || StringRef(name) == "seq-len")
      text += " --" + std::string(name) + " " + std::to_string(degree);
  if (options.pp > 1 && options.stagesOutermost.value_or(false))
    text += " --stages-outermost";
  if (options.esp)
    text += " --esp " + std::to_string(*options.esp);
  if (options.foldEp)
    text += " --fold-ep";
  if (options.sequenceParallel)
    text += " --sequence-parallel";
  if (options.elements == ElementKind::F16)
    text += " --dtype f16";
  text += routingWords;
  if (!areAlike(layout.pieces)) {
    LayerCount most;
    for (int64_t stage = 0; stage < options.pp; ++stage) {
      LayerCount count = countOfStage(layout.pieces, options.pp, stage);
      if (std::pair(count.getAll(), count.moe) >
          std::pair(most.getAll(), most.moe))
        most = count;
    }
    text += " --stage-layers " + std::to_string(most.moe);
    if (most.dense)
      text += "+" + std::to_string(most.dense);
  } else if (options.numLayers) {
    text += " --layers " + std::to_string(*options.numLayers);
  }
  text += " --phase train |\n  moe-opt --moe-compile=\"to=schedule platform=" +
          platform;
  if (!traffic.empty())
    text += " traffic=" + traffic;
  if (schedule != ScheduleChoice::Layers)
    text += " schedule=" + getEnumName(schedule).str();
  if (ignoresFitted)
    text += " ignore-fitted";
  text += "\" | moe-sim -";
  if (ignoresFitted)
    text += " --ignore-fitted";
  if (options.pp > 1 || layout.microBatches > 1)
    text += " --num-micro-batches " + std::to_string(layout.microBatches);
  if (int64_t pieces = layout.getStep().virtualStages; pieces > 1)
    text += " --virtual-stages " + std::to_string(pieces);
  return text;
}

JobFlags SweepAnswer::writeFlags(const RankedLayout &entry) const {
  const SweepLayout &layout = entry.layout;
  FrameworkJob job;
  if (entry.choice) {
    job = getTimedFrameworkJob(question, layout,
                               entry.choice->getBest().dispatcher);
  } else {
    job = getFrameworkJob(question, layout);
    job.microBatches = layout.microBatches;
    // Megatron supports capacities only with its all-to-all.
    bool isRagged = layout.options.routing == Routing::Dropless;
    if (entry.compiled->onceANode && isRagged)
      job.dispatcher = "deepep";
    job.hidesSums = entry.compiled->hidesSums;
  }
  return writeJobFlags(flagsOf, question.model.config, job);
}

std::string SweepAnswer::describeLeftOut(const RankedLayout &entry) const {
  if (!entry.compiled)
    return "";
  std::vector<std::string> parts;
  if (entry.layout.recompute == Recompute::Layers)
    parts.push_back("layers are computed again");
  if (entry.layout.recompute == Recompute::Selective)
    parts.push_back("parts of layers are recomputed");
  if (question.zero == ZeroStage::Parameters)
    parts.push_back("weights are gathered");
  if (question.model.vocabulary > 0)
    parts.push_back("the last stage has the output layer");
  if (question.preset == ParallelismPreset::Megatron &&
      sharesKeyValueHeads(question.model.config, entry.layout.options))
    parts.push_back("ranks gather heads of keys and values that they share");
  if (question.stateBytes.gradient != 2)
    parts.push_back("gradients have " +
                    formatFixed(question.stateBytes.gradient, 0) + " bytes");
  std::string text;
  if (!parts.empty() && entry.compiled->leftOutUs != 0)
    text += "They leave out that " + join(parts, ", ") +
            ", which no program has: " +
            formatFixed(entry.compiled->leftOutUs / 1e3, 1) + " of the row's " +
            formatFixed(entry.stepUs / 1e3, 1) + " ms.\n";
  if (!areAlike(entry.layout.pieces))
    text += "They take all stages for one with most layers.\n";
  return text;
}

std::string SweepAnswer::describeNone() const {
  return planning::describeNone(question, found);
}
