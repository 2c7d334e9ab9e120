// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step times of training jobs in their own framework.

#include "moe/Estimate/Step.h"
#include "Pricer.h"
#include "moe/Schedule/StageSchedule.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <utility>

using namespace llvm;
using namespace moe;
using namespace moe::estimate;
using cost::Failure;
using schedule::Recompute;
using schedule::RecomputeModule;
using schedule::StageOrder;

StringRef moe::estimate::getName(PartKind kind) {
  switch (kind) {
  case PartKind::Compute:
    return "products";
  case PartKind::Memory:
    return "memory-bound kernels";
  case PartKind::ExpertExchange:
    return "expert exchanges";
  case PartKind::Exchange:
    return "other exchanges";
  case PartKind::Host:
    return "host";
  }
  return "";
}

StringRef moe::estimate::getName(Overlap overlap) {
  switch (overlap) {
  case Overlap::None:
    return "none";
  case Overlap::Merged:
    return "1f1b";
  case Overlap::MergedDelayed:
    return "1f1b-delayed";
  case Overlap::DualPipeV:
  case Overlap::DualPipe:
    return schedule::getName(getStageOrder(overlap));
  }
  return "";
}

StageOrder moe::estimate::getStageOrder(Overlap overlap) {
  switch (overlap) {
  case Overlap::DualPipeV:
    return StageOrder::DualPipeV;
  case Overlap::DualPipe:
    return StageOrder::DualPipe;
  default:
    return StageOrder::OneForwardOneBackward;
  }
}

double moe::estimate::getExchangeUs(const StepEstimate &estimate) {
  for (const auto &[what, us] : estimate.spentUs)
    if (what == getName(PartKind::ExpertExchange))
      return us;
  return 0;
}

namespace {

/// Times of passes of one micro-batch, by kinds of parts.
struct Passes {
  std::array<double, kNumPartKinds> forwardUs{}, backwardUs{};
  /// The part of the backward pass for weight gradients.
  double weightUs = 0;

  void add(const LayerPart &part) {
    forwardUs[unsigned(part.kind)] += part.forwardUs;
    backwardUs[unsigned(part.kind)] += part.backwardUs;
  }
  void add(const Passes &other, double times) {
    for (unsigned i = 0; i < kNumPartKinds; ++i) {
      forwardUs[i] += times * other.forwardUs[i];
      backwardUs[i] += times * other.backwardUs[i];
    }
    weightUs += times * other.weightUs;
  }
  static double sum(const std::array<double, kNumPartKinds> &us) {
    double all = 0;
    for (double one : us)
      all += one;
    return all;
  }
  double getForwardUs() const { return sum(forwardUs); }
  double getBackwardUs() const { return sum(backwardUs); }
  schedule::PassTimes getTimes() const {
    auto exchange = unsigned(PartKind::ExpertExchange);
    auto compute = unsigned(PartKind::Compute);
    return {getForwardUs(),      getBackwardUs(),      weightUs,
            forwardUs[exchange], backwardUs[exchange], forwardUs[compute],
            backwardUs[compute]};
  }
};

class Estimator {
public:
  Estimator(const Job &job, const platform::Platform &platform,
            cost::Kernels kernels)
      : job(job), platform(platform), config(job.model.config),
        pricer(job, platform, std::move(kernels)) {}

  cost::Result<StepEstimate> run();

private:
  Passes priceLayer(const PartList &parts);
  bool isRecomputed(const LayerPart &part) const;
  void addOutput();
  void hideExchanges(Passes &passes);
  void pairPasses(Passes &passes);
  void hide(std::array<double, kNumPartKinds> &us, double savedUs) const;
  Passes sumStage(const schedule::StagedStep &step,
                  const std::vector<Passes> &pieces, int64_t stage) const;
  double getOverlapCost() const;
  void addGathers(Passes &passes, double experts, double others);
  void addState(const schedule::StagedStep &step,
                const std::vector<Passes> &pieces);
  double getOptimizerUs(double experts, double others) const;
  double getExposedUs(double us, double computingUs) const;
  std::optional<Failure> addRates(const schedule::StagedStep &step);

