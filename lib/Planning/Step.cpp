// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time of a training step as a job runs it.

#include "moe/Planning/Step.h"
#include "Answers.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::schedule;

/// The load of experts, and the element type.
static std::optional<Failure> readRouting(const StepInput &in,
                                          estimate::Job &job) {
  ImportOptions &options = job.options;
  if (auto failure = in.routing.read(options))
    return failure;
  Result<double> load = in.imbalance.read(1.0);
  if (!load)
    return load.getFailure();
  if (*load < 1)
    return makeFailure("--imbalance: expected at least 1, got '" +
                       in.imbalance.getText() + "'");
  if (in.imbalance.isSet() && options.routing != moe::Routing::Dropless)
    return makeFailure(
        "--imbalance requires --routing=dropless, because padded "
        "buffers have the same size for every routing");
  job.expertLoad = *load;
  if (options.elements != ElementKind::BF16)
    return makeFailure("--dtype: expected bf16, of which rates are measured");
  return std::nullopt;
}

static std::optional<Failure> readDegrees(const StepInput &in,
                                          estimate::Job &job) {
  ImportOptions &options = job.options;
  options.train = true;
  bool hasDp = in.job.job.dp.isSet();
  if (auto failure = in.job.job.read(options))
    return failure;
  if (auto failure = readRouting(in, job))
    return failure;
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
  if (!all)
    return std::nullopt;
  if (*all % others != 0 || (hasDp && *all / others != options.dp))
    return makeFailure("--ranks: expected a multiple of the other degrees' " +
                       Twine(others * (hasDp ? options.dp : 1)) + ", got " +
                       Twine(*all));
  options.dp = *all / others;
  return std::nullopt;
}

/// Leaves the first layers of a model.
static std::optional<Failure> keepLayers(ModelSize &model, int64_t number) {
  ModelConfig &config = model.config;
  if (number > config.numLayers ||
      (!config.moeLayers.empty() && number <= config.moeLayers.front()))
    return makeFailure("--layers: expected at least the first MoE layer and "
                       "at most the model's " +
                       Twine(config.numLayers) + " layers, got " +
                       Twine(number));
  auto all = double(config.moeLayers.size());
  config.numLayers = number;
  llvm::erase_if(config.moeLayers,
                 [&](int64_t layer) { return layer >= number; });
  if (!config.parts.empty())
    config.parts.resize(size_t(number));
  double share = double(config.moeLayers.size()) / all;
  model.expertParameters = int64_t(double(model.expertParameters) * share);
  double left = double(number) / double(model.numLayers);
  for (ParameterPart &part : model.nonExpert)
    if (part.name == "attention")
      part.parameters = int64_t(double(part.parameters) * left);
    else if (part.name != "embeddings" && part.name != "dense layers")
      part.parameters = int64_t(double(part.parameters) * share);
  model.numLayers = number;
  return std::nullopt;
}

static std::optional<Failure> readModel(StepInput &in, estimate::Job &job) {
  Result<ModelSize> model = in.job.readSize();
  if (!model)
    return model.getFailure();
  job.model = std::move(*model);
  ImportOptions &options = job.options;
  if (options.tp > 1 && !in.job.job.sequenceParallel.isSet())
    options.sequenceParallel = in.job.job.preset.get() != "deepspeed";
  if (job.model.config.numExperts % options.ep != 0)
    return makeFailure("--ep: expected a divisor of the model's " +
                       Twine(job.model.config.numExperts) + " experts, got " +
                       Twine(options.ep));
  std::optional<int64_t> layers;
  if (auto failure = in.layers.readIfSet(layers))
    return failure;
  return layers ? keepLayers(job.model, *layers) : std::nullopt;
}

/// Which layers each part of the pipeline has.
static std::optional<Failure> readPieces(const StepInput &in,
                                         estimate::Job &job) {
  const ModelConfig &config = job.model.config;
  int64_t stages = job.options.pp;
  Result<int64_t> pieces = in.virtualStages.read(1);
  if (!pieces)
    return pieces.getFailure();
  int64_t virtuals = stages > 1 ? *pieces : 1;
  if (in.pipelineLayout.isSet()) {
    int64_t found = 1;
    auto parsed = estimate::parsePipelineLayout(in.pipelineLayout.get(), config,
                                                stages, found);
    if (!parsed)
      return parsed.getFailure();
    if (in.virtualStages.isSet() && found != *pieces)
      return makeFailure("--virtual-stages: expected the " + Twine(found) +
                         " that --pipeline-layout has, got " + Twine(*pieces));
    job.pieces = std::move(*parsed);
    return std::nullopt;
  }
  if (stages * virtuals > config.numLayers)
    return makeFailure("--pp: expected at most as many pieces of the model as "
                       "layers, " +
                       Twine(config.numLayers) + ", got " +
                       Twine(stages * virtuals) +
                       "; --pipeline-layout may "
                       "leave pieces empty");
  job.pieces = estimate::splitEvenly(config, stages * virtuals);
  return std::nullopt;
}

