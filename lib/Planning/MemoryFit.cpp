// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a job fits a rank's memory.

#include "moe/Planning/MemoryFit.h"
#include "moe/Planning/RecomputeOptions.h"
#include "moe/Schedule/StageSchedule.h"
#include "moe/Support/Report.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>
#include <set>

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::schedule;

ParallelDegrees moe::planning::getDegrees(const ImportOptions &options) {
  ParallelDegrees degrees;
  degrees.tp = options.tp;
  degrees.ep = options.ep;
  degrees.dp = options.dp;
  degrees.pp = options.pp;
  degrees.cp = options.cp;
  degrees.esp = options.esp.value_or(0);
  degrees.foldEp = options.foldEp;
  return degrees;
}

ModelShape moe::planning::getShape(const ModelSize &model) {
  const ModelConfig &config = model.config;
  const AttentionWidths attention = config.getMeanAttention();
  ModelShape shape{};
  shape.hidden = config.hiddenSize;
  shape.queries = attention.query;
  // Latent ones are stated together; plain ones of keys.
  shape.keysAndValues =
      attention.keyValue + (attention.latent > 0 ? 0 : attention.getValue());
  shape.output = attention.output;
  shape.latents = attention.queryLatent + attention.latent + attention.rotary;
  shape.queryLatents = attention.queryLatent;
  shape.heads = attention.heads;
  shape.experts = config.numExperts;
  shape.topK = config.getSentTopK();
  shape.expertFFN = config.expertFFNSize;
  shape.sharedFFN = config.sharedFFNSize;
  shape.denseFFN = config.denseFFNSize;
  shape.numMatrices = config.getNumMatrices();
  shape.moeLayers = config.moeLayers.size();
  shape.denseLayers = model.numLayers - shape.moeLayers;
  shape.vocabulary = model.vocabulary;
  return shape;
}

/// The widths of a model's layers on the ranks of a job.
static ModelShape getShapeOfJob(const ModelSize &model,
                                const TrainingJob &job) {
  ModelShape shape = moe::planning::getShape(model);
  int64_t heads = model.config.attention->keyValueHeads;
  // The memory model divides the widths by the ranks.
  if (job.sharesKeyValues && job.degrees.tp > heads)
    shape.keysAndValues = shape.keysAndValues * job.degrees.tp / heads;
  return shape;
}

double moe::planning::getPartGradients(const ModelSize &model,
                                       const TrainingJob &job) {
  LayerWeights weights = getLayerWeights(model, job.degrees);
  return schedule::getPartGradients(
      weights.attention +
          std::max(weights.experts + weights.beside, weights.dense),
      job.step);
}

/// The parameters of a stage outside of experts.
static double countOther(const ModelSize &model, const LayerCount &layers,
                         bool isFirst, bool isLast) {
  LayerWeights weights = getLayerWeights(model, {});
  auto all = double(layers.getAll());
  return weights.attention * all + weights.dense * double(layers.dense) +
         weights.beside * double(layers.moe) +
         weights.words * double((isFirst ? 1 : 0) + (isLast ? 1 : 0));
}

/// Adds the quantized copies of a stage's weights, of so many parameters of
/// linear layers outside of experts and of experts in all ranks together.
/// ZeRO-3 only has copies for the layer at work.
static void addQuantized(RankMemory &memory, const TrainingJob &job,
                         double others, double experts) {
  if (job.quantizedWeight == 0 || job.zero == ZeroStage::Parameters)
    return;
  const ParallelDegrees &degrees = job.degrees;
  others /= double(degrees.tp);
  experts /= double(degrees.ep * degrees.getExpertShards());
  memory.quantizedWeights = job.quantizedWeight * (others + experts);
  if (job.keepsSixteenBits)
    return;
  constexpr double kWeight = 2;
  memory.states.nonExpertBytes -= kWeight * others;
  memory.states.expertBytes -= kWeight * experts;
}

