// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradient buckets with all-reduces that overlap the backward pass.

#include "moe/Planning/Gradients.h"
#include "JobNetwork.h"
#include "moe/Planning/Answers.h"
#include "moe/Platform/ModelLayers.h"
#include "moe/Schedule/MachinePhase.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::schedule;

/// Returns the choices of an MoE layer in the backward pass. Appends degrees
/// with sizes that were not measured to `extrapolated`.
static cost::Result<std::vector<BackwardChoice>>
getChoices(const LayerShape &shape, cost::BytesPerElement element,
           std::optional<int64_t> ep, const cost::Machine &machine,
           int64_t maxDegree, std::vector<int64_t> &extrapolated) {
  auto phase = MachinePhase::create(machine, shape, TrainingPhase::Backward,
                                    element, ep);
  if (!phase)
    return phase.getFailure();
  std::vector<BackwardChoice> choices =
      getBackwardChoices(*phase, phase->getMaxDegree(maxDegree));
  for (const BackwardChoice &choice : choices)
    if (phase->isExtrapolated(1.0 / double(choice.degree)))
      extrapolated.push_back(choice.degree);
  return choices;
}

/// Returns the shape of an MoE layer of the file.
static LayerShape getShape(const platform::MoESizes &sizes,
                           const cost::Machine &machine) {
  LayerShape shape;
  shape.microBatch = sizes.microBatch;
  shape.seqLen = sizes.seqLen;
  shape.hidden = sizes.hidden;
  shape.ffnHidden = sizes.ffnHidden;
  shape.topK = sizes.topK;
  shape.capacityFactor = sizes.capacityFactor;
  shape.gemms = sizes.gemms;
  shape.tp = sizes.tp.value_or(machine.levels.front().ranks);
  shape.esp = sizes.esp.value_or(shape.tp);
  return shape;
}

std::string moe::planning::getTitle(const GradientsAnswer &answer) {
  return "Gradients on " + answer.machine;
}

void moe::planning::printJSON(json::OStream &out,
                              const GradientsAnswer &answer) {
  out.attributeArray("pieces", [&] {
    for (const GradientBucket &piece : answer.plan.pieces)
      out.object([&] {
        out.attribute("layer", piece.layer);
        out.attribute("slot", schedule::getName(piece.slot));
        out.attribute("from", piece.from);
        out.attribute("elements", piece.elements);
        if (answer.allReduce.isExtrapolated(piece.elements))
          out.attribute("extrapolated", true);
      });
  });
  out.attribute("time_us", answer.getTimeUs());
  out.attribute("dense_us", answer.plan.time.denseUs);
  out.attribute("moe_us", answer.plan.time.moeUs);
  out.attribute("after_us", answer.plan.time.afterUs);
  out.attribute("exposed_us", answer.getTimeUs() - answer.withoutUs);
  out.attribute("lower_bound_us", answer.getLowerBoundUs());
  out.attribute("without_gradients_us", answer.withoutUs);
  out.attribute("step1_us", answer.step1Us);
  out.attribute("not_overlapped_us", answer.notOverlappedUs);
  out.attributeArray("degrees", [&] {
    for (int64_t degree : answer.plan.time.degrees)
      out.value(degree);
  });
  if (std::vector<size_t> layers = answer.listExtrapolated(); !layers.empty())
    out.attributeArray("extrapolated_layers", [&] {
      for (size_t layer : layers)
        out.value(int64_t(layer));
    });
  out.attributeObject("all_reduce", [&] {
    out.attribute("ranks", answer.allReduce.numRanks);
    out.attribute("alpha_us", answer.allReduce.time.alphaUs);
    out.attribute("us_per_element", answer.allReduce.time.slopeUs);
    out.attribute("linear", answer.allReduce.isExact);
  });
}

