// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a training step takes as a job runs it.

#include "moe/Estimate/Step.h"
#include "Pricer.h"
#include "moe/Schedule/StageSchedule.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;
using namespace moe;
using namespace moe::estimate;
using cost::Failure;
using schedule::Recompute;
using schedule::RecomputeModule;

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
  }
  return "";
}

double moe::estimate::getExchangeUs(const StepEstimate &estimate) {
  for (const auto &[what, us] : estimate.spentUs)
    if (what == getName(PartKind::ExpertExchange))
      return us;
  return 0;
}

namespace {

/// Passes of one micro-batch through something, by kinds of parts.
struct Passes {
  std::array<double, kNumPartKinds> forwardUs{}, backwardUs{};

  void add(const LayerPart &part) {
    forwardUs[unsigned(part.kind)] += part.forwardUs;
    backwardUs[unsigned(part.kind)] += part.backwardUs;
  }
  void add(const Passes &other, double times) {
    for (unsigned i = 0; i < kNumPartKinds; ++i) {
      forwardUs[i] += times * other.forwardUs[i];
      backwardUs[i] += times * other.backwardUs[i];
    }
  }
  static double sum(const std::array<double, kNumPartKinds> &us) {
    double all = 0;
    for (double one : us)
      all += one;
    return all;
  }
  double getForwardUs() const { return sum(forwardUs); }
  double getBackwardUs() const { return sum(backwardUs); }
};

/// One estimate.
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
  void addHost();
  void listNotModelled();
  void addOutput();
  void hideExchanges(Passes &passes);
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
  /// Parameters that a rank works with.
  double expertsOfLayer = 0, othersOfMoE = 0, othersOfDense = 0, words = 0;
  /// What the busiest stage does behind its passes.
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
    if (isRecomputed(part))
      part.backwardUs += part.forwardUs;
    else if (job.modules.has(RecomputeModule::UnsavedOps) &&
             job.recompute == Recompute::Selective &&
             part.kind == PartKind::Compute && part.name != "attention")
      // Every other product.
      part.backwardUs += part.forwardUs / 2;
    passes.add(part);
  }
  if (host) {
    // A backward pass starts about twice as many kernels.
    double us = host->getLayer(job.options.tp).value();
    bool again = job.recompute == Recompute::Layers;
    passes.forwardUs[unsigned(PartKind::Host)] += us / 3;
    passes.backwardUs[unsigned(PartKind::Host)] += us * (again ? 3 : 2) / 3;
  }
  return passes;
}

void Estimator::addHost() {
  if (job.fullGraph)
    return;
  if (job.framework.empty()) {
    estimate.notModelled.push_back("host time, as no framework is given "
                                   "(--parallelism)");
    return;
  }
  host = platform.rates.findHost(job.framework, job.cudaGraphs);
  if (!host)
    estimate.notModelled.push_back(
        "host time: the platform states none of " + job.framework +
        (job.cudaGraphs ? " with CUDA graphs" : " without CUDA graphs"));
}

void Estimator::listNotModelled() {
  auto add = [&](bool isSo, const char *what) {
    if (isSo)
      estimate.notModelled.push_back(what);
  };
  add(!platform.rates.kernels,
      "rates by size, which the platform does not state: products and "
      "attention "
      "take its GEMM line, and memory-bound kernels the rate of its copies");
  add(job.options.elements == ElementKind::F16,
      "products of f16: priced at the rates of bf16");
  for (const char *what :
       {"padding of experts' rows for quantized products, with its kernels",
        "attention and the output layer in 8 bits: priced in 16 bits"})
    add(pricer.quantized, what);
  add(pricer.quantized && job.dispatchBytes == 2,
      "a dispatch of quantized tokens: priced in 16 bits (--dispatch-bytes)");
  add(pricer.quantized && host,
      "host time of kernels that quantize: priced as of 16-bit jobs");
  add(pricer.quantized &&
          (job.precision == cost::Precision::FP8Delayed ||
           job.precision == cost::Precision::FP8Tensorwise) &&
          job.options.tp > 1,
      "maxima of tensor-parallel ranks, of which scales are made");
  llvm::append_range(estimate.notModelled, config.leavesOut);
  add(config.hasExpertBiases, "biases of experts");
  add(config.attention && job.options.tp > config.attention->keyValueHeads,
      "the gather of heads of keys and values that tensor-parallel ranks "
      "share");
  add(job.overlap == Overlap::MergedDelayed,
      "gradients of weights put off: priced as --overlap=1f1b");
  add(job.overlap != Overlap::None && job.options.pp > 1,
      "the first and last micro-batches of an overlap, which have no other to "
      "overlap with");
  add(job.cudaGraphs && host,
      "host time with and without CUDA graphs on one job: the platform's two "
      "figures are of different jobs, so do not compare them");
  add(config.expertWidth > 0,
      "projections to and from experts' latent vectors");
  const cost::Dispatcher *dispatcher =
      platform.rates.findDispatcher(job.dispatcher);
  if (dispatcher && !pricer.getDispatcherTime(1, 1, 1).isMeasured)
    estimate.notModelled.push_back(
        job.dispatcher + " on so many nodes: priced by the nearest number that "
                         "was measured");
}