  const Job &job;
  const platform::Platform &platform;
  const ModelConfig &config;
  Pricer pricer;
  StepEstimate estimate;
  const platform::HostCost *host = nullptr;
  Passes moeLayer, denseLayer, output;
  /// Numbers of parameters per rank.
  double expertsOfLayer = 0, othersOfMoE = 0, othersOfDense = 0, words = 0;
  /// Work of the busiest stage after its passes.
  double sumUs = 0, gatherUs = 0, optimizerUs = 0;
};

} // namespace

bool Estimator::isRecomputed(const LayerPart &part) const {
  if (job.recompute == Recompute::Nothing)
    return false;
  if (job.recompute == Recompute::Layers)
    return true;
  static constexpr std::pair<RecomputeModule, StringLiteral> kParts[] = {
      {RecomputeModule::CoreAttention, "attention"},
      {RecomputeModule::UpProjection, "latent up-projections"},
      {RecomputeModule::UpProjection, "quantization of latent up-projections"},
      {RecomputeModule::Norms, "norms"},
      {RecomputeModule::ExpertActivation, "experts' activation"},
      {RecomputeModule::DenseNetwork, "dense network"},
      {RecomputeModule::DenseNetwork, "quantization of the dense network"},
      {RecomputeModule::SharedExperts, "shared experts"},
      {RecomputeModule::SharedExperts, "quantization of shared experts"}};
  for (const auto &[module, name] : kParts)
    if (job.modules.has(module) && part.name == name)
      return true;
  return (job.modules.has(RecomputeModule::MoELayer) && part.isOfExperts) ||
         (job.modules.has(RecomputeModule::UnsavedOps) &&
          part.kind == PartKind::Memory);
}

Passes Estimator::priceLayer(const PartList &parts) {
  Passes passes;
  for (LayerPart part : parts) {
    // Each of a product's two gradients takes about half of the time.
    if (part.kind == PartKind::Compute && part.name != "attention")
      passes.weightUs += part.backwardUs / 2;
    if (isRecomputed(part))
      part.backwardUs += part.forwardUs;
    else if (job.modules.has(RecomputeModule::UnsavedOps) &&
             job.recompute == Recompute::Selective &&
             part.kind == PartKind::Compute && part.name != "attention")
      // Every other product is recomputed.
      part.backwardUs += part.forwardUs / 2;
    passes.add(part);
  }
  if (host) {
    // A backward pass launches about twice as many kernels.
    double us = host->getLayer(job.options.tp).value();
    bool again = job.recompute == Recompute::Layers;
    passes.forwardUs[unsigned(PartKind::Host)] += us / 3;
    passes.backwardUs[unsigned(PartKind::Host)] += us * (again ? 3 : 2) / 3;
  }
  return passes;
}

void Estimator::addOutput() {
  if (job.model.vocabulary <= 0)
    return;
  const ImportOptions &options = job.options;
  double tokens =
      double(options.microBatch * options.seqLen) / double(options.cp);
  double vocabulary = double(job.model.vocabulary) / double(options.tp);
  double hidden = double(config.hiddenSize);
  LayerPart product{"output layer", PartKind::Compute};
  product.forwardUs = pricer.getProductUs(tokens, vocabulary, hidden);
  output.weightUs = pricer.getProductUs(hidden, vocabulary, tokens);
  product.backwardUs =
      pricer.getProductUs(tokens, hidden, vocabulary) + output.weightUs;
  output.add(product);
  // 32-bit logits: write them, find the maximum, sum their exponentials; and
  // compute the gradient from them.
  double logits = tokens * vocabulary;
  output.add({"loss", PartKind::Memory, pricer.getMemoryUs(18 * logits, 4),
              pricer.getMemoryUs(10 * logits, 2)});
}

void Estimator::hideExchanges(Passes &passes) {
  if (job.overlap == Overlap::None)
    return;
  if (runsPairs(getStageOrder(job.overlap)))
    return pairPasses(passes);
  double share = platform.rates.hiddenExchanges->value;
  auto exchange = unsigned(PartKind::ExpertExchange);
  for (auto *us : {&passes.forwardUs, &passes.backwardUs})
    (*us)[exchange] -=
        std::min(share * (*us)[exchange], (*us)[unsigned(PartKind::Compute)]);
}