static std::optional<Failure> readRecompute(const StepInput &in,
                                            ParallelismPreset preset,
                                            estimate::Job &job) {
  auto modules = in.recomputeModules.read(preset, job.model.config);
  if (!modules)
    return modules.getFailure();
  const std::string &recompute = in.recompute;
  if (recompute == "selective")
    job.recompute = Recompute::Selective;
  else if (recompute == "full")
    job.recompute = Recompute::Layers;
  else if (recompute != "none")
    return makeFailure("--recompute: expected none, selective or full, got '" +
                       recompute + "'");
  if (in.recomputeModules.isSet() && recompute != "selective")
    return makeFailure("--recompute-modules requires --recompute=selective, "
                       "got '" +
                       recompute + "'");
  if (job.recompute != Recompute::Selective)
    return std::nullopt;
  if (!*modules)
    return makeFailure("--recompute=selective is not supported with "
                       "--parallelism=" +
                       in.job.job.preset.get() +
                       ", which recomputes whole layers: use "
                       "--recompute=full");
  job.modules = **modules;
  return std::nullopt;
}

static std::optional<Failure> readOverlap(const StepInput &in,
                                          estimate::Job &job) {
  using estimate::Overlap;
  for (Overlap overlap :
       {Overlap::None, Overlap::Merged, Overlap::MergedDelayed})
    if (in.overlap.get() == estimate::getName(overlap)) {
      job.overlap = overlap;
      return std::nullopt;
    }
  return makeFailure("--overlap: expected none, 1f1b or 1f1b-delayed, got '" +
                     in.overlap.get() + "'");
}

/// How the framework runs the job.
static std::optional<Failure> readWays(const StepInput &in,
                                       estimate::Job &job) {
  Result<ParallelismPreset> preset = in.job.job.readPreset();
  if (!preset)
    return preset.getFailure();
  job.framework = in.job.job.preset.get();
  Result<int64_t> stage = in.zero.read(getZeroOf(*preset, 1));
  if (!stage)
    return stage.getFailure();
  job.zero = ZeroStage(*stage);
  if (auto failure =
          in.state.read(job.stateBytes, *preset, job.options.elements))
    return failure;
  if (auto failure = readRecompute(in, *preset, job))
    return failure;
  job.dispatcher = in.dispatcher.get();
  Result<int64_t> sms = in.dispatcherSms.read(20);
  if (!sms)
    return sms.getFailure();
  if (in.dispatcherSms.isSet() && job.dispatcher == "all-to-all")
    return makeFailure("--dispatcher-sms is not supported with "
                       "--dispatcher=all-to-all, whose collectives take what "
                       "NCCL gives them");
  job.dispatcherSms = *sms;
  job.cudaGraphs = in.cudaGraphs;
  return readOverlap(in, job);
}

static Failure failBothBatches() {
  return makeFailure(
      "--global-batch is not supported with --num-micro-batches");
}

static std::optional<Failure> readBatch(const StepInput &in,
                                        estimate::Job &job) {
  if (in.globalBatch.isSet() && in.microBatches.isSet())
    return failBothBatches();
  Result<int64_t> given =
      in.globalBatch.isSet() ? in.globalBatch.read() : in.microBatches.read(1);
  if (!given)
    return given.getFailure();
  job.microBatches = *given;
  if (!in.globalBatch.isSet())
    return std::nullopt;
  int64_t once = multiplyCapped({job.options.microBatch, job.options.dp,
                                 getDegrees(job.options).getAxisEp()});
  if (*given % once != 0)
    return makeFailure("--global-batch: expected a multiple of the sequences "
                       "that ranks have at once, " +
                       Twine(once) + ", got " + Twine(*given));
  job.microBatches = *given / once;
  return std::nullopt;
}

static std::optional<Failure> checkRequired(const StepInput &in) {
  if (!in.job.isSet())
    return failMissing("config");
  for (const IntegerOption *size : {&in.job.job.microBatch, &in.job.job.seqLen})
    if (!size->isSet())
      return failMissing(size->getName());
  return std::nullopt;
}