void Estimator::addOutput() {
  if (job.model.vocabulary <= 0) {
    estimate.notModelled.push_back("the output layer, as the config has no "
                                   "vocab_size");
    return;
  }
  const ImportOptions &options = job.options;
  double tokens =
      double(options.microBatch * options.seqLen) / double(options.cp);
  double vocabulary = double(job.model.vocabulary) / double(options.tp);
  double hidden = double(config.hiddenSize);
  LayerPart product{"output layer", PartKind::Compute};
  product.forwardUs = pricer.getProductUs(tokens, vocabulary, hidden);
  product.backwardUs = pricer.getProductUs(tokens, hidden, vocabulary) +
                       pricer.getProductUs(hidden, vocabulary, tokens);
  output.add(product);
  // 32-bit logits: written, their largest found, their powers summed; the
  // gradient made of them.
  double logits = tokens * vocabulary;
  output.add({"loss", PartKind::Memory, pricer.getMemoryUs(18 * logits, 4),
              pricer.getMemoryUs(10 * logits, 2)});
}

void Estimator::hideExchanges(Passes &passes) {
  if (job.overlap == Overlap::None)
    return;
  double share = platform.rates.hiddenExchanges->value;
  auto exchange = unsigned(PartKind::ExpertExchange);
  for (auto *us : {&passes.forwardUs, &passes.backwardUs})
    (*us)[exchange] -=
        std::min(share * (*us)[exchange], (*us)[unsigned(PartKind::Compute)]);
}

/// The time that a transfer adds to `computingUs` of concurrent computing: what
/// is not hidden, and what products lose to it.
double Estimator::getExposedUs(double us, double computingUs) const {
  double tokens = double(job.options.microBatch * job.options.seqLen) /
                  double(job.options.cp);
  double cost = pricer.kernels.getOverlapCost(
      tokens, double(config.hiddenSize) / double(job.options.tp));
  double hidden = std::min(us, computingUs / (1 + cost));
  return us - hidden + cost * hidden;
}

/// Weights that ranks share (ZeRO-3) are gathered for each pass and gradients
/// scattered behind the backward one, while the layer computes.
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
  auto exposed = [&](double us, double computingUs) {
    return getExposedUs(us, computingUs);
  };
  auto kind = unsigned(PartKind::Exchange);
  passes.forwardUs[kind] += exposed(gather, passes.getForwardUs());
  passes.backwardUs[kind] += exposed(gather + scatter, passes.getBackwardUs());
}

double Estimator::getOptimizerUs(double experts, double others) const {
  // Adam reads gradient, weight and two moments, all of 32 bits, and writes the
  // latter three and a 16-bit weight; the norm of gradients reads these once
  // more, and once more to scale them.
  double bytes = 4 * 4 + 3 * 4 + 3 * 4 + pricer.getGatheredBytes();
  if (job.zero != schedule::ZeroStage::None) {
    experts /= double(pricer.getSize(Group::ExpertCopies));
    others /= double(pricer.getSize(Group::OtherCopies));
  }
  return pricer.getMemoryUs(bytes * (experts + others), 4);
}

void Estimator::addState(const schedule::StagedStep &step,
                         const std::vector<Passes> &pieces) {
  // The stage that takes longest.
  double mostUs = -1;
  for (int64_t stage = 0; stage < step.stages; ++stage) {
    double experts = 0, others = 0, forwardUs = 0, backwardUs = 0;
    // The embedding and the output layer, if the stage has them.
    int ends = 0;
    for (size_t i = size_t(stage); i < pieces.size();
         i += size_t(step.stages)) {
      const Piece &piece = job.pieces[i];
      auto moe = double(piece.moe + piece.furtherTokens);
      experts += moe * expertsOfLayer;
      others += moe * othersOfMoE + double(piece.dense) * othersOfDense;
      ends += (piece.hasOutput ? 1 : 0) + (i == 0 ? 1 : 0);
      forwardUs += pieces[i].getForwardUs();
      backwardUs += pieces[i].getBackwardUs();
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
      // During the last micro-batch's backward and the first one's forward
      // pass.
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

/// Tokens a second and the share of the platform's peak.
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
    double flop =
        double(step.microBatches) *
        (full->modelFlops + 6 * double(full->batchTokens) * wordsOfModel);
    estimate.utilisation = flop / (seconds * ranks * peak->value * 1e12);
  }
  return std::nullopt;
}

cost::Result<StepEstimate> Estimator::run() {
  addHost();
  listNotModelled();
  if (job.overlap != Overlap::None && !platform.rates.hiddenExchanges)
    return Failure{"--overlap: expected a platform that states "
                   "'hidden_exchanges', got " +
                   platform.machine.name};
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
  std::vector<Passes> pieces;
  for (const Piece &piece : job.pieces) {
    Passes passes;
    passes.add(moeLayer, double(piece.moe + piece.furtherTokens));
    passes.add(denseLayer, double(piece.dense));
    passes.add(output, double(piece.furtherTokens) + (piece.hasOutput ? 1 : 0));
    step.pieces.push_back({passes.getForwardUs(), passes.getBackwardUs()});
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

  // The stage whose passes take most.
  Passes busiest;
  for (int64_t stage = 0; stage < step.stages; ++stage) {
    Passes passes;
    for (size_t i = size_t(stage); i < pieces.size(); i += size_t(step.stages))
      passes.add(pieces[i], double(job.microBatches));
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
