// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers of `memory` as text.

#include "Printing.h"
#include "moe/Cost/FormatNumber.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::planning;
using namespace moe::schedule;

static std::string gigabytes(double bytes) {
  return formatFixed(bytes / 1e9, 3);
}

static void printSettings(raw_ostream &os, const MemoryInput &in,
                          const MemoryAnswer &answer) {
  Report settings = makeList({false, true, false});
  const JobOptions &given = in.job.job;
  addSetting(settings, given.tp, answer.degrees.tp);
  addSetting(settings, given.ep, answer.degrees.ep,
             answer.degrees.foldEp ? "ranks, folded" : "ranks");
  const IntegerOption &copies = in.ranks.isSet() ? in.ranks : given.dp;
  settings.addRow(
      {"  dp", std::to_string(answer.degrees.dp),
       "ranks that hold the same experts (" + copies.getOrigin() + ")"});
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
                              ? "--parallelism=" + given.preset.get()
                              : option.getOrigin()) +
                         ")"});
  };
  bool isPreset = given.preset.isSet();
  addOfPreset(in.zero, int64_t(answer.zero), "stage", isPreset);
  if (in.state.optimizerBytes.isSet())
    addSetting(settings, in.state.optimizerBytes,
               int64_t(answer.stateBytes.optimizer), "bytes a parameter");
  bool isOfPreset = answer.stateBytes.gradient != StateBytes().gradient;
  if (in.state.gradientBytes.isSet() || isOfPreset)
    addOfPreset(in.state.gradientBytes, int64_t(answer.stateBytes.gradient),
                "bytes a parameter", isOfPreset);
  if (in.precision.isSet())
    settings.addRow({"  precision", answer.quantization.getName().str(),
                     std::string("of linear layers and experts (--precision") +
                         (in.fp8ParamGather ? ", --fp8-param-gather)" : ")")});
  if (answer.mtpLayers > 0)
    addSetting(settings, in.mtpLayers, answer.mtpLayers);
  if (answer.seqLen) {
    addSetting(settings, given.microBatch, answer.microBatch);
    addSetting(settings, given.seqLen, *answer.seqLen);
    if (answer.microBatches)
      settings.addRow(
          {"  micro-batches", std::to_string(*answer.microBatches),
           "per step (" +
               (in.globalBatch.isSet() ? in.globalBatch.getOrigin()
                                       : in.microBatches.getOrigin()) +
               ")"});
  }
  settings.printTable(os, /*withHeading=*/false);
}

void moe::plan::printStages(raw_ostream &os, ArrayRef<RankMemory> stages) {
  std::vector<std::string> names;
  for (const RankMemory &stage : stages)
    for (auto [name, bytes] : listFurtherBytes(stage))
      if (!is_contained(names, name))
        names.push_back(name.str());
  std::vector<bool> isNumber(names.size() + 4, true);
  isNumber[0] = false;
  Report rows = makeList(isNumber);
  std::vector<moe::support::Cell> heading = {"", "states"};
  for (std::string name : names) {
    llvm::replace(name, '_', ' ');
    heading.push_back(name);
  }
  heading.push_back("activations");
  heading.push_back("total");
  rows.addRow(std::move(heading));
  for (auto [i, stage] : llvm::enumerate(stages)) {
    std::vector<moe::support::Cell> row = {
        "  stage " + std::to_string(i),
        gigabytes(stage.states.nonExpertBytes + stage.states.expertBytes)};
    auto further = listFurtherBytes(stage);
    for (const std::string &name : names) {
      auto part = llvm::find_if(
          further, [&](const auto &part) { return part.first == name; });
      row.push_back(gigabytes(part == further.end() ? 0 : part->second));
    }
    row.push_back(gigabytes(stage.activations.getTotal()));
    row.push_back(gigabytes(stage.getBytes()));
    rows.addRow(std::move(row));
  }
  rows.printTable(os, /*withHeading=*/false);
}

void moe::plan::printMemoryText(raw_ostream &os, const MemoryInput &in,
                                const MemoryAnswer &answer) {
  const ModelConfig &modelConfig = answer.model.config;
  os << "model " << modelConfig.modelType << " of " << in.job.getFile() << ": "
     << answer.model.numLayers << " layers, " << modelConfig.moeLayers.size()
     << " with " << modelConfig.numExperts << " experts, top-"
     << modelConfig.topK << ", hidden size " << modelConfig.hiddenSize
     << ", expert " << modelConfig.expertFFNSize << "\n\nsettings\n";
  printSettings(os, in, answer);
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
           (copies == 1 ? " copy" : " copies") +
           (answer.quantizedWeights > 0 && in.fp8ParamGather
                ? ", less 2 of each quantized weight"
                : "");
  };
  os << "\nweights, gradients and optimizer of a rank, GB (1e9 bytes)\n";
  Report states = makeList({false, true, false});
  states.addRow({"  outside of experts",
                 gigabytes(answer.states.nonExpertBytes),
                 perParameter(answer.degrees.getOtherCopies())});
  states.addRow({"  experts", gigabytes(answer.states.expertBytes),
                 perParameter(answer.degrees.getExpertCopies())});
  states.addRow({"  together", gigabytes(answer.getStatesBytes()), ""});
  if (answer.quantizedWeights > 0)
    states.addRow(
        {"  quantized", gigabytes(answer.quantizedWeights),
         "copies of weights in " + answer.quantization.getName().str()});
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
    for (auto [name, bytes] : listParts(*answer.stage))
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
    os << "  16-bit activations, "
       << (answer.quantization.isQuantized()
               ? "quantized inputs of linear layers, "
               : "")
       << "attention without scores, " << modelConfig.getNumMatrices()
       << " matrices of an expert, "
       << (answer.sequenceParallel ? "with" : "without")
       << " sequence parallelism, recomputing "
       << describeRecompute(answer.recompute, answer.modules) << "\n";
  }
  if (!answer.stages.empty()) {
    os << "\na rank of each pipeline stage, GB\n";
    printStages(os, answer.stages);
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
  printNotModelled(os, "not counted", answer.notCounted);
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