/// Reads the network of a file, on all ranks of the platform.
static std::optional<Failure> readInput(GradientsInput &in,
                                        const cost::Machine &machine,
                                        int64_t most, GradientsAnswer &answer) {
  answer.dtype = "f32";
  if (in.job.job.dtype.isSet())
    answer.dtype = in.job.job.dtype;
  std::optional<int64_t> bytes = platform::getElementBytes(answer.dtype);
  if (!bytes)
    return makeFailure("--dtype: expected one of f64, f32, bf16, f16; got '" +
                       answer.dtype + "'");
  Result<int64_t> tp = in.job.job.tp.read(machine.levels.front().ranks);
  if (!tp)
    return tp.getFailure();
  answer.tp = *tp;
  auto model = platform::loadModelLayers(in.input);
  if (!model)
    return model.getFailure();
  for (size_t i = 0; i < model->layers.size(); ++i) {
    const platform::ModelLayer &from = model->layers[i];
    GeneralizedLayer layer;
    layer.gradientElements = from.gradientElements;
    layer.denseUs = from.overlappableDenseUs;
    answer.extrapolatedDegrees.emplace_back();
    if (from.moe) {
      auto choices =
          getChoices(getShape(*from.moe, machine),
                     cost::BytesPerElement(
                         double(*platform::getElementBytes(from.moe->dtype))),
                     /*ep=*/std::nullopt, machine, most,
                     answer.extrapolatedDegrees.back());
      if (!choices)
        return makeFailure(in.input.get() + ": layers[" + Twine(i) +
                           "].moe: " + choices.getError());
      layer.moe = std::move(*choices);
    }
    answer.layers.push_back(std::move(layer));
  }
  auto allReduce = GradientAllReduce::create(
      machine, answer.tp, cost::BytesPerElement(double(*bytes)),
      answer.countElements());
  if (!allReduce)
    return allReduce.getFailure();
  answer.allReduce = std::move(*allReduce);
  return std::nullopt;
}

/// Reads the network of a job's stage, on the job's ranks.
static std::optional<Failure> readJob(GradientsInput &in,
                                      const platform::Platform &platform,
                                      int64_t most, GradientsAnswer &answer) {
  Result<PlannedJob> planned = in.job.read(/*train=*/true);
  if (!planned)
    return planned.getFailure();
  if (auto failure = checkRanks(platform, *planned))
    return failure;
  answer.dtype = in.job.job.dtype;
  answer.tp = planned->options.tp;
  const cost::Machine &machine = platform.machine;
  auto layers = listJobLayers(*planned, machine);
  if (!layers)
    return layers.getFailure();
  cost::BytesPerElement element(double(planned->getElementBytes()));
  LayerShape shape = getLayerShape(*planned);
  shape.capacityFactor = 1;
  std::vector<int64_t> extrapolated;
  auto choices = getChoices(shape, element, planned->layout.ep, machine, most,
                            extrapolated);
  if (!choices)
    return choices.getFailure();
  for (const JobLayer &from : *layers) {
    answer.layers.push_back(
        {from.gradientElements, from.denseUs,
         from.hasMoE ? *choices : std::vector<BackwardChoice>()});
    answer.extrapolatedDegrees.push_back(from.hasMoE ? extrapolated
                                                     : std::vector<int64_t>());
  }
  auto groups = getGradientGroups(*planned);
  if (!groups)
    return groups.getFailure();
  auto allReduce = GradientAllReduce::create(machine, *groups, element,
                                             answer.countElements());
  if (!allReduce)
    return allReduce.getFailure();
  answer.allReduce = std::move(*allReduce);
  return std::nullopt;
}

Result<GradientsAnswer> moe::planning::planGradients(GradientsInput &in) {
  if (!in.platform.isSet())
    return failMissing("platform");
  bool hasInput = in.input.isSet();
  if (hasInput && in.job.isSet())
    return makeFailure(
        "--input is not supported with --config, which describes the network");
  if (!hasInput && !in.job.isSet())
    return failMissing("input");
  if (auto failure = in.job.checkBeside({}, {"tp", "dtype"}))
    return *failure;
  Result<int64_t> most = in.maxDegree.read(16);
  if (!most)
    return most.getFailure();
  Result<platform::Platform> loaded = in.platform.load();
  if (!loaded)
    return loaded.getFailure();
  const cost::Machine &machine = loaded->machine;
  GradientsAnswer answer;
  answer.maxDegree = *most;
  answer.machine = machine.name;
  if (auto failure = hasInput ? readInput(in, machine, *most, answer)
                              : readJob(in, *loaded, *most, answer))
    return *failure;
  const std::string &network = hasInput ? in.input : in.job.getFile();
  int64_t total = answer.countElements();
  const LinearTime &line = answer.allReduce.time;
  auto plan = partitionGradients(answer.layers, line);
  if (!plan)
    return makeFailure(network + ": " + plan.getError());
  auto step1 = hideGradients(answer.layers, line);
  if (!step1)
    return makeFailure(network + ": " + step1.getError());
  for (const auto *pieces : {&plan->pieces, &step1->pieces})
    if (std::string problem = checkPartition(answer.layers, *pieces);
        !problem.empty())
      return makeFailure("internal error: " + problem);
  answer.plan = std::move(*plan);
  answer.step1Us = step1->time.getUs();
  answer.withoutUs = getBackwardTime(answer.layers, line, {}).getUs();
  answer.notOverlappedUs =
      answer.withoutUs + (total ? line.getUs(double(total)) : 0);

  return answer;
}
