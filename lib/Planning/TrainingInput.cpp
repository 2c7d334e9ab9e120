// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Input of the planners of whole training jobs.

#include "moe/Planning/TrainingInput.h"
#include "moe/Planning/Answers.h"
#include "moe/Planning/DeepSpeedConfig.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::schedule;

static const char *getPlatformHelp(TrainingInput::Of of) {
  return of == TrainingInput::Of::Memory
             ? "Platform file or name of a shipped platform; also check that "
               "the job fits the memory of its ranks"
             : "Platform file or name of a shipped platform (required)";
}

static const char *getRanksHelp(TrainingInput::Of of) {
  switch (of) {
  case TrainingInput::Of::Memory:
    return "Ranks of the job, instead of --dp: the ranks that remain after the "
           "other degrees are data-parallel";
  case TrainingInput::Of::Step:
    return "Ranks of the job; --dp follows from them and the other degrees "
           "(default: the product of all degrees)";
  case TrainingInput::Of::Sweep:
    return "Ranks of the job (default: the platform's)";
  }
  return "";
}

TrainingInput::TrainingInput(Of of)
    : job(table, {of == Of::Sweep ? JobOptions::Missing::Tried
                                  : JobOptions::Missing::One,
                  of == Of::Memory ? JobOptions::Missing::One
                                   : JobOptions::Missing::Command,
                  /*listsMicroBatches=*/of == Of::Sweep}),
      platform(table, getPlatformHelp(of)),
      ranks(table, "ranks", getRanksHelp(of), {.unit = "ranks"}),
      virtualStages(table, "virtual-stages",
                    of == Of::Sweep
                        ? "Virtual stages (parts of the model) per stage, for "
                          "layouts with several pipeline stages (default: 1). "
                          "A list with commas: all are tried"
                        : "Virtual stages (parts of the model) per stage, for "
                          "layouts with several pipeline stages (default: 1)",
                    {.unit = "virtual stages", .takesList = of == Of::Sweep}),
      zero(table, "zero",
           of == Of::Memory ? "ZeRO stage, 0 to 3 (default: 0; 1 with "
                              "--parallelism=megatron, 3 with torchtitan)"
                            : "ZeRO stage, 0 to 3 (default: 1; 0 with "
                              "--parallelism=deepspeed, 3 with torchtitan)",
           {0, 3}),
      microBatches(table, "num-micro-batches",
                   of == Of::Memory
                       ? "Micro-batches per step; with fewer than the pipeline "
                         "has stages, stages hold fewer (default: as many as "
                         "fill the pipeline)"
                       : "Micro-batches per step (default: 1)",
                   {.unit = "micro-batches"}),
      recompute(table, of == Of::Sweep ? RecomputeChoice::Auto
                                       : RecomputeChoice::None),
      of(of) {}

static std::optional<Failure> readQuantization(const TrainingInput &in,
                                               const ImportOptions &options,
                                               Quantization &quantization) {
  quantization.precision = in.precision;
  quantization.elements = options.elements;
  quantization.keepsWeights = in.fp8ParamGather;
  if (in.precision.isSet() && !quantization.isQuantized() &&
      options.elements == ElementKind::F16)
    return makeFailure("--precision=bf16 is not supported with --dtype=f16; "
                       "leave it out for products of f16");
  if (quantization.keepsWeights && !quantization.isQuantized())
    return makeFailure("--fp8-param-gather requires --precision of fewer than "
                       "16 bits, got " +
                       quantization.getName());
  return std::nullopt;
}

