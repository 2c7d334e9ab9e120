//===- ClusterJob.cpp - Training steps of whole clusters ------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClusterJob.h"
#include "moe/Schedule/StageSchedule.h"
#include <cmath>
#include <random>

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::fabric;

// LLaMA-MoE is LLaMA 7B whose 11008 hidden units are 16 experts; Qwen-MoE has
// 64 experts as in the paper's Table 1. DeepSeek-V3's mesh is its report's, of
// whose layers 61 are taken as 64.
static const std::vector<JobModel> kModels = {
    {"mixtral-8x7b", 32, 4096, 14336, 8, 2, 0, 8, 4, 4, 8},
    {"mixtral-8x22b", 56, 6144, 16384, 8, 2, 0, 8, 8, 8, 16},
    {"qwen-moe", 24, 2048, 1408, 64, 4, 5632, 16, 1, 4, 8},
    {"llama-moe", 32, 4096, 688, 16, 4, 0, 16, 1, 4, 8},
    {"deepseek-v3", 64, 7168, 2048, 256, 8, 2048, 64, 1, 16, 1}};

const std::vector<JobModel> &moe::plan::listJobModels() { return kModels; }

namespace {

/// Bytes of a value or a parameter: bf16.
constexpr double kBytes = 2;

class Job {
public:
  Job(const JobOptions &options, const FlowProgress &progress)
      : options(options), model(options.model), progress(progress),
        regions(options.gpus / model.getRegionRanks()),
        layers(model.layers / model.pp) {}

  std::string check() const;
  Result<JobTime> run();

private:
  int64_t getServer(int64_t rank) const {
    return rank / options.fabric.serverRanks;
  }
  int64_t countTokens() const { return model.microBatch * model.tokens; }
  double getComputeUs(double macsOfToken) const {
    return 2 * macsOfToken * double(countTokens()) / double(model.tp) /
           (options.peakTflops * 1e6 * options.utilisation);
  }
  /// Of one layer, forward.
  double getAttentionUs() const {
    // Four projections, and half of all pairs of tokens twice.
    double h = double(model.hidden);
    return getComputeUs(4 * h * h + double(model.tokens) * h);
  }
  /// Tensor-parallel sums of a layer's attention and experts inside of servers.
  double getSumsUs() const {
    double n = double(model.tp);
    return 4 * (n - 1) / n * double(countTokens() * model.hidden) * kBytes /
           options.insideRate / n;
  }

  std::vector<double> drawLoads(int64_t layer, int64_t region) const;
  std::vector<RankMessage> makeDispatch(int64_t layer);
  std::vector<RankMessage> makeSends() const;
  std::vector<RankMessage> makeGradients() const;
  static std::vector<RankMessage> turn(std::vector<RankMessage> messages) {
    for (RankMessage &own : messages)
      std::swap(own.from, own.to);
    return messages;
  }
  /// By region, what an exchange takes there.
  Result<std::vector<double>> price(const std::vector<RankMessage> &messages,
                                    const std::vector<CircuitPair> &circuits);

  const JobOptions &options;
  const JobModel &model;
  const FlowProgress &progress;
  int64_t regions, layers;
  JobTime time;
  /// By region and layer of it, how much more the busiest experts compute.
  std::vector<std::vector<double>> loads;
};

} // namespace

std::string Job::check() const {
  int64_t replica = model.getRegionRanks() * model.pp;
  auto str = [](auto value) { return std::to_string(value); };
  if (options.gpus < replica || options.gpus % replica)
    return "gpus: expected a multiple of the " + str(replica) +
           " ranks of one replica of " + model.name + " (tp " + str(model.tp) +
           ", ep " + str(model.ep) + ", pp " + str(model.pp) + "), got " +
           str(options.gpus);
  if (model.layers % (model.pp * options.virtualStages))
    return "virtual-stages: expected a number that divides the " + str(layers) +
           " layers of a stage, got " + str(options.virtualStages);
  if (options.fabric.network.servers * options.fabric.serverRanks <
      options.gpus)
    return "servers: expected enough for " + str(options.gpus) + " GPUs, got " +
           str(options.fabric.network.servers);
  return "";
}

