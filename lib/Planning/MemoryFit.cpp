// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of a job's ranks, and options that make it fit.

#include "moe/Planning/MemoryFit.h"
#include "moe/Cost/FormatNumber.h"
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

/// Returns the widths of a model's layers on the ranks of a job.
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

/// Returns the parameters of a stage outside of experts.
static double countOther(const ModelSize &model, const LayerCount &layers,
                         bool isFirst, bool isLast) {
  LayerWeights weights = getLayerWeights(model, {});
  auto all = double(layers.getAll());
  return weights.attention * all + weights.dense * double(layers.dense) +
         weights.beside * double(layers.moe) +
         weights.words * double((isFirst ? 1 : 0) + (isLast ? 1 : 0));
}

/// Returns the number of layers of a piece that predict further tokens.
static int64_t countFurther(const TrainingJob &job, size_t piece,
                            size_t pieces) {
  size_t fromLast = pieces - 1 - piece;
  return fromLast < job.furtherTokens.size() ? job.furtherTokens[fromLast] : 0;
}

/// Returns the parameters of the projections in layers of further tokens.
static double countProjections(const ModelSize &model, int64_t further) {
  auto hidden = double(model.config.hiddenSize);
  return 2 * hidden * hidden * double(further);
}

/// Sets the micro-batches of a step that limit how many a stage holds.
static void limitMicroBatches(const TrainingJob &job, StagedStep &step) {
  // Fill the pipeline also if the stated micro-batches give no valid step.
  int64_t enough = 3 * step.stages;
  step.pieces.resize(1);
  const ParallelDegrees &degrees = job.degrees;
  step.microBatches = job.microBatches;
  if (job.globalBatch > 0)
    step.microBatches = job.globalBatch / (job.step.microBatch * degrees.dp *
                                           degrees.getAxisEp());
  if (step.microBatches <= 0 || step.microBatches > enough ||
      !checkStagedStep(step).empty())
    step.microBatches = enough;
}

/// Adds the quantized copies of a stage's weights. `others` and `experts` are
/// the parameters of linear layers outside of experts and of experts, on all
/// ranks together. ZeRO-3 has copies only for the layer at work.
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

/// Returns the memory per rank of one stage. Stages may hold different layers.
static RankMemory getStageMemory(const ModelSize &model, const TrainingJob &job,
                                 ArrayRef<LayerCount> pieces, int64_t stage) {
  StagedStep step;
  step.stages = job.degrees.pp;
  step.virtualStages = job.step.virtualStages;
  step.order = job.order;
  std::vector<int64_t> own = listPieces(step, stage);
  LayerCount layers;
  int64_t further = 0;
  for (int64_t piece : own) {
    further += countFurther(job, size_t(piece), pieces.size());
    layers.moe += pieces[size_t(piece)].moe;
    layers.dense += pieces[size_t(piece)].dense;
  }
  bool isFirst = own.front() == 0,
       isLast = own.back() == step.getNumPieces() - 1;
  layers.moe += further;
  TrainingJob alone = job;
  alone.degrees.pp = 1;
  alone.step.virtualStages = 1;
  RankMemory memory;
  double experts = double(model.expertParameters) * double(layers.moe) /
                   double(model.config.moeLayers.size());
  double projections = countProjections(model, further);
  memory.states = getModelStates(
      countOther(model, layers, isFirst || further > 0, isLast) + projections,
      experts, alone.degrees, job.zero, job.stateBytes);
  addQuantized(memory, job,
               countOther(model, layers, false, false) + projections, experts);
  memory.atWork =
      getLayersAtWork(model, alone.degrees, job.zero, layers, isFirst, isLast);
  if (!model.config.attention || job.step.seqLen == 0)
    return memory;
  ModelShape shape = getShapeOfJob(model, job);
  shape.moeLayers = layers.moe;
  shape.denseLayers = layers.dense;
  int64_t outputs = (isLast ? 1 : 0) + further;
  if (outputs == 0)
    shape.vocabulary = 0;
  memory.activations = getStageActivations(shape, alone.degrees, alone.step);
  memory.activations.logits *= double(outputs);
  // Scale to the micro-batches that this stage holds.
  limitMicroBatches(job, step);
  std::vector<LayerCount> held;
  std::vector<double> sizes;
  for (int64_t piece : own) {
    LayerCount count = pieces[size_t(piece)];
    count.moe += countFurther(job, size_t(piece), pieces.size());
    held.push_back(count);
    sizes.push_back(double(count.getAll()));
  }
  double moe = 0, dense = 0;
  if (job.overlapsPasses)
    ++(layers.moe > 0 ? moe : dense);
  for (auto [count, times] : llvm::zip(held, countHeld(step, stage, sizes))) {
    moe += double(times) * double(count.moe);
    dense += double(times) * double(count.dense);
  }
  auto scale = [](double &bytes, double layersHeld, int64_t layers) {
    bytes *= layers == 0 ? 0 : layersHeld / double(layers);
  };
  StageActivations &parts = memory.activations;
  scale(parts.moe, moe, layers.moe);
  scale(parts.dense, dense, layers.dense);
  for (double *part : {&parts.attention, &parts.inputs})
    scale(*part, moe + dense, layers.getAll());
  memory.partGradients = getPartGradients(model, job);
  return memory;
}