static Result<estimate::Job> readStepJob(StepInput &in) {
  if (auto failure = checkRequired(in))
    return *failure;
  estimate::Job job;
  if (auto failure = readDegrees(in, job))
    return *failure;
  if (auto failure = readModel(in, job))
    return *failure;
  if (auto failure = readPieces(in, job))
    return *failure;
  if (auto failure = readWays(in, job))
    return *failure;
  if (auto failure = readBatch(in, job))
    return *failure;
  return job;
}

//===----------------------------------------------------------------------===//
// All layouts
//===----------------------------------------------------------------------===//

/// A job without its layout.
static std::optional<Failure> readJobOfLayouts(StepInput &in,
                                               estimate::Job &job) {
  if (auto failure = checkRequired(in))
    return failure;
  for (auto [isGiven, option] :
       {std::pair(in.dispatcher.isSet(), in.dispatcher.getName()),
        {in.overlap.isSet(), in.overlap.getName()},
        {in.pipelineLayout.isSet(), in.pipelineLayout.getName()},
        {in.layers.isSet(), in.layers.getName()},
        {in.compares.isSet(), in.compares.getName()}})
    if (isGiven)
      return makeFailure("--" + option +
                         " is not supported with --all-layouts");
  if (auto failure = in.job.job.read(job.options))
    return failure;
  if (auto failure = readRouting(in, job))
    return failure;
  Result<ModelSize> model = in.job.readSize();
  if (!model)
    return model.getFailure();
  job.model = std::move(*model);
  if (!job.model.config.attention)
    return makeFailure("--config: expected a config with num_attention_heads, "
                       "got none");
  if (auto failure = readWays(in, job))
    return failure;
  if (in.globalBatch.isSet() && in.microBatches.isSet())
    return failBothBatches();
  Result<int64_t> micro = in.microBatches.read(1);
  if (!micro)
    return micro.getFailure();
  job.microBatches = *micro;
  return std::nullopt;
}

static std::optional<Failure> readQuestion(const StepInput &in,
                                           const estimate::Job &job,
                                           const cost::Machine &machine,
                                           SweepQuestion &question) {
  Result<int64_t> ranks = in.ranks.read();
  if (!ranks)
    return ranks.getFailure();
  question.model = job.model;
  question.timed = job.model.config;
  question.sizes = job.options;
  question.ranks = *ranks;
  question.nodeRanks = machine.levels.front().ranks;
  if (in.memoryGB.isSet()) {
    Result<double> gigabytes = in.memoryGB.read();
    if (!gigabytes)
      return gigabytes.getFailure();
    question.memory = *gigabytes * 1e9;
  } else if (machine.memoryPerRank) {
    question.memory = machine.memoryPerRank->value.value();
  } else {
    return makeFailure("--memory-gb is required, because " + machine.name +
                       " does not state memory_per_rank_bytes");
  }
  question.zero = job.zero;
  question.stateBytes = job.stateBytes;
  question.microBatches = job.microBatches;
  if (auto failure = in.globalBatch.readIfSet(question.globalBatch))
    return failure;
  Result<int64_t> pieces = in.virtualStages.read(1);
  if (!pieces)
    return pieces.getFailure();
  question.virtualStages = *pieces;
  Result<ParallelismPreset> preset = in.job.job.readPreset();
  if (!preset)
    return preset.getFailure();
  question.preset = *preset;
  auto modules = in.recomputeModules.read(*preset, job.model.config);
  if (!modules)
    return modules.getFailure();
  question.modules = *modules;
  if (in.recompute.isSet())
    question.recompute = job.recompute;
  const JobOptions &given = in.job.job;
  for (auto [option, degree] : {std::pair(&given.dp, &question.dp),
                                {&given.ep, &question.ep},
                                {&given.tp, &question.tp},
                                {&given.cp, &question.cp},
                                {&given.pp, &question.pp},
                                {&given.esp, &question.esp}})
    if (auto failure = option->readIfSet(*degree))
      return failure;
  if (given.foldEp.isSet())
    question.foldEp = bool(given.foldEp);
  if (given.sequenceParallel.isSet())
    question.sequenceParallel = bool(given.sequenceParallel);
  return std::nullopt;
}

static Result<StepLayouts> planLayouts(StepInput &in,
                                       const platform::Platform &platform) {
  estimate::Job job;
  if (auto failure = readJobOfLayouts(in, job))
    return *failure;
  SweepQuestion question;
  if (auto failure = readQuestion(in, job, platform.machine, question))
    return *failure;
  Result<int64_t> rows = in.rows.read(20);
  if (!rows)
    return rows.getFailure();
  Result<StepLayouts> layouts = rankStepLayouts(job, question, platform);
  if (layouts)
    layouts->rows = *rows;
  return layouts;
}