/// Shares of experts: equal for all replicas of a stage unless these draw.
std::vector<double> Job::drawLoads(int64_t layer, int64_t region) const {
  int64_t stage = region % model.pp;
  std::seed_seq seeds{options.seed, uint64_t(layer * model.pp + stage),
                      uint64_t(options.hasOwnDemands ? region / model.pp : 0)};
  std::mt19937_64 random(seeds);
  std::vector<double> shares;
  double sum = 0;
  for (int64_t e = 0; e < model.experts; ++e) {
    shares.push_back(std::pow(double(e + 1), -options.exponent));
    sum += shares.back();
  }
  // The algorithm of the standard's shuffle is not the same everywhere.
  for (size_t e = shares.size(); e > 1; --e)
    std::swap(shares[e - 1], shares[random() % e]);
  for (double &share : shares)
    share /= sum;
  return shares;
}

/// All regions' dispatch of one layer of each stage. Where ranks share NICs,
/// messages are those of servers.
std::vector<RankMessage> Job::makeDispatch(int64_t layer) {
  std::vector<RankMessage> messages;
  int64_t ranks = model.getRegionRanks(), own = model.experts / model.ep;
  bool isShared = options.fabric.network.sharesNics;
  double copies = double(countTokens() * model.topK * model.hidden) * kBytes /
                  double(model.tp);
  for (int64_t r = 0; r < regions; ++r) {
    std::vector<double> shares = drawLoads(layer, r), ofRank(size_t(model.ep));
    double most = 0;
    for (int64_t e = 0; e < model.experts; ++e)
      ofRank[size_t(e / own)] += shares[size_t(e)];
    for (double share : ofRank)
      most = std::max(most, share * double(model.ep));
    loads[size_t(r)][size_t(layer)] = most;
    int64_t base = r * ranks, first = getServer(base),
            last = getServer(base + ranks - 1);
    int64_t n = isShared ? last - first + 1 : 0;
    std::vector<double> sums(size_t(n * n));
    for (int64_t i = 0; i < model.ep; ++i)
      for (int64_t j = 0; j < model.ep; ++j)
        for (int64_t t = 0; t < model.tp; ++t) {
          int64_t from = base + i * model.tp + t, to = base + j * model.tp + t;
          double bytes = copies * ofRank[size_t(j)];
          if (i == j)
            continue;
          if (isShared)
            sums[size_t((getServer(from) - first) * n + getServer(to) -
                        first)] += bytes;
          else
            messages.push_back({from, to, bytes});
        }
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        if (double bytes = sums[size_t(i * n + j)])
          messages.push_back({(first + i) * options.fabric.serverRanks,
                              (first + j) * options.fabric.serverRanks, bytes});
  }
  return messages;
}

/// What all stages send the next, at once.
std::vector<RankMessage> Job::makeSends() const {
  std::vector<RankMessage> messages;
  int64_t ranks = model.getRegionRanks();
  double bytes =
      double(countTokens() * model.hidden) * kBytes / double(model.tp);
  for (int64_t r = 0; r < regions; ++r)
    if ((r + 1) % model.pp)
      for (int64_t k = 0; k < ranks; ++k)
        messages.push_back({r * ranks + k, (r + 1) * ranks + k, bytes});
  return messages;
}