/// Pairs the forward and backward pass of the same layer, if there is no
/// pipeline.
void Estimator::pairPasses(Passes &passes) {
  if (job.options.pp > 1)
    return;
  schedule::PassTimes times = passes.getTimes();
  schedule::PairSaving saving = getPairSaving(times, times, getOverlapCost());
  hide(passes.forwardUs, saving.forwardUs);
  hide(passes.backwardUs, saving.backwardUs);
}

/// Subtracts the saving of a paired pass from `us`: its hidden exchanges, minus
/// the slowdown of products.
void Estimator::hide(std::array<double, kNumPartKinds> &us,
                     double savedUs) const {
  if (savedUs <= 0)
    return;
  double cost = getOverlapCost();
  double &exchangeUs = us[unsigned(PartKind::ExpertExchange)];
  double hiddenUs = std::min(savedUs / (1 - cost), exchangeUs);
  exchangeUs -= hiddenUs;
  us[unsigned(PartKind::Compute)] += cost * hiddenUs;
}

/// Returns the time that products lose to a concurrent transfer, relative to
/// the transfer's time.
double Estimator::getOverlapCost() const {
  double tokens = double(job.options.microBatch * job.options.seqLen) /
                  double(job.options.cp);
  return pricer.kernels.getOverlapCost(tokens, double(config.hiddenSize) /
                                                   double(job.options.tp));
}

/// Returns the time that a transfer adds to `computingUs` of concurrent
/// compute: its exposed part, and the slowdown of products.
double Estimator::getExposedUs(double us, double computingUs) const {
  double cost = getOverlapCost();
  double hidden = std::min(us, computingUs / (1 + cost));
  return us - hidden + cost * hidden;
}

/// Adds the gathers of shared weights (ZeRO-3) for each pass, and the scatter
/// of gradients after the backward pass, which overlap with the layer's
/// compute.
void Estimator::addGathers(Passes &passes, double experts, double others) {
  if (job.zero != schedule::ZeroStage::Parameters)
    return;
  auto price = [&](cost::CollectiveKind kind, double bytes) {
    return pricer.getCollectiveUs(kind, Group::ExpertCopies, bytes * experts) +
           pricer.getCollectiveUs(kind, Group::OtherCopies, bytes * others);
  };
  double gather =
      price(cost::CollectiveKind::AllGather, pricer.getGatheredBytes());
  double quantize = pricer.getQuantizeWeightsUs(experts + others);
  passes.forwardUs[unsigned(PartKind::Memory)] += quantize;
  passes.backwardUs[unsigned(PartKind::Memory)] += quantize;
  double scatter =
      price(cost::CollectiveKind::ReduceScatter, job.stateBytes.gradient);
  // In pipelines with pairs, exchanges are hidden later.
  bool hidesLater = job.options.pp > 1 && runsPairs(getStageOrder(job.overlap));
  auto expose = [&](std::array<double, kNumPartKinds> &us, double moreUs) {
    double ownUs = Passes::sum(us);
    if (hidesLater)
      ownUs -= us[unsigned(PartKind::ExpertExchange)];
    us[unsigned(PartKind::Exchange)] += getExposedUs(moreUs, ownUs);
  };
  expose(passes.forwardUs, gather);
  expose(passes.backwardUs, gather + scatter);
}

double Estimator::getOptimizerUs(double experts, double others) const {
  // Adam reads gradient, weight and two moments, all with 32 bits, and writes
  // the latter three and a 16-bit weight. The norm of gradients reads these
  // once more, and scaling them once more.
  double bytes = 4 * 4 + 3 * 4 + 3 * 4 + pricer.getGatheredBytes();
  if (job.zero != schedule::ZeroStage::None) {
    experts /= double(pricer.getSize(Group::ExpertCopies));
    others /= double(pricer.getSize(Group::OtherCopies));
  }
  return pricer.getMemoryUs(bytes * (experts + others), 4);
}