/// A rank of one stage, whose pieces hold other layers than those of another.
static RankMemory getStageMemory(const ModelSize &model, const TrainingJob &job,
                                 ArrayRef<LayerCount> pieces, int64_t stage) {
  int64_t stages = job.degrees.pp;
  LayerCount layers = countOfStage(pieces, stages, stage);
  bool isLast = stage == stages - 1;
  TrainingJob alone = job;
  alone.degrees.pp = 1;
  alone.step.virtualStages = 1;
  RankMemory memory;
  double experts = double(model.expertParameters) * double(layers.moe) /
                   double(model.config.moeLayers.size());
  memory.states =
      getModelStates(countOther(model, layers, stage == 0, isLast), experts,
                     alone.degrees, job.zero, job.stateBytes);
  addQuantized(memory, job, countOther(model, layers, false, false), experts);
  memory.atWork = getLayersAtWork(model, alone.degrees, job.zero, layers,
                                  stage == 0, isLast);
  if (!model.config.attention || job.step.seqLen == 0)
    return memory;
  ModelShape shape = getShapeOfJob(model, job);
  shape.moeLayers = layers.moe;
  shape.denseLayers = layers.dense;
  if (!isLast)
    shape.vocabulary = 0;
  memory.activations = getStageActivations(shape, alone.degrees, alone.step);
  // For as many micro-batches as a stage at this place holds.
  StagedStep step;
  step.stages = stages;
  step.virtualStages = job.step.virtualStages;
  step.microBatches = 3 * stages;
  double held =
      double(getMostHeld(step, stage)) / double(job.step.virtualStages);
  StageActivations &parts = memory.activations;
  for (double *part :
       {&parts.attention, &parts.moe, &parts.dense, &parts.inputs})
    *part *= held;
  memory.partGradients = getPartGradients(model, job);
  return memory;
}

/// The pieces that a job's stages hold.
static std::vector<LayerCount> listPieces(const ModelSize &model,
                                          const TrainingJob &job) {
  if (!job.pieces.empty())
    return job.pieces;
  return splitLayers(model.config, job.degrees.pp * job.step.virtualStages);
}

std::vector<RankMemory> moe::planning::listStageMemory(const ModelSize &model,
                                                       const TrainingJob &job) {
  std::vector<RankMemory> memory;
  if (job.degrees.pp == 1)
    return memory;
  std::vector<LayerCount> pieces = listPieces(model, job);
  for (int64_t stage = 0; stage < job.degrees.pp; ++stage)
    memory.push_back(getStageMemory(model, job, pieces, stage));
  return memory;
}

RankMemory moe::planning::getRankMemory(const ModelSize &model,
                                        const TrainingJob &job) {
  if (job.degrees.pp > 1) {
    std::vector<RankMemory> stages = listStageMemory(model, job);
    return *llvm::max_element(
        stages, [](const RankMemory &left, const RankMemory &right) {
          return left.getBytes() < right.getBytes();
        });
  }
  std::vector<LayerCount> pieces = listPieces(model, job);
  RankMemory memory;
  memory.states = getModelStates(double(model.getNonExpertParameters()),
                                 double(model.expertParameters), job.degrees,
                                 job.zero, job.stateBytes);
  addQuantized(memory, job,
               countOther(model, countOfStage(pieces, 1, 0), false, false),
               double(model.expertParameters));
  memory.atWork =
      getLayersAtWork(model, job.degrees, job.zero, countOfStage(pieces, 1, 0),
                      /*hasEmbedding=*/true, /*hasOutput=*/true);
  if (!model.config.attention || job.step.seqLen == 0)
    return memory;
  memory.activations =
      getStageActivations(getShapeOfJob(model, job), job.degrees, job.step);
  memory.partGradients = getPartGradients(model, job);
  return memory;
}

double moe::planning::getRankBytes(const ModelSize &model,
                                   const TrainingJob &job) {
  return getRankMemory(model, job).getBytes();
}

std::vector<std::pair<StringRef, StateBytes>>
moe::planning::listSmallerStates(const StateBytes &bytes) {
  // Moments and gradients of 16 bits.
  constexpr double kOptimizer = 8, kGradient = 2;
  std::vector<std::pair<StringRef, StateBytes>> smaller;
  bool optimizer = bytes.optimizer > kOptimizer,
       gradient = bytes.gradient > kGradient;
  if (optimizer)
    smaller.push_back({"--optimizer-bytes=8", {kOptimizer, bytes.gradient}});
  if (gradient)
    smaller.push_back({"--gradient-bytes=2", {bytes.optimizer, kGradient}});
  if (optimizer && gradient)
    smaller.push_back(
        {"--optimizer-bytes=8 --gradient-bytes=2", {kOptimizer, kGradient}});
  return smaller;
}

