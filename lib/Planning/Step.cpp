// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time of a training step as a job runs it.

#include "moe/Planning/Step.h"
#include "moe/Planning/Answers.h"
#include "moe/Planning/Memory.h"
#include "moe/Planning/NotModelled.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::schedule;

/// Reads the degrees of a job. `--ranks` may give the data-parallel degree.
static std::optional<Failure> readDegrees(const StepInput &in,
                                          const SweepQuestion &question,
                                          ImportOptions &options) {
  options.train = true;
  ParallelDegrees degrees = getDegrees(options);
  if (options.foldEp && options.ep % options.tp != 0)
    return makeFailure("--ep: expected a multiple of --tp, " +
                       Twine(options.tp) + ", with --fold-ep, got " +
                       Twine(options.ep));
  int64_t others =
      multiplyCapped({options.pp, options.cp, degrees.getAxisEp(), options.tp});
  if (multiplyCapped({others, options.dp}) > int64_t(1) << 40)
    return makeFailure("--ep: expected at most 2^40 ranks in all, got more");
  std::optional<int64_t> all;
  if (auto failure = in.ranks.readIfSet(all))
    return failure;
  if (all) {
    if (*all % others != 0 || (question.dp && *all / others != options.dp))
      return makeFailure("--ranks: expected a multiple of the other degrees' " +
                         Twine(others * (question.dp ? options.dp : 1)) +
                         ", got " + Twine(*all));
    options.dp = *all / others;
  }
  if (question.model.config.numExperts % options.ep != 0)
    return makeFailure("--ep: expected a divisor of the model's " +
                       Twine(question.model.config.numExperts) +
                       " experts, got " + Twine(options.ep));
  if (options.tp > 1 && !question.sequenceParallel)
    options.sequenceParallel = question.preset != ParallelismPreset::DeepSpeed;
  // The sweep omits `esp` too if all tensor-parallel ranks share experts.
  if (options.esp == options.tp)
    options.esp.reset();
  return std::nullopt;
}

static Result<SweepLayout> readLayout(const StepInput &in,
                                      const SweepQuestion &question) {
  SweepLayout layout;
  layout.options = question.sizes;
  if (auto failure = readDegrees(in, question, layout.options))
    return *failure;
  layout.virtualStages = question.virtualStages.front();
  if (layout.virtualStages > 1 && layout.options.pp == 1)
    return makeFailure("--virtual-stages requires --pp of at least 2, got 1");
  if (std::string problem = cutLayout(question, layout); !problem.empty())
    return makeFailure(problem + (StringRef(problem).starts_with("--pp:")
                                      ? "; --pipeline-layout may leave pieces "
                                        "empty"
                                      : ""));
  if (!question.recompute.recompute && !question.memory)
    return makeFailure("--recompute=auto requires --memory-gb, because " +
                       question.machine +
                       " does not state memory_per_rank_bytes");
  fitLayout(question, layout);
  return layout;
}