/// Rings over servers behind sums inside of these (SPEC MF-10): of experts'
/// gradients over replicas, of others' over all servers of a stage.
std::vector<RankMessage> Job::makeGradients() const {
  std::vector<RankMessage> messages;
  int64_t ranks = model.getRegionRanks(),
          perServer = options.fabric.serverRanks;
  int64_t replicas = regions / model.pp;
  double h = double(model.hidden), ofStage = double(layers) * kBytes;
  double experts = ofStage * double(model.experts / model.ep) * 3 * h *
                   double(model.expertHidden) / double(model.tp);
  double dense = ofStage * (4 * h * h + 3 * h * double(model.sharedHidden)) *
                 double(std::min(model.tp, perServer)) / double(model.tp);
  for (int64_t stage = 0; stage < model.pp; ++stage) {
    std::vector<int64_t> servers;
    for (int64_t d = 0; d < replicas; ++d) {
      int64_t base = (d * model.pp + stage) * ranks;
      int64_t next = (((d + 1) % replicas) * model.pp + stage) * ranks;
      for (int64_t k = 0; k < ranks; ++k) {
        if (replicas > 1)
          messages.push_back(
              {base + k, next + k,
               2 * double(replicas - 1) / double(replicas) * experts});
        int64_t server = getServer(base + k);
        if (servers.empty() || servers.back() != server)
          servers.push_back(server);
      }
    }
    double n = double(servers.size());
    for (size_t k = 0; servers.size() > 1 && k < servers.size(); ++k)
      messages.push_back({servers[k] * perServer,
                          servers[(k + 1) % servers.size()] * perServer,
                          2 * (n - 1) / n * dense});
  }
  return messages;
}

Result<std::vector<double>>
Job::price(const std::vector<RankMessage> &messages,
           const std::vector<CircuitPair> &circuits) {
  auto exchange =
      runFabricExchange(options.fabric, messages, circuits, progress);
  if (!exchange)
    return exchange.getFailure();
  ++time.exchanges;
  time.flows += exchange->numFlows;
  time.parts += exchange->times.parts;
  time.simulatedParts += exchange->times.simulated;
  std::vector<double> ends(static_cast<size_t>(regions));
  int64_t ranks = model.getRegionRanks();
  for (int64_t r = 0; r < regions; ++r)
    for (int64_t s = getServer(r * ranks); s <= getServer((r + 1) * ranks - 1);
         ++s)
      ends[size_t(r)] =
          std::max(ends[size_t(r)], exchange->serverEnds[size_t(s)]);
  return ends;
}