/// Reads the properties of a job except its layout, load and overlaps.
static std::optional<Failure> readTraining(TrainingInput &in,
                                           SweepQuestion &question) {
  if (!in.job.isSet())
    return failMissing("config");
  ImportOptions &options = question.sizes;
  if (auto failure = in.job.job.read(options))
    return failure;
  if (options.elements == ElementKind::F32)
    return makeFailure("--dtype: expected bf16 or f16, as weights and "
                       "activations are counted, got 'f32'");
  Result<ParallelismPreset> preset = in.job.job.readPreset();
  if (!preset)
    return preset.getFailure();
  question.preset = *preset;
  Result<int64_t> stage = in.zero.read(getZeroOf(*preset, in.getDefaultZero()));
  if (!stage)
    return stage.getFailure();
  question.zero = ZeroStage(*stage);
  if (auto failure =
          in.state.read(question.stateBytes, *preset, options.elements))
    return failure;
  if (auto failure = readQuantization(in, options, question.quantization))
    return failure;
  Result<ModelSize> model = in.job.readSize();
  if (!model)
    return model.getFailure();
  question.model = std::move(*model);
  auto recompute =
      in.recompute.read(in.job.job.preset, *preset, question.model.config,
                        question.quantization.precision);
  if (!recompute)
    return recompute.getFailure();
  question.recompute = *recompute;
  if (in.globalBatch.isSet() && in.microBatches.isSet())
    return makeFailure(
        "--global-batch is not supported with --num-micro-batches");
  Result<int64_t> batches = in.microBatches.read(1);
  if (!batches)
    return batches.getFailure();
  question.microBatches = *batches;
  if (auto failure = in.globalBatch.readIfSet(question.globalBatch))
    return failure;
  question.statesBatch = in.microBatches.isSet() || question.globalBatch;
  Result<int64_t> further = in.mtpLayers.read(0);
  if (!further)
    return further.getFailure();
  question.mtpLayers = *further;
  return std::nullopt;
}

/// Keeps only the first `number` layers of a model.
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

/// Returns the unique words of a list, or `all` for the word "all".
static std::vector<StringRef> splitList(const TextOption &option,
                                        ArrayRef<StringRef> all) {
  if (option == "all")
    return all;
  SmallVector<StringRef> words;
  StringRef(option.get()).split(words, ',');
  std::vector<StringRef> unique;
  for (StringRef word : words)
    if (!is_contained(unique, word.trim()))
      unique.push_back(word.trim());
  return unique;
}

static std::optional<Failure> readOverlaps(const TrainingInput &in,
                                           JobWays &ways) {
  using estimate::Overlap;
  // The cost model does not distinguish delayed gradients of weights.
  for (StringRef name : splitList(in.overlap, {"none", "1f1b"})) {
    bool isKnown = false;
    for (Overlap overlap :
         {Overlap::None, Overlap::Merged, Overlap::MergedDelayed,
          Overlap::DualPipeV, Overlap::DualPipe})
      if (name == estimate::getName(overlap)) {
        ways.overlaps.push_back(overlap);
        isKnown = true;
      }
    if (!isKnown)
      return makeFailure("--overlap: expected all, or a list of none, 1f1b, "
                         "1f1b-delayed, dualpipev and dualpipe, got '" +
                         name + "'");
  }
  for (Overlap overlap : ways.overlaps)
    if (ways.overlaps.size() > 1 && runsPairs(getStageOrder(overlap)))
      return makeFailure("--overlap=" + getName(overlap) +
                         " is not supported with other overlaps, because its "
                         "stages hold other layers");
  return std::nullopt;
}

static std::optional<Failure> readWays(const TimedTrainingInput &in,
                                       const platform::Platform &platform,
                                       JobWays &ways) {
  std::vector<StringRef> known = {"all-to-all"};
  for (const cost::Dispatcher &dispatcher : platform.rates.dispatchers)
    known.push_back(dispatcher.name);
  ways.dispatchers.clear();
  for (StringRef name : splitList(in.dispatcher, known)) {
    if (!is_contained(known, name))
      return makeFailure("--dispatcher: expected one of " + join(known, ", ") +
                         " on " + platform.machine.name + ", got '" + name +
                         "'");
    ways.dispatchers.push_back(name.str());
  }
  Result<int64_t> sms = in.dispatcherSms.read(20);
  if (!sms)
    return sms.getFailure();
  if (in.dispatcherSms.isSet() && ways.dispatchers.size() == 1 &&
      ways.dispatchers.front() == "all-to-all")
    return makeFailure("--dispatcher-sms is not supported with "
                       "--dispatcher=all-to-all, whose collectives take what "
                       "NCCL gives them");
  ways.dispatcherSms = *sms;
  Result<int64_t> bytes = in.dispatchBytes.read(2);
  if (!bytes)
    return bytes.getFailure();
  if (*bytes < 2 && in.precision == cost::Precision::SixteenBit)
    return makeFailure("--dispatch-bytes=1 requires --precision of fewer than "
                       "16 bits, because experts of 16 bits get tokens of 16");
  ways.dispatchBytes = *bytes;
  ways.cudaGraphs = in.cudaGraphs;
  ways.fullGraph = in.fullGraph;
  if (ways.cudaGraphs && ways.fullGraph)
    return makeFailure("--cuda-graphs is not supported with "
                       "--full-iteration-graph, which already holds the parts "
                       "of layers");
  return std::nullopt;
}