namespace {

/// Options that make a job fit, as they are said.
struct FittingChange {
  std::string text;
  bool takesMoreRanks;
};

} // namespace

/// The options that are enough by themselves, for a job that has those of
/// `before` already.
static std::vector<FittingChange> findOptions(const ModelSize &model,
                                              const TrainingJob &job,
                                              const FitLimits &limits,
                                              StringRef before = "") {
  std::vector<FittingChange> found;
  auto check = [&](const Twine &option, const TrainingJob &changed) {
    double bytes = getRankBytes(model, changed);
    if (bytes > limits.bytes)
      return false;
    int64_t ranks = changed.degrees.getNumRanks();
    int64_t had = job.degrees.getNumRanks();
    if (ranks > std::max(had, limits.ranks))
      return false;
    found.push_back(
        {(before + option + ": " + moe::support::formatFixed(bytes / 1e9, 1) +
          " GB" +
          (ranks == had ? ""
                        : ", on " + std::to_string(ranks) +
                              " ranks instead of " + std::to_string(had)))
             .str(),
         ranks > had});
    return true;
  };
  TrainingJob changed = job;
  for (int stage = int(job.zero) + 1; stage <= (limits.shardsGradients ? 3 : 1);
       ++stage) {
    changed.zero = ZeroStage(stage);
    if (check("--zero=" + Twine(stage), changed))
      break;
  }
  changed = job;
  if (job.step.recompute == Recompute::Nothing)
    for (const RecomputeModules &set : limits.sets) {
      changed.step.recompute = Recompute::Selective;
      changed.step.modules = set;
      if (check("--recompute=selective --recompute-modules=" +
                    join(listModules(set), ","),
                changed))
        break;
    }
  changed.step.recompute = Recompute::Layers;
  if (job.step.recompute != Recompute::Layers)
    check("--recompute=full", changed);
  changed = job;
  bool fitsAlone = false;
  for (const auto &[options, bytes] : listSmallerStates(job.stateBytes)) {
    // Two at once where neither is enough.
    if (fitsAlone && options.contains(' '))
      continue;
    changed.stateBytes = bytes;
    fitsAlone |= check(options, changed);
  }
  changed = job;
  changed.step.sequenceParallel = true;
  if (!job.step.sequenceParallel && job.degrees.tp > 1)
    check("--sequence-parallel", changed);
  changed = job;
  changed.step.parts = 1;
  if (job.step.parts > 1)
    check("--sub-batches=1", changed);
  changed = job;
  changed.step.virtualStages = 1;
  if (job.step.virtualStages > 1)
    check("--virtual-stages=1", changed);
  for (int64_t batch = job.step.microBatch / 2;
       batch >= job.step.parts && batch % job.step.parts == 0; batch /= 2) {
    changed = job;
    changed.step.microBatch = batch;
    if (check("--micro-batch=" + Twine(batch), changed))
      break;
  }
  const ModelConfig &config = model.config;
  struct {
    const char *name;
    int64_t ParallelDegrees::*degree;
    std::vector<int64_t> divides;
  } degrees[] = {
      {"ep", &ParallelDegrees::ep, {config.numExperts}},
      {"tp",
       &ParallelDegrees::tp,
       {config.attention->heads, config.expertFFNSize}},
      {"pp", &ParallelDegrees::pp, {}},
      {"cp", &ParallelDegrees::cp, {job.step.seqLen}},
  };
  // On as many ranks, for which there are fewer copies, or else on more.
  auto grow = [&](StringRef name, int64_t ParallelDegrees::*degree,
                  ArrayRef<int64_t> divides, bool keepsRanks) {
    for (int64_t next = job.degrees.*degree * 2;; next *= 2) {
      if (llvm::any_of(divides, [&](int64_t size) { return size % next != 0; }))
        return false;
      if (name == "tp" && next > limits.nodeRanks)
        return false;
      if (name == "cp" && job.step.seqLen < next * kLeastContext)
        return false;
      int64_t heads = config.attention->keyValueHeads;
      if (name == "tp" && limits.dividesKeyValues && heads % next != 0 &&
          next % heads != 0)
        return false;
      if (divides.empty() && next * job.step.virtualStages > model.numLayers)
        return false;
      TrainingJob larger = job;
      larger.degrees.*degree = next;
      if (larger.degrees.foldEp && larger.degrees.ep % larger.degrees.tp != 0)
        return false;
      std::string options = ("--" + name + "=" + Twine(next)).str();
      int64_t ranks = larger.degrees.getNumRanks(),
              before = job.degrees.getNumRanks();
      if (keepsRanks && ranks != before) {
        if (job.degrees.dp * before % ranks != 0)
          return false;
        larger.degrees.dp = job.degrees.dp * before / ranks;
        options += " --dp=" + std::to_string(larger.degrees.dp);
      }
      if (check(options, larger))
        return true;
    }
  };
  for (auto &[name, degree, divides] : degrees)
    if (!grow(name, degree, divides, /*keepsRanks=*/true))
      grow(name, degree, divides, /*keepsRanks=*/false);
  return found;
}

