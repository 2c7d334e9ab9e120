// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command moe-plan step.

#include "Commands.h"
#include "ConfigJob.h"
#include "MemoryFit.h"
#include "RecomputeOptions.h"
#include "StateOptions.h"
#include "StepLayouts.h"
#include "moe/Estimate/Step.h"
#include "moe/Tools/RoutingOptions.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::schedule;

namespace {

class StepCommand : public Command {
public:
  StepCommand()
      : Command("step", "Predict the time of a training step as a job runs it: "
                        "with its dispatcher, overlap, recomputation and "
                        "pipeline layout") {}
  std::optional<Failure> run(raw_ostream &os) override;
  int getExitCode() const override { return exitCode; }

private:
  std::optional<Failure> readJob(estimate::Job &read);
  std::optional<Failure> readRouting(estimate::Job &read);
  std::optional<Failure> readDegrees(estimate::Job &read);
  std::optional<Failure> readPieces(estimate::Job &read);
  std::optional<Failure> readWays(estimate::Job &read);
  std::optional<Failure> readLayouts(const estimate::Job &read,
                                     const platform::Platform &platform,
                                     SweepQuestion &question);
  std::optional<Failure> runLayouts(raw_ostream &os,
                                    const platform::Platform &platform);

  MachineOptions platform = makeMachineOptions();
  ConfigJob job{subCommand,
                {JobOptions::Missing::One, JobOptions::Missing::Command}};
  RoutingOptions routing{subCommand};
  NumberOption imbalance{
      "imbalance",
      "With --routing=dropless: rows of the busiest rank over an even share "
      "(default: 1)",
      subCommand};
  IntegerOption ranks{"ranks",
                      "Ranks of the job; --dp follows from them and the other "
                      "degrees (default: the product of all degrees)",
                      subCommand};
  IntegerOption microBatches{"num-micro-batches",
                             "Micro-batches per step (default: 1)", subCommand};
  IntegerOption globalBatch{
      "global-batch",
      "Sequences per step over all ranks, instead of --num-micro-batches",
      subCommand};
  IntegerOption virtualStages{
      "virtual-stages",
      "Virtual stages (parts of the model) per stage (default: 1)", subCommand};
  cl::opt<std::string> pipelineLayout{
      "pipeline-layout",
      cl::desc("Layers of each part of the model, as Megatron's "
               "--pipeline-model-parallel-layout has them: \"Et|(tt|)*30mL\""),
      cl::value_desc("TEXT"), cl::sub(subCommand)};
  IntegerOption layers{
      "layers", "Use only the first N layers of the model (default: all)",
      subCommand};
  IntegerOption zero{"zero",
                     "ZeRO stage, 0 to 3 (default: 1; 0 with "
                     "--parallelism=deepspeed, 3 with torchtitan)",
                     subCommand,
                     {0, 3}};
  StateOptions state{subCommand};
  cl::opt<std::string> recompute{
      "recompute",
      cl::desc("Activations that the backward pass recomputes: none (default); "
               "selective, parts of layers (--recompute-modules); full, whole "
               "layers"),
      cl::value_desc("WHAT"), cl::init("none"), cl::sub(subCommand)};
  RecomputeModulesOption recomputeModules{subCommand};
  cl::opt<std::string> dispatcher{
      "dispatcher",
      cl::desc("What exchanges tokens: all-to-all (default), or a dispatcher "
               "that the platform states, as deepep or hybridep"),
      cl::value_desc("NAME"), cl::init("all-to-all"), cl::sub(subCommand)};
  IntegerOption dispatcherSms{"dispatcher-sms",
                              "Streaming multiprocessors that the dispatcher "
                              "takes (default: 20)",
                              subCommand};
  cl::opt<std::string> overlap{
      "overlap",
      cl::desc("Overlap of exchanges with experts: none (default); 1f1b, one "
               "micro-batch's forward with another's backward pass; "
               "1f1b-delayed, the same with gradients of weights put off"),
      cl::value_desc("WHAT"), cl::init("none"), cl::sub(subCommand)};
  cl::opt<bool> cudaGraphs{
      "cuda-graphs", cl::desc("Parts of layers are replayed as CUDA graphs"),
      cl::sub(subCommand)};
  cl::opt<bool> compares{
      "compare",
      cl::desc("Also predict the step with every dispatcher of the platform, "
               "with and without overlap, fastest first"),
      cl::sub(subCommand)};
  cl::opt<bool> allLayouts{
      "all-layouts",
      cl::desc("Predict all layouts of --ranks that fit the memory, each with "
               "its fastest dispatcher and overlap, fastest first; degrees "
               "that are given are fixed"),
      cl::sub(subCommand)};
  NumberOption memoryGB{"memory-gb",
                        "With --all-layouts: memory per rank in GB, 1e9 bytes "
                        "(default: the platform's)",
                        subCommand};
  IntegerOption rows{"rows",
                     "With --all-layouts: largest number of layouts in the "
                     "table (default: 20)",
                     subCommand};
  AnswerOptions answers{subCommand};