void Estimator::addState(const schedule::StagedStep &step,
                         const std::vector<Passes> &pieces) {
  // Find the stage that takes longest.
  double mostUs = -1;
  for (int64_t stage = 0; stage < step.stages; ++stage) {
    double experts = 0, others = 0, forwardUs = 0, backwardUs = 0;
    // Count the embedding and the output layer, if the stage has them.
    int ends = 0;
    for (int64_t i : listPieces(step, stage)) {
      const Piece &piece = job.pieces[size_t(i)];
      auto moe = double(piece.moe + piece.furtherTokens);
      experts += moe * expertsOfLayer;
      others += moe * othersOfMoE + double(piece.dense) * othersOfDense;
      ends += (piece.hasOutput ? 1 : 0) + (i == 0 ? 1 : 0);
      forwardUs += pieces[size_t(i)].getForwardUs();
      backwardUs += pieces[size_t(i)].getBackwardUs();
    }
    others += words * ends;
    double optimizer = getOptimizerUs(experts, others), sum = 0, gather = 0;
    double ofWords = words * double(ends);
    // Weights that ranks gather for each pass are quantized there.
    if (job.zero != schedule::ZeroStage::Parameters) {
      optimizer += pricer.getQuantizeWeightsUs(experts + others - ofWords);
      auto price = [&](cost::CollectiveKind kind, double bytes) {
        return pricer.getCollectiveUs(kind, Group::ExpertCopies,
                                      bytes * experts) +
               pricer.getCollectiveUs(kind, Group::OtherCopies, bytes * others);
      };
      if (job.zero == schedule::ZeroStage::None) {
        sum = price(cost::CollectiveKind::AllReduce, job.stateBytes.gradient);
      } else {
        sum =
            price(cost::CollectiveKind::ReduceScatter, job.stateBytes.gradient);
        double share = pricer.getGatheredBytes() / kElement;
        experts *= share;
        others = share * (others - ofWords) + ofWords;
        gather = price(cost::CollectiveKind::AllGather, kElement);
      }
      // These overlap with the last micro-batch's backward pass and the first
      // one's forward pass.
      sum = getExposedUs(sum, backwardUs);
      gather = getExposedUs(gather, forwardUs);
    }
    if (optimizer + sum + gather > mostUs) {
      mostUs = optimizer + sum + gather;
      optimizerUs = optimizer;
      sumUs = sum;
      gatherUs = gather;
    }
  }
}

/// Sums all passes of one stage.
Passes Estimator::sumStage(const schedule::StagedStep &step,
                           const std::vector<Passes> &pieces,
                           int64_t stage) const {
  Passes all;
  // Two stages share the micro-batches of each piece.
  double batches =
      double(step.microBatches) / (step.order == StageOrder::DualPipe ? 2 : 1);
  for (int64_t piece : listPieces(step, stage))
    all.add(pieces[size_t(piece)], batches);
  if (!runsPairs(step.order))
    return all;
  std::vector<schedule::StagePass> passes = listPasses(step, stage);
  for (size_t i = 0; i + 1 < passes.size(); ++i) {
    if (!passes[i].isPaired)
      continue;
    schedule::PairSaving saving =
        getPairSaving(step.getPiece(passes[i].piece),
                      step.getPiece(passes[i + 1].piece), step.overlapCost);
    hide(all.forwardUs, saving.forwardUs);
    hide(all.backwardUs, saving.backwardUs);
  }
  return all;
}

/// Adds tokens/s and the fraction of the platform's peak.
std::optional<Failure> Estimator::addRates(const schedule::StagedStep &step) {
  ImportOptions whole = job.options;
  whole.pp = 1;
  whole.numLayers.reset();
  whole.train = true;
  Expected<Layout> full = computeLayout(config, whole);
  if (!full)
    return Failure{toString(full.takeError())};
  double seconds = estimate.stepUs * 1e-6;
  double tokens = double(step.microBatches) * double(full->batchTokens);
  estimate.tokensPerSecond = tokens / seconds;
  if (auto peak = platform.getPeakTflops()) {
    double wordsOfModel =
        double(config.hiddenSize) * double(job.model.vocabulary);
    auto ranks = double(job.options.dp * job.options.pp * job.options.cp *
                        job.options.tp) *
                 double(pricer.getSize(Group::OtherCopies)) /
                 double(job.options.dp * job.options.cp);
    double batchFlop =
        full->modelFlops + 6 * double(full->batchTokens) * wordsOfModel;
    int64_t further = 0;
    for (const Piece &piece : job.pieces)
      further += piece.furtherTokens;
    if (further > 0) {
      // Each layer that predicts further tokens is a copy of the last layer,
      // with a projection of two vectors to one and an output layer.
      double others = 0;
      if (auto layers = int64_t(config.moeLayers.size()); layers > 1) {
        whole.numLayers = layers - 1;
        Expected<Layout> shorter = computeLayout(config, whole);
        if (!shorter)
          return Failure{toString(shorter.takeError())};
        others = shorter->modelFlops;
      }
      double projection =
          2 * double(config.hiddenSize) * double(config.hiddenSize);
      batchFlop += double(further) * (full->modelFlops - others +
                                      6 * double(full->batchTokens) *
                                          (wordsOfModel + projection));
    }
    double flop = double(step.microBatches) * batchFlop;
    estimate.utilisation = flop / (seconds * ranks * peak->value * 1e12);
  }
  return std::nullopt;
}