Result<StepAnswer> moe::planning::planStep(StepInput &in) {
  Result<platform::Platform> loaded = in.platform.load();
  if (!loaded)
    return loaded.getFailure();
  Result<SweepQuestion> question = readTimedQuestion(in, *loaded);
  if (!question)
    return question.getFailure();
  std::optional<double> measuredMs, calibration;
  if (auto failure = in.measuredMs.readIfSet(measuredMs))
    return *failure;
  if (auto failure = in.calibration.readIfSet(calibration))
    return *failure;
  Result<SweepLayout> layout = readLayout(in, *question);
  if (!layout)
    return layout.getFailure();
  StepAnswer answer;
  answer.question = std::move(*question);
  answer.layout = std::move(*layout);
  const JobWays &ways = answer.question.ways;
  estimate::Job job = getEstimateJob(answer.question, answer.layout);
  // A job that states its overlap is predicted as stated.
  bool isStated = ways.overlaps.size() == 1;
  std::vector<StepAlternative> weighed =
      listAlternatives(job, *loaded, ways.dispatchers,
                       listFittingOverlaps(answer.question, answer.layout),
                       /*obeysFramework=*/!isStated);
  if (!weighed.front().step)
    return makeFailure(weighed.front().whyNot);
  answer.step = weighed.front();
  if (in.compares) {
    std::vector<std::string> names = {"all-to-all"};
    for (const cost::Dispatcher &dispatcher : loaded->rates.dispatchers)
      names.push_back(dispatcher.name);
    std::vector<estimate::Overlap> overlaps = {estimate::Overlap::None,
                                               estimate::Overlap::Merged};
    if (runsPairs(getStageOrder(answer.step.overlap)))
      overlaps.push_back(answer.step.overlap);
    weighed = listAlternatives(job, *loaded, names, overlaps,
                               /*obeysFramework=*/true);
  }
  if (weighed.size() > 1)
    answer.choice = explainChoice(job, *loaded, std::move(weighed));
  setOverlap(answer.question, answer.step.overlap, answer.layout);
  answer.stages = listStageMemory(
      answer.question.model, getTrainingJob(answer.question, answer.layout));
  job.dispatcher = answer.step.dispatcher;
  job.overlap = answer.step.overlap;
  PredictedJob predicted{answer.question, answer.layout, job, &*loaded,
                         &*answer.step.step};
  answer.notModelled = listNotModelled(LimitOf::Time, predicted);
  answer.notCounted = listNotModelled(LimitOf::Memory, predicted);
  answer.flagsOf = in.flags.get(answer.question.preset);
  if (answer.flagsOf != ParallelismPreset::None)
    answer.flags =
        writeJobFlags(answer.flagsOf, answer.question.model.config,
                      getTimedFrameworkJob(answer.question, answer.layout,
                                           answer.step.dispatcher));
  answer.calibration = calibration;
  bool isQuantized = answer.question.quantization.isQuantized();
  if (measuredMs)
    answer.measured = compareMeasured(
        *measuredMs * 1e3, *answer.step.step,
        findStepAccuracy(answer.question.machine, isQuantized), isQuantized);
  return answer;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

std::pair<double, double>
moe::planning::sumParts(const estimate::PartList &parts, bool ofExperts) {
  double forwardUs = 0, backwardUs = 0;
  for (const estimate::LayerPart &part : parts)
    if (!ofExperts || part.isOfExperts) {
      forwardUs += part.forwardUs;
      backwardUs += part.backwardUs;
    }
  return {forwardUs, backwardUs};
}

static void printLayer(json::OStream &out, StringRef key,
                       const estimate::PartList &parts, bool ofExperts) {
  out.attributeObject(key, [&] {
    auto [forwardUs, backwardUs] = sumParts(parts, ofExperts);
    out.attribute("forward_us", forwardUs);
    out.attribute("backward_us", backwardUs);
    out.attributeArray("parts", [&] {
      for (const estimate::LayerPart &part : parts)
        if (!ofExperts || part.isOfExperts)
          out.object([&] {
            out.attribute("name", part.name);
            out.attribute("kind", estimate::getName(part.kind));
            out.attribute("forward_us", part.forwardUs);
            out.attribute("backward_us", part.backwardUs);
          });
    });
  });
}

std::string moe::planning::getTitle(const StepAnswer &answer) {
  return "Training step on " + answer.question.machine;
}

void moe::planning::printJSON(json::OStream &out, const StepAnswer &answer) {
  const estimate::StepEstimate &step = *answer.step.step;
  out.attribute("platform", answer.question.machine);
  printLayoutFields(out, answer.question, answer.layout);
  if (answer.question.memory) {
    out.attribute("memory_per_rank_bytes", int64_t(*answer.question.memory));
    out.attribute("fits", *answer.fits());
  }
  printStepFields(out, answer.step);
  if (answer.calibration) {
    out.attribute("calibration", *answer.calibration);
    out.attribute("calibrated_step_us", answer.getCalibratedUs());
  }
  if (answer.measured)
    printMeasured(out, *answer.measured);
  printStepParts(out, step, answer.notModelled);
  printTexts(out, "not_counted", answer.notCounted);
  if (!answer.stages.empty())
    printStages(out, answer.stages);
  if (answer.flagsOf != ParallelismPreset::None) {
    out.attribute("flags", answer.flags.flags);
    out.attribute("flags_of", answer.flags.framework);
  }
  printLayer(out, "layer", step.moeLayer, /*ofExperts=*/false);
  printLayer(out, "moe_layer", step.moeLayer, /*ofExperts=*/true);
  if (!step.denseLayer.empty())
    printLayer(out, "dense_layer", step.denseLayer, /*ofExperts=*/false);
  if (!answer.choice)
    return;
  out.attribute("why", answer.choice->why);
  printAlternatives(out, *answer.choice);
}