  int exitCode = kDone;
};

} // namespace

std::optional<Failure> StepCommand::readRouting(estimate::Job &read) {
  if (auto failure = routing.read(read.options))
    return failure;
  Result<double> load = imbalance.read(1.0);
  if (!load)
    return load.getFailure();
  if (*load < 1)
    return makeFailure("--imbalance: expected at least 1, got '" +
                       imbalance.getText() + "'");
  if (imbalance.isSet() && read.options.routing != moe::Routing::Dropless)
    return makeFailure(
        "--imbalance requires --routing=dropless, because padded "
        "buffers have the same size for every routing");
  read.expertLoad = *load;
  if (read.options.elements != ElementKind::BF16)
    return makeFailure("--dtype: expected bf16, of which rates are measured");
  return std::nullopt;
}

std::optional<Failure> StepCommand::readDegrees(estimate::Job &read) {
  ImportOptions &options = read.options;
  options.train = true;
  bool hasDp = job.job.dp.isSet();
  if (auto failure = job.job.read(options))
    return failure;
  if (auto failure = readRouting(read))
    return failure;
  ParallelDegrees degrees = getDegrees(options);
  if (options.foldEp && options.ep % options.tp != 0)
    return makeFailure("--ep: expected a multiple of --tp, " +
                       Twine(options.tp) + ", with --fold-ep, got " +
                       Twine(options.ep));
  int64_t others = options.pp * options.cp * degrees.getAxisEp() * options.tp;
  std::optional<int64_t> all;
  if (auto failure = ranks.readIfSet(all))
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

std::optional<Failure> StepCommand::readPieces(estimate::Job &read) {
  const ModelConfig &config = read.model.config;
  int64_t stages = read.options.pp;
  Result<int64_t> pieces = virtualStages.read(1);
  if (!pieces)
    return pieces.getFailure();
  int64_t virtuals = stages > 1 ? *pieces : 1;
  if (pipelineLayout.getNumOccurrences() > 0) {
    int64_t found = 1;
    auto parsed =
        estimate::parsePipelineLayout(pipelineLayout, config, stages, found);
    if (!parsed)
      return parsed.getFailure();
    if (virtualStages.isSet() && found != *pieces)
      return makeFailure("--virtual-stages: expected the " + Twine(found) +
                         " that --pipeline-layout has, got " + Twine(*pieces));
    read.pieces = std::move(*parsed);
    return std::nullopt;
  }
  if (stages * virtuals > config.numLayers)
    return makeFailure("--pp: expected at most as many pieces of the model as "
                       "layers, " +
                       Twine(config.numLayers) + ", got " +
                       Twine(stages * virtuals) +
                       "; --pipeline-layout may "
                       "leave pieces empty");
  read.pieces = estimate::splitEvenly(config, stages * virtuals);
  return std::nullopt;
}

std::optional<Failure> StepCommand::readWays(estimate::Job &read) {
  Result<ParallelismPreset> preset = job.job.readPreset();
  if (!preset)
    return preset.getFailure();
  read.framework = job.job.preset;
  Result<int64_t> stage = zero.read(getZeroOf(*preset, 1));
  if (!stage)
    return stage.getFailure();
  read.zero = ZeroStage(*stage);
  if (auto failure =
          state.read(read.stateBytes, *preset, read.options.elements))
    return failure;
  auto modules = recomputeModules.read(*preset, read.model.config);
  if (!modules)
    return modules.getFailure();
  if (recompute == "selective")
    read.recompute = Recompute::Selective;
  else if (recompute == "full")
    read.recompute = Recompute::Layers;
  else if (recompute != "none")
    return makeFailure("--recompute: expected none, selective or full, got '" +
                       recompute + "'");
  if (recomputeModules.isSet() && recompute != "selective")
    return makeFailure("--recompute-modules requires --recompute=selective, "
                       "got '" +
                       recompute + "'");
  if (read.recompute == Recompute::Selective) {
    if (!*modules)
      return makeFailure("--recompute=selective is not supported with "
                         "--parallelism=" +
                         job.job.preset +
                         ", which recomputes whole layers: use "
                         "--recompute=full");
    read.modules = **modules;
  }
  read.dispatcher = dispatcher;
  Result<int64_t> sms = dispatcherSms.read(20);
  if (!sms)
    return sms.getFailure();
  if (dispatcherSms.isSet() && dispatcher == "all-to-all")
    return makeFailure("--dispatcher-sms is not supported with "
                       "--dispatcher=all-to-all, whose collectives take what "
                       "NCCL gives them");
  read.dispatcherSms = *sms;
  if (overlap == "1f1b")
    read.overlap = estimate::Overlap::Merged;
  else if (overlap == "1f1b-delayed")
    read.overlap = estimate::Overlap::MergedDelayed;
  else if (overlap != "none")
    return makeFailure("--overlap: expected none, 1f1b or 1f1b-delayed, got '" +
                       overlap + "'");
  read.cudaGraphs = cudaGraphs;
  return std::nullopt;
}

std::optional<Failure> StepCommand::readJob(estimate::Job &read) {
  if (!job.isSet())
    return failMissing("config");
  for (const IntegerOption *size : {&job.job.microBatch, &job.job.seqLen})
    if (!size->isSet())
      return failMissing(size->getName());
  if (auto failure = readDegrees(read))
    return failure;
  Result<ModelSize> model = job.readSize();
  if (!model)
    return model.getFailure();
  read.model = std::move(*model);
  ModelConfig &config = read.model.config;
  if (read.options.tp > 1 && job.job.sequenceParallel.getNumOccurrences() == 0)
    read.options.sequenceParallel = job.job.preset != "deepspeed";
  if (config.numExperts % read.options.ep != 0)
    return makeFailure("--ep: expected a divisor of the model's " +
                       Twine(config.numExperts) + " experts, got " +
                       Twine(read.options.ep));
  if (layers.isSet()) {
    Result<int64_t> given = layers.read();
    if (!given)
      return given.getFailure();
    auto all = double(config.moeLayers.size());
    if (*given > config.numLayers ||
        (!config.moeLayers.empty() && *given <= config.moeLayers.front()))
      return makeFailure("--layers: expected at least the first MoE layer and "
                         "at most the model's " +
                         Twine(config.numLayers) + " layers, got " +
                         Twine(*given));
    config.numLayers = *given;
    llvm::erase_if(config.moeLayers,
                   [&](int64_t layer) { return layer >= *given; });
    if (!config.parts.empty())
      config.parts.resize(size_t(*given));
    double share = double(config.moeLayers.size()) / all;
    read.model.expertParameters =
        int64_t(double(read.model.expertParameters) * share);
    double left = double(*given) / double(read.model.numLayers);
    for (ParameterPart &part : read.model.nonExpert)
      if (part.name == "attention")
        part.parameters = int64_t(double(part.parameters) * left);
      else if (part.name != "embeddings" && part.name != "dense layers")
        part.parameters = int64_t(double(part.parameters) * share);
    read.model.numLayers = *given;
  }
  if (auto failure = readPieces(read))
    return failure;
  if (auto failure = readWays(read))
    return failure;
  if (globalBatch.isSet() && microBatches.isSet())
    return makeFailure(
        "--global-batch is not supported with --num-micro-batches");
  if (globalBatch.isSet()) {
    Result<int64_t> sequences = globalBatch.read();
    if (!sequences)
      return sequences.getFailure();
    int64_t once = read.options.microBatch * read.options.dp *
                   getDegrees(read.options).getAxisEp();
    if (*sequences % once != 0)
      return makeFailure("--global-batch: expected a multiple of the sequences "
                         "that ranks have at once, " +
                         Twine(once) + ", got " + Twine(*sequences));
    read.microBatches = *sequences / once;
    return std::nullopt;
  }
  Result<int64_t> micro = microBatches.read(1);
  if (!micro)
    return micro.getFailure();
  read.microBatches = *micro;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// Passes of all parts, or of the experts' parts.
static std::pair<double, double> sumParts(const estimate::PartList &parts,
                                          bool ofExperts) {
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

static void printJSON(json::OStream &out, const estimate::Job &job,
                      const platform::Platform &platform,
                      const estimate::StepEstimate &step) {
  const ImportOptions &options = job.options;
  out.attribute("platform", platform.machine.name);
  for (auto [key, degree] : {std::pair("dp", options.dp),
                             {"pp", options.pp},
                             {"cp", options.cp},
                             {"ep", options.ep},
                             {"tp", options.tp}})
    out.attribute(key, degree);
  out.attribute("fold_ep", options.foldEp);
  out.attribute("micro_batches", job.microBatches);
  out.attributeArray("layers", [&] {
    for (const estimate::Piece &piece : job.pieces)
      out.value(piece.moe + piece.dense + piece.furtherTokens);
  });
  out.attribute("dispatcher", job.dispatcher);
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
  out.attributeArray("not_modelled", [&] {
    for (const std::string &what : step.notModelled)
      out.value(what);
  });
}

static void printParts(raw_ostream &os, StringRef title,
                       const estimate::PartList &parts) {
  auto [forwardUs, backwardUs] = sumParts(parts, /*ofExperts=*/false);
  os << "\n" << title << ", us for one micro-batch of a rank\n";
  Report table = makeList({false, false, true, true});
  table.addRow({"  part", "what it is", "forward", "backward"});
  for (const estimate::LayerPart &part : parts)
    table.addRow({("  " + part.name).str(), estimate::getName(part.kind).str(),
                  formatFixed(part.forwardUs, 1),
                  formatFixed(part.backwardUs, 1)});
  table.addRow({"  all", std::string(), formatFixed(forwardUs, 1),
                formatFixed(backwardUs, 1)});
  table.printTable(os, /*withHeading=*/false);
}

std::optional<Failure>
StepCommand::readLayouts(const estimate::Job &read,
                         const platform::Platform &platform,
                         SweepQuestion &question) {
  for (StringRef option :
       {dispatcher.getNumOccurrences() ? dispatcher.ArgStr : StringRef(),
        overlap.getNumOccurrences() ? overlap.ArgStr : StringRef(),
        pipelineLayout.getNumOccurrences() ? pipelineLayout.ArgStr
                                           : StringRef(),
        layers.isSet() ? layers.getName() : StringRef()})
    if (!option.empty())
      return makeFailure("--" + option +
                         " is not supported with --all-layouts");
  Result<int64_t> all = ranks.read();
  if (!all)
    return all.getFailure();
  question.model = read.model;
  question.timed = read.model.config;
  question.sizes = read.options;
  question.ranks = *all;
  question.nodeRanks = platform.machine.levels.front().ranks;
  if (memoryGB.isSet()) {
    Result<double> gigabytes = memoryGB.read();
    if (!gigabytes)
      return gigabytes.getFailure();
    question.memory = *gigabytes * 1e9;
  } else if (platform.machine.memoryPerRank) {
    question.memory = platform.machine.memoryPerRank->value.value();
  } else {
    return makeFailure("--memory-gb is required, because " +
                       platform.machine.name +
                       " does not state memory_per_rank_bytes");
  }
  question.zero = read.zero;
  question.stateBytes = read.stateBytes;
  question.microBatches = read.microBatches;
  if (auto failure = globalBatch.readIfSet(question.globalBatch))
    return failure;
  Result<int64_t> pieces = virtualStages.read(1);
  if (!pieces)
    return pieces.getFailure();
  question.virtualStages = *pieces;
  Result<ParallelismPreset> preset = job.job.readPreset();
  if (!preset)
    return preset.getFailure();
  question.preset = *preset;
  auto modules = recomputeModules.read(*preset, read.model.config);
  if (!modules)
    return modules.getFailure();
  question.modules = *modules;
  if (recompute.getNumOccurrences() > 0)
    question.recompute = read.recompute;
  for (auto [option, degree] : {std::pair(&job.job.dp, &question.dp),
                                {&job.job.ep, &question.ep},
                                {&job.job.tp, &question.tp},
                                {&job.job.cp, &question.cp},
                                {&job.job.pp, &question.pp},
                                {&job.job.esp, &question.esp}})
    if (auto failure = option->readIfSet(*degree))
      return failure;
  if (job.job.foldEp.getNumOccurrences() > 0)
    question.foldEp = bool(job.job.foldEp);
  if (job.job.sequenceParallel.getNumOccurrences() > 0)
    question.sequenceParallel = bool(job.job.sequenceParallel);
  return std::nullopt;
}

std::optional<Failure>
StepCommand::runLayouts(raw_ostream &os, const platform::Platform &platform) {
  if (!job.isSet())
    return failMissing("config");
  for (const IntegerOption *size : {&job.job.microBatch, &job.job.seqLen})
    if (!size->isSet())
      return failMissing(size->getName());
  estimate::Job read;
  if (auto failure = job.job.read(read.options))
    return failure;
  if (auto failure = readRouting(read))
    return failure;
  Result<ModelSize> model = job.readSize();
  if (!model)
    return model.getFailure();
  read.model = std::move(*model);
  if (!read.model.config.attention)
    return makeFailure("--config: expected a config with num_attention_heads, "
                       "got none");
  if (auto failure = readWays(read))
    return failure;
  Result<int64_t> micro = microBatches.read(1);
  if (!micro)
    return micro.getFailure();
  read.microBatches = *micro;
  if (globalBatch.isSet() && microBatches.isSet())
    return makeFailure(
        "--global-batch is not supported with --num-micro-batches");
  SweepQuestion question;
  if (auto failure = readLayouts(read, platform, question))
    return failure;
  Result<int64_t> most = rows.read(20);
  if (!most)
    return most.getFailure();
  Result<std::vector<StepLayout>> ranked =
      rankStepLayouts(read, question, platform);
  if (!ranked)
    return ranked.getFailure();
  exitCode = ranked->empty() ? kNo : kDone;
  Result<bool> isAnswered =
      answers.answer(os, "moe-plan step", [&](json::OStream &out) {
        out.attribute("platform", platform.machine.name);
        out.attribute("ranks", question.ranks);
        printStepLayouts(out, *ranked, size_t(*most));
      });
  if (!isAnswered)
    return isAnswered.getFailure();
  if (!*isAnswered)
    printStepLayouts(os, *ranked, size_t(*most));
  return std::nullopt;
}

std::optional<Failure> StepCommand::run(raw_ostream &os) {
  Result<platform::Platform> loaded = platform.load();
  if (!loaded)
    return loaded.getFailure();
  if (allLayouts)
    return runLayouts(os, *loaded);
  if (memoryGB.isSet() || rows.isSet())
    return makeFailure(
        "--" + (memoryGB.isSet() ? memoryGB.getName() : rows.getName()) +
        " requires --all-layouts");
  estimate::Job read;
  if (auto failure = readJob(read))
    return failure;
  Result<estimate::StepEstimate> step = estimate::estimateStep(read, *loaded);
  if (!step)
    return step.getFailure();
  std::vector<StepAlternative> alternatives;
  if (compares)
    alternatives = listAlternatives(read, *loaded);
  Result<bool> isAnswered =
      answers.answer(os, "moe-plan step", [&](json::OStream &out) {
        printJSON(out, read, *loaded, *step);
        if (compares)
          printAlternatives(out, alternatives);
      });
  if (!isAnswered)
    return isAnswered.getFailure();
  if (*isAnswered)
    return std::nullopt;
  os << "a step takes " << formatFixed(step->stepUs / 1e3, 1) << " ms, "
     << formatFixed(step->tokensPerSecond, 0) << " tokens/s";
  if (step->utilisation)
    os << ", MFU " << formatFixed(100 * *step->utilisation, 1) << " %";
  os << "\n\nthe busiest stage spends it on\n";
  Report spent = makeList({false, true, true});
  for (const auto &[what, us] : step->spentUs)
    spent.addRow({"  " + what, formatFixed(us / 1e3, 1) + " ms",
                  formatFixed(100 * us / step->stepUs, 0) + " %"});
  spent.printTable(os, /*withHeading=*/false);
  printParts(os, "a MoE layer", step->moeLayer);
  if (!step->denseLayer.empty())
    printParts(os, "a dense layer", step->denseLayer);
  if (compares)
    printAlternatives(os, alternatives);
  if (!step->notModelled.empty()) {
    os << "\nnot modelled\n";
    for (const std::string &what : step->notModelled)
      os << "  " << what << "\n";
  }
  return std::nullopt;
}

std::unique_ptr<Command> moe::plan::createStepCommand() {
  return std::make_unique<StepCommand>();
}