Result<StepAnswer> moe::planning::planStep(StepInput &in) {
  Result<platform::Platform> loaded = in.platform.load();
  if (!loaded)
    return loaded.getFailure();
  StepAnswer answer;
  answer.machine = loaded->machine.name;
  if (in.allLayouts) {
    Result<StepLayouts> layouts = planLayouts(in, *loaded);
    if (!layouts)
      return layouts.getFailure();
    answer.layouts = std::move(*layouts);
    return answer;
  }
  for (auto [isGiven, option] :
       {std::pair(in.memoryGB.isSet(), in.memoryGB.getName()),
        {in.rows.isSet(), in.rows.getName()}})
    if (isGiven)
      return makeFailure("--" + option + " requires --all-layouts");
  Result<estimate::Job> job = readStepJob(in);
  if (!job)
    return job.getFailure();
  Result<estimate::StepEstimate> step = estimate::estimateStep(*job, *loaded);
  if (!step)
    return step.getFailure();
  if (in.compares)
    answer.alternatives = listAlternatives(*job, *loaded);
  answer.job = std::move(*job);
  answer.step = std::move(*step);
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

static void printLayouts(json::OStream &out, const StepLayouts &layouts) {
  out.attribute("ranks", layouts.ranks);
  out.attribute("fitting", int64_t(layouts.ranked.size()));
  if (layouts.ranked.empty())
    out.attribute("none", layouts.none);
  out.attributeArray("layouts", [&] {
    for (const StepLayout &one : layouts.getShown())
      out.object([&] {
        const ImportOptions &options = one.layout.options;
        for (auto [key, degree] : {std::pair("dp", options.dp),
                                   {"pp", options.pp},
                                   {"cp", options.cp},
                                   {"ep", options.ep},
                                   {"tp", options.tp}})
          out.attribute(key, degree);
        out.attribute("fold_ep", options.foldEp);
        out.attribute("micro_batches", one.layout.microBatches);
        out.attribute("recomputes",
                      one.layout.recompute != schedule::Recompute::Nothing);
        out.attribute("memory_bytes", one.layout.bytes);
        out.attribute("dispatcher", one.best.dispatcher);
        out.attribute("overlap", estimate::getName(one.best.overlap));
        out.attribute("step_us", *one.best.stepUs);
        out.attribute("expert_exchanges_us", one.best.exchangeUs);
        out.attribute("tokens_per_s", one.best.tokensPerSecond);
        if (one.best.utilisation)
          out.attribute("mfu", *one.best.utilisation);
      });
  });
}

std::string moe::planning::getTitle(const StepAnswer &answer) {
  return "Training step on " + answer.machine;
}

void moe::planning::printJSON(json::OStream &out, const StepAnswer &answer) {
  const ImportOptions &options = answer.job.options;
  const estimate::StepEstimate &step = answer.step;
  out.attribute("platform", answer.machine);
  if (answer.layouts)
    return printLayouts(out, *answer.layouts);
  for (auto [key, degree] : {std::pair("dp", options.dp),
                             {"pp", options.pp},
                             {"cp", options.cp},
                             {"ep", options.ep},
                             {"tp", options.tp}})
    out.attribute(key, degree);
  out.attribute("fold_ep", options.foldEp);
  out.attribute("micro_batches", answer.job.microBatches);
  out.attributeArray("layers", [&] {
    for (const estimate::Piece &piece : answer.job.pieces)
      out.value(piece.moe + piece.dense + piece.furtherTokens);
  });
  out.attribute("dispatcher", answer.job.dispatcher);
  out.attribute("step_us", step.stepUs);
  out.attribute("tokens_per_s", step.tokensPerSecond);
  if (step.utilisation)
    out.attribute("mfu", *step.utilisation);
  out.attributeObject("spent_us", [&] {
    for (const auto &[what, us] : step.spentUs)
      out.attribute(what, us);
  });
  printLayer(out, "layer", step.moeLayer, /*ofExperts=*/false);
  printLayer(out, "moe_layer", step.moeLayer, /*ofExperts=*/true);
  if (!step.denseLayer.empty())
    printLayer(out, "dense_layer", step.denseLayer, /*ofExperts=*/false);
  printTexts(out, "not_modelled", step.notModelled);
  if (!answer.alternatives)
    return;
  out.attributeArray("alternatives", [&] {
    for (const StepAlternative &one : *answer.alternatives)
      out.object([&] {
        out.attribute("dispatcher", one.dispatcher);
        out.attribute("overlap", estimate::getName(one.overlap));
        if (one.stepUs) {
          out.attribute("step_us", *one.stepUs);
          out.attribute("expert_exchanges_us", one.exchangeUs);
        } else {
          out.attribute("why_not", one.whyNot);
        }
      });
  });
}