cost::Result<StepEstimate> Estimator::run() {
  if (!job.fullGraph && !job.framework.empty())
    host = platform.rates.findHost(job.framework, job.cudaGraphs);
  if (platform.rates.findDispatcher(job.dispatcher))
    estimate.isDispatcherMeasured =
        pricer.getDispatcherTime(1, 1, 1).isMeasured;
  bool runsPairs = schedule::runsPairs(getStageOrder(job.overlap));
  if (job.overlap != Overlap::None && !runsPairs &&
      !platform.rates.hiddenExchanges)
    return Failure{"--overlap: expected a platform that states "
                   "'hidden_exchanges', got " +
                   platform.machine.name};
  if (runsPairs && job.options.pp == 1 && job.microBatches < 2)
    return Failure{"--overlap=" + getName(job.overlap).str() +
                   " requires at least 2 micro-batches, whose passes it pairs "
                   "(--num-micro-batches or --global-batch)"};
  PartList attention = priceAttention(pricer);
  PartList experts = priceExperts(pricer);
  for (LayerPart &part : experts)
    if (part.kind == PartKind::ExpertExchange) {
      part.forwardUs *= job.exchangeFactor;
      part.backwardUs *= job.exchangeFactor;
    }
  estimate.moeLayer = attention;
  llvm::append_range(estimate.moeLayer, experts);
  moeLayer = priceLayer(estimate.moeLayer);
  if (int64_t(config.moeLayers.size()) < config.numLayers) {
    PartList network = priceDenseNetwork(pricer);
    estimate.denseLayer = attention;
    llvm::append_range(estimate.denseLayer, network);
    denseLayer = priceLayer(estimate.denseLayer);
  }
  addOutput();

  const ImportOptions &options = job.options;
  auto tp = double(options.tp);
  auto moeLayers = double(config.moeLayers.size());
  expertsOfLayer = double(job.model.expertParameters) / moeLayers /
                   double(options.ep * pricer.getSize(Group::ExpertShards));
  words = double(config.hiddenSize) * double(job.model.vocabulary) / tp;
  for (const ParameterPart &part : job.model.nonExpert) {
    double parameters = double(part.parameters) / tp;
    double each = parameters / double(job.model.numLayers);
    if (part.name == "attention") {
      othersOfMoE += each;
      othersOfDense += each;
    } else if (part.name == "dense layers") {
      othersOfDense += parameters / (double(job.model.numLayers) - moeLayers);
    } else if (part.name != "embeddings") {
      othersOfMoE += parameters / moeLayers;
    }
  }
  hideExchanges(moeLayer);
  addGathers(moeLayer, expertsOfLayer, othersOfMoE);
  addGathers(denseLayer, 0, othersOfDense);

  schedule::StagedStep step;
  step.stages = options.pp;
  step.virtualStages = int64_t(job.pieces.size()) / options.pp;
  step.microBatches = job.microBatches;
  if (step.stages > 1)
    step.order = getStageOrder(job.overlap);
  if (schedule::runsPairs(step.order))
    step.overlapCost = getOverlapCost();
  std::vector<Passes> pieces;
  for (const Piece &piece : job.pieces) {
    Passes passes;
    passes.add(moeLayer, double(piece.moe + piece.furtherTokens));
    passes.add(denseLayer, double(piece.dense));
    passes.add(output, double(piece.furtherTokens) + (piece.hasOutput ? 1 : 0));
    step.pieces.push_back(passes.getTimes());
    pieces.push_back(passes);
  }
  double own = double(options.microBatch * options.seqLen) /
               double(options.cp * (options.sequenceParallel ? options.tp : 1));
  step.sendUs = pricer.getSendUs(own * double(config.hiddenSize) * kElement);
  if (std::string problem = schedule::checkStagedStep(step); !problem.empty())
    return Failure{"--num-micro-batches, --pp, --virtual-stages: " + problem};
  addState(step, pieces);
  double hostStepUs = host ? host->step.value() : 0;
  step.endUs = optimizerUs + sumUs + gatherUs + hostStepUs;
  if (pricer.failure)
    return *pricer.failure;
  schedule::StagedStepTime staged = simulateStagedStep(step);
  estimate.stepUs = staged.stepUs;

  // Find the stage with the longest passes.
  Passes busiest;
  for (int64_t stage = 0; stage < step.stages; ++stage) {
    Passes passes = sumStage(step, pieces, stage);
    if (passes.getForwardUs() + passes.getBackwardUs() >
        busiest.getForwardUs() + busiest.getBackwardUs())
      busiest = passes;
  }
  double spent = step.endUs;
  for (unsigned i = 0; i < kNumPartKinds; ++i) {
    double us = busiest.forwardUs[i] + busiest.backwardUs[i];
    estimate.spentUs.push_back({getName(PartKind(i)).str(), us});
    spent += us;
  }
  estimate.spentUs.push_back({"optimizer", optimizerUs + hostStepUs});
  estimate.spentUs.push_back(
      {"gradients and weights of copies", sumUs + gatherUs});
  estimate.spentUs.push_back(
      {"waiting for other stages", std::max(0.0, staged.stepUs - spent)});
  if (auto failure = addRates(step))
    return *failure;
  return estimate;
}