/// Returns the pieces of a job's stages.
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
  int64_t further = 0;
  for (size_t piece = 0; piece < pieces.size(); ++piece)
    further += countFurther(job, piece, pieces.size());
  double more = countProjections(model, further) +
                countOther(model, {further, 0}, false, false);
  double experts =
      double(model.expertParameters) *
      (1 + double(further) / double(model.config.moeLayers.size()));
  LayerCount layers = countOfStage(pieces, 1, 0);
  RankMemory memory;
  memory.states =
      getModelStates(double(model.getNonExpertParameters()) + more, experts,
                     job.degrees, job.zero, job.stateBytes);
  addQuantized(memory, job, countOther(model, layers, false, false) + more,
               experts);
  layers.moe += further;
  memory.atWork = getLayersAtWork(model, job.degrees, job.zero, layers,
                                  /*hasEmbedding=*/true, /*hasOutput=*/true);
  if (!model.config.attention || job.step.seqLen == 0)
    return memory;
  ModelShape shape = getShapeOfJob(model, job);
  shape.moeLayers += further;
  memory.activations = getStageActivations(shape, job.degrees, job.step);
  memory.activations.logits *= double(1 + further);
  if (job.overlapsPasses) {
    auto all = double(shape.moeLayers + shape.denseLayers);
    memory.activations.moe *= 1 + 1 / double(shape.moeLayers);
    for (double *part :
         {&memory.activations.attention, &memory.activations.inputs})
      *part *= 1 + 1 / all;
  }
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

/// Options that make a job fit, as text.
struct FittingChange {
  std::string text;
  bool takesMoreRanks;
};

} // namespace

/// Returns the options that are each sufficient for a job to which the options
/// in `before` have already been applied.
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
        {(before + option + ": " + moe::cost::formatFixed(bytes / 1e9, 1) +
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
    // Both options are tried only if neither is sufficient alone.
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
  // Stated pieces stay as they are.
  if (job.step.virtualStages > 1 && job.pieces.empty())
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
  // Keep the number of ranks by having fewer copies, or else add ranks.
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
    if (degree == &ParallelDegrees::pp && !job.pieces.empty())
      continue;
    else if (!grow(name, degree, divides, /*keepsRanks=*/true))
      grow(name, degree, divides, /*keepsRanks=*/false);
  return found;
}

/// Returns the names of options in, for example, "--ep=16 --dp=4: 61.3 GB".
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
  // Each pair occurs once and must not repeat an option.
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
  // More ranks are proposed only if no other change is sufficient.
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