Result<JobTime> Job::run() {
  loads.assign(size_t(regions), std::vector<double>(size_t(layers), 1));
  std::vector<std::vector<RankMessage>> demands;
  for (int64_t l = 0; l < layers; ++l)
    demands.push_back(makeDispatch(l));
  std::vector<RankMessage> sends = makeSends(), gradients = makeGradients();

  FabricKind kind = options.fabric.network.kind;
  bool changes =
      kind == FabricKind::MFabric && options.policy != JobPolicy::Once;
  // Circuits by layer; TopoOpt's are for the mean of everything.
  std::vector<std::vector<CircuitPair>> circuits;
  std::vector<CircuitPair> always;
  if (!changes &&
      (kind == FabricKind::MFabric || kind == FabricKind::TopoOpt)) {
    std::vector<RankMessage> all;
    double often = 4 * double(options.microBatches);
    auto add = [&](const std::vector<RankMessage> &own, double times) {
      for (RankMessage message : own) {
        message.bytes *= times;
        all.push_back(message);
      }
    };
    for (const auto &own : demands)
      add(own, often);
    if (kind == FabricKind::TopoOpt) {
      add(sends, often / 2);
      add(gradients, 1);
    }
    auto planned = planFabricCircuits(options.fabric, all);
    if (!planned)
      return planned.getFailure();
    always = std::move(*planned);
  }
  for (const auto &own : demands) {
    if (!changes) {
      circuits.push_back(always);
      continue;
    }
    auto planned = planFabricCircuits(options.fabric, own);
    if (!planned)
      return planned.getFailure();
    circuits.push_back(std::move(*planned));
  }

  // By region and piece of the model.
  int64_t pieces = options.virtualStages, ofPiece = layers / pieces;
  std::vector<schedule::PassTimes> none(static_cast<size_t>(pieces));
  std::vector<std::vector<schedule::PassTimes>> passes(
      static_cast<size_t>(regions), none);
  std::vector<JobTime> ofRegion(static_cast<size_t>(regions));
  double attention = getAttentionUs(), sums = getSumsUs();
  double h = double(model.hidden);
  double shared = getComputeUs(3 * h * double(model.sharedHidden));
  double even = getComputeUs(3 * h * double(model.expertHidden * model.topK));
  double delay = changes ? options.changeUs : 0;
  for (int64_t l = 0; l < layers; ++l) {
    auto there = price(demands[size_t(l)], circuits[size_t(l)]);
    if (!there)
      return there.getFailure();
    auto back = price(turn(demands[size_t(l)]), circuits[size_t(l)]);
    if (!back)
      return back.getFailure();
    // Over what the layer before, or of the last micro-batch, had.
    std::vector<double> kept = *there;
    bool mayKeep = changes && options.policy != JobPolicy::Block;
    if (mayKeep) {
      auto old = price(demands[size_t(l)],
                       circuits[size_t((l + layers - 1) % layers)]);
      if (!old)
        return old.getFailure();
      kept = std::move(*old);
    }
    for (int64_t r = 0; r < regions; ++r) {
      double experts = even * loads[size_t(r)][size_t(l)] + shared;
      double first = (*there)[size_t(r)], second = (*back)[size_t(r)];
      // MF-7: what nothing hides.
      double blocks = delay + first;
      double keeps = kept[size_t(r)] + std::max(0.0, delay - experts);
      bool isKept = options.policy == JobPolicy::Keep ||
                    (options.policy == JobPolicy::Auto && keeps < blocks);
      if (!mayKeep)
        isKept = false;
      double forward = isKept ? keeps : blocks;
      double behind = std::max(0.0, delay - 2 * attention);
      double work = attention + experts + sums;
      auto &pass = passes[size_t(r)][size_t(l / ofPiece)];
      pass.forwardUs += work + forward + second;
      pass.backwardUs += 2 * (work - sums) + sums + first + second + behind;
      JobTime &own = ofRegion[size_t(r)];
      own.computeUs += 3 * work - sums;
      own.exchangeUs += (isKept ? kept[size_t(r)] : first) + first + 2 * second;
      own.changeUs +=
          behind + (isKept ? keeps - kept[size_t(r)] : blocks - first);
    }
  }
  auto sent = price(sends, always);
  if (!sent)
    return sent.getFailure();
  auto summed = price(gradients, always);
  if (!summed)
    return summed.getFailure();
  for (int64_t r = 0; r < regions; ++r) {
    time.sendUs = std::max(time.sendUs, (*sent)[size_t(r)]);
    time.gradientUs = std::max(time.gradientUs, (*summed)[size_t(r)]);
    const JobTime &own = ofRegion[size_t(r)];
    if (own.computeUs + own.exchangeUs + own.changeUs <=
        time.computeUs + time.exchangeUs + time.changeUs)
      continue;
    time.computeUs = own.computeUs;
    time.exchangeUs = own.exchangeUs;
    time.changeUs = own.changeUs;
  }
  int64_t replicas = options.hasOwnDemands ? regions / model.pp : 1;
  for (int64_t d = 0; d < replicas; ++d) {
    schedule::StagedStep step;
    step.stages = model.pp;
    step.virtualStages = pieces;
    step.microBatches = options.microBatches;
    step.sendUs = time.sendUs;
    step.endUs = time.gradientUs;
    for (int64_t piece = 0; piece < step.getNumPieces(); ++piece)
      step.pieces.push_back(passes[size_t(d * model.pp + piece % model.pp)]
                                  [size_t(piece / model.pp)]);
    if (std::string wrong = checkStagedStep(step); !wrong.empty())
      return makeFailure("micro-batches: " + wrong);
    time.stepUs =
        std::max(time.stepUs, schedule::simulateStagedStep(step).stepUs);
  }
  return time;
}

Result<JobTime> moe::plan::simulateJob(const JobOptions &options,
                                       const FlowProgress &progress) {
  Job job(options, progress);
  if (std::string wrong = job.check(); !wrong.empty())
    return makeFailure("--" + wrong);
  return job.run();
}