std::string moe::estimate::checkPrecision(cost::Precision precision,
                                          const cost::Kernels &kernels,
                                          const std::string &platform) {
  if (precision == cost::Precision::SixteenBit ||
      kernels.findQuantized(precision))
    return "";
  std::string stated;
  for (const cost::QuantizedProducts &entry : kernels.quantized)
    stated += std::string(stated.empty() ? "" : ", ") +
              std::string(cost::getName(entry.precision));
  bool isOfBlackwell = precision == cost::Precision::MXFP8 ||
                       precision == cost::Precision::NVFP4;
  return "--precision: expected a platform that states products of " +
         std::string(cost::getName(cost::getMeasuredPrecision(precision))) +
         " (kernels.quantized), such as " +
         (isOfBlackwell ? "dgx-b200-measured" : "dgx-h100-measured") +
         ", got " + platform + ", which states " +
         (stated.empty() ? "none of fewer than 16 bits" : stated);
}

cost::Result<StepEstimate>
moe::estimate::estimateStep(const Job &job,
                            const platform::Platform &platform) {
  const std::string &name = platform.machine.name;
  std::optional<cost::Kernels> kernels = platform.rates.kernels;
  if (!kernels)
    kernels = cost::makeKernels(platform.machine);
  if (!kernels)
    return Failure{"--platform: expected a platform that states 'kernels', "
                   "such as dgx-h100-measured, or at least GEMMs "
                   "(gemm_alpha_us) and copies (copy_bandwidth_GBps), got " +
                   name};
  if (std::string problem = checkPrecision(job.precision, *kernels, name);
      !problem.empty())
    return Failure{problem};
  if (job.dispatcher != "all-to-all" &&
      !platform.rates.findDispatcher(job.dispatcher)) {
    std::string names = "all-to-all";
    for (const cost::Dispatcher &dispatcher : platform.rates.dispatchers)
      names += ", " + dispatcher.name;
    return Failure{"--dispatcher: expected one of " + names + " on " + name +
                   ", got '" + job.dispatcher + "'"};
  }
  if (!job.model.config.attention)
    return Failure{
        "--config: expected a config with num_attention_heads, which "
        "the time of attention needs, got none"};
  return Estimator(job, platform, std::move(*kernels)).run();
}