/// The names of options in "--ep=16 --dp=4: 61.3 GB".
static std::set<StringRef> listNames(StringRef change) {
  std::set<StringRef> names;
  SmallVector<StringRef> words;
  change.take_until([](char c) { return c == ':'; }).split(words, ' ');
  for (StringRef word : words)
    if (word.starts_with("--"))
      names.insert(word.split('=').first);
  return names;
}

std::vector<std::string> moe::planning::findWhatFits(const ModelSize &model,
                                                     const TrainingJob &job,
                                                     const FitLimits &limits) {
  auto say = [](ArrayRef<FittingChange> changes) {
    std::vector<std::string> texts;
    for (const FittingChange &change : changes)
      texts.push_back(change.text);
    return texts;
  };
  std::vector<FittingChange> found = findOptions(model, job, limits);
  if (!found.empty())
    return say(found);
  std::vector<std::pair<std::string, TrainingJob>> firsts;
  auto add = [&](const Twine &option, bool isNew, auto change) {
    if (isNew)
      change(firsts.emplace_back(option.str(), job).second);
  };
  for (int stage : {1, 3})
    add("--zero=" + Twine(stage), int(job.zero) < stage,
        [&](TrainingJob &first) { first.zero = ZeroStage(stage); });
  add("--recompute=full", job.step.recompute != Recompute::Layers,
      [](TrainingJob &first) { first.step.recompute = Recompute::Layers; });
  add("--sequence-parallel", !job.step.sequenceParallel && job.degrees.tp > 1,
      [](TrainingJob &first) { first.step.sequenceParallel = true; });
  for (const auto &[options, bytes] : listSmallerStates(job.stateBytes))
    add(options, true, [&](TrainingJob &first) { first.stateBytes = bytes; });
  add("--micro-batch=" + Twine(job.step.parts),
      job.step.microBatch > job.step.parts,
      [](TrainingJob &first) { first.step.microBatch = first.step.parts; });
  // Each two once, and no option twice.
  std::set<std::set<std::string>> seen;
  for (const auto &[option, first] : firsts) {
    std::set<StringRef> given = listNames(option);
    for (FittingChange &change :
         findOptions(model, first, limits, option + " ")) {
      std::set<StringRef> names = listNames(change.text);
      std::set<StringRef> added =
          listNames(StringRef(change.text).drop_front(option.size()));
      if (names.size() == given.size() + added.size() &&
          seen.insert({names.begin(), names.end()}).second)
        found.push_back(std::move(change));
    }
  }
  // More ranks where there is no other way.
  auto takesMoreRanks = [](const FittingChange &change) {
    return change.takesMoreRanks;
  };
  if (!llvm::all_of(found, takesMoreRanks))
    llvm::erase_if(found, takesMoreRanks);
  constexpr size_t kMostPairs = 8;
  if (found.size() > kMostPairs)
    found.erase(found.begin() + kMostPairs, found.end());
  return say(found);
}