/// Sets the platform's data about products in a precision.
static std::optional<Failure> readProducts(const platform::Platform &platform,
                                           Quantization &quantization) {
  static const cost::Kernels kNone;
  const std::optional<cost::Kernels> &stated = platform.rates.kernels;
  const cost::Kernels &kernels = stated ? *stated : kNone;
  cost::Precision precision = quantization.precision;
  if (std::string problem =
          estimate::checkPrecision(precision, kernels, platform.machine.name);
      !problem.empty())
    return makeFailure(problem);
  if (const auto *products = kernels.findQuantized(precision))
    quantization.products = *products;
  return std::nullopt;
}

/// Reads the given degrees.
static std::optional<Failure> readGiven(const JobOptions &given,
                                        SweepQuestion &question) {
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

static std::optional<Failure> readMemory(const TrainingInput &in,
                                         const platform::Platform *platform,
                                         std::optional<double> &memory) {
  if (in.memoryGB.isSet()) {
    Result<double> gigabytes = in.memoryGB.read();
    if (!gigabytes)
      return gigabytes.getFailure();
    memory = *gigabytes * 1e9;
  } else if (platform && platform->machine.memoryPerRank) {
    memory = platform->machine.memoryPerRank->value.value();
  }
  return std::nullopt;
}

/// Fills in a question, including the inputs of a step's prediction if
/// `isTimed`.
static std::optional<Failure> readInto(TrainingInput &in,
                                       const platform::Platform *platform,
                                       bool isTimed, SweepQuestion &question) {
  if (auto failure = readDeepSpeedConfig(in))
    return failure;
  for (const IntegerOption *size : {&in.job.job.microBatch, &in.job.job.seqLen})
    if (isTimed && in.job.isSet() && !size->isSet())
      return failMissing(size->getName());
  if (auto failure = readTraining(in, question))
    return failure;
  if (platform)
    if (auto failure = readProducts(*platform, question.quantization))
      return failure;
  if (isTimed && !question.model.config.attention)
    return makeFailure(
        in.job.getFile() +
        ": expected a config with num_attention_heads, which the sizes of "
        "activations and non-MoE compute need, got none");
  if (auto failure = in.load.read(question.sizes))
    return failure;
  auto load = in.load.readLoad(question.model.config, question.sizes);
  if (!load)
    return load.getFailure();
  question.load = std::move(*load);
  std::optional<int64_t> layers;
  if (auto failure = in.layers.readIfSet(layers))
    return failure;
  if (layers)
    if (auto failure = keepLayers(question.model, *layers))
      return failure;
  if (platform) {
    question.nodeRanks = platform->machine.levels.front().ranks;
    question.machine = platform->machine.name;
  }
  if (auto failure = readMemory(in, platform, question.memory))
    return failure;
  auto pieces = in.virtualStages.readList({1});
  if (!pieces)
    return pieces.getFailure();
  question.virtualStages = std::move(*pieces);
  auto sizes = in.job.job.microBatch.readList({question.sizes.microBatch});
  if (!sizes)
    return sizes.getFailure();
  question.microBatchSizes = std::move(*sizes);
  question.pipelineLayout = in.pipelineLayout;
  question.statesVirtualStages = in.virtualStages.isSet();
  question.statesMtpLayers = in.mtpLayers.isSet();
  if (auto failure = readOverlaps(in, question.ways))
    return failure;
  question.ways.framework = in.job.job.preset.get();
  question.ways.notModelled = in.notModelled;
  return readGiven(in.job.job, question);
}

Result<SweepQuestion>
moe::planning::readQuestion(TrainingInput &in,
                            const platform::Platform *platform) {
  SweepQuestion question;
  if (auto failure = readInto(in, platform, /*isTimed=*/false, question))
    return *failure;
  return question;
}

Result<SweepQuestion>
moe::planning::readTimedQuestion(TimedTrainingInput &in,
                                 const platform::Platform &platform) {
  SweepQuestion question;
  if (auto failure = readInto(in, &platform, /*isTimed=*/true, question))
    return *failure;
  if (auto failure = readWays(in, platform, question.ways))
    return *failure;
  return question;
}
