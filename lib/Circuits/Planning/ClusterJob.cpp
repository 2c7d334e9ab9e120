// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Training steps of whole clusters.

#include "moe/Circuits/Planning/ClusterJob.h"
#include "JobTraffic.h"
#include "moe/Planning/Answers.h"
#include "moe/Schedule/StageSchedule.h"
#include <set>

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::fabric;

// LLaMA-MoE is LLaMA 7B with its 11008 hidden units divided among 16 experts;
// Qwen-MoE has 64 experts as in the paper's Table 1. DeepSeek-V3 has the mesh
// of its report, and 64 layers instead of 61.
static const std::vector<JobModel> kModels = {
    {"mixtral-8x7b", 32, 4096, 14336, 8, 2, 0, 8, 4, 4, 8},
    {"mixtral-8x22b", 56, 6144, 16384, 8, 2, 0, 8, 8, 8, 16},
    {"qwen-moe", 24, 2048, 1408, 64, 4, 5632, 16, 1, 4, 8},
    {"llama-moe", 32, 4096, 688, 16, 4, 0, 16, 1, 4, 8},
    {"deepseek-v3", 64, 7168, 2048, 256, 8, 2048, 64, 1, 16, 1}};

const std::vector<JobModel> &moe::planning::listJobModels() { return kModels; }

namespace {

class Job {
public:
  Job(const ClusterJobOptions &options, const FlowProgress &progress)
      : options(options), model(options.model), progress(progress),
        traffic(options), regions(traffic.getNumRegions()),
        layers(traffic.getNumLayers()) {
    for (int64_t region : listCutOffRegions(options.fabric))
      cutOff.insert(region);
  }

  std::string check() const;
  Result<JobTime> run(size_t step);

private:
  using Messages = JobTraffic::Messages;

  double getComputeUs(double macsOfToken) const {
    return 2 * macsOfToken * double(traffic.countTokens()) / double(model.tp) /
           (options.peakTflops * 1e6 * options.utilisation);
  }
  /// Returns the time of one layer's forward attention.
  double getAttentionUs() const {
    // Four projections, and half of all pairs of tokens twice.
    double h = double(model.hidden);
    return getComputeUs(4 * h * h + double(model.tokens) * h);
  }
  /// Returns the time per layer of the tensor-parallel all-reduces of attention
  /// and experts inside servers, with two bytes per value.
  double getSumsUs() const {
    double n = double(model.tp);
    return 4 * (n - 1) / n * double(traffic.countTokens() * model.hidden) * 2 /
           options.insideRate / n;
  }

  /// The layer's circuits, and the alternative circuits for its first forward
  /// exchange (SPEC MF-21).
  struct LayerCircuits {
    std::vector<CircuitPair> own, first;
  };
  Result<std::vector<LayerCircuits>>
  planCircuits(const std::vector<JobTraffic::Dispatch> &demands, size_t step);
  /// Returns the time of an exchange by region.
  Result<std::vector<double>> price(const Messages &messages,
                                    const std::vector<CircuitPair> &circuits);
  /// Times of one layer's passes in a region.
  struct LayerTime {
    double workUs = 0, backwardWorkUs = 0;
    double exchangeUs = 0, changeUs = 0;
    double forwardUs = 0, backwardUs = 0;
  };
  Result<std::vector<LayerTime>> timeLayer(const JobTraffic::Dispatch &demand,
                                           const LayerCircuits &circuits);
  double getExposedUs(const std::vector<std::vector<LayerTime>> &times,
                      int64_t region, double gradientUs) const;

  /// Returns true if the circuits of this server's switch stay for the whole
  /// step, because some of its servers have no other network for sends between
  /// stages and for gradients (SPEC MF-22).
  bool isCutOff(int64_t server) const {
    return cutOff.count(options.fabric.getPlace(server) /
                        options.fabric.network.getRegionServers());
  }
  /// Returns the messages of such servers, or of all other servers.
  Messages takeCutOff(const Messages &messages, bool areCutOff) const {
    Messages taken;
    for (const RankMessage &own : messages)
      if (isCutOff(own.from / options.fabric.serverRanks) == areCutOff)
        taken.push_back(own);
    return taken;
  }

  /// Returns true if circuits change between layers.
  bool changes() const {
    return options.fabric.network.kind == FabricKind::MFabric &&
           options.policy != JobPolicy::Once;
  }

  const ClusterJobOptions &options;
  const JobModel &model;
  const FlowProgress &progress;
  JobTraffic traffic;
  int64_t regions, layers;
  /// Numbers of the switches with cut-off servers.
  std::set<int64_t> cutOff;
  /// Circuits for the mean of all traffic, at switches without changes.
  std::vector<CircuitPair> always;
  JobTime time;
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
  const FabricOptions &fabric = options.fabric;
  if (fabric.network.servers * fabric.serverRanks < options.gpus)
    return "servers: expected enough for " + str(options.gpus) + " GPUs, got " +
           str(fabric.network.servers);
  int64_t block = model.ep * fabric.serverRanks;
  if (options.placement == JobPlacement::Spread &&
      (fabric.serverRanks % model.tp || options.gpus % block))
    return "placement: expected GPUs in blocks of " + str(model.ep) +
           " servers to spread the " + str(model.ep) +
           " expert-parallel ranks of " + model.name + " over, got " +
           str(options.gpus) + " GPUs";
  for (const auto &ofLayers : options.recorded)
    for (const std::vector<double> &shares : ofLayers)
      if (int64_t(shares.size()) != model.experts)
        return "traffic: expected counts of the " + str(model.experts) +
               " experts of " + model.name + ", got counts of " +
               str(shares.size());
  return "";
}

Result<std::vector<double>>
Job::price(const Messages &messages, const std::vector<CircuitPair> &circuits) {
  auto exchange =
      runFabricExchange(options.fabric, messages, circuits, progress);
  if (!exchange)
    return exchange.getFailure();
  ++time.exchanges;
  time.flows += exchange->numFlows;
  time.parts += exchange->times.parts;
  time.simulatedParts += exchange->times.simulated;
  std::vector<double> ends(static_cast<size_t>(regions));
  for (int64_t r = 0; r < regions; ++r)
    for (int64_t server : traffic.listServers(r))
      ends[size_t(r)] = std::max(
          ends[size_t(r)],
          exchange->serverEnds[size_t(options.fabric.getPlace(server))]);
  return ends;
}

Result<std::vector<Job::LayerCircuits>>
Job::planCircuits(const std::vector<JobTraffic::Dispatch> &demands,
                  size_t step) {
  std::vector<LayerCircuits> circuits(demands.size());
  FabricKind kind = options.fabric.network.kind;
  if (kind != FabricKind::MFabric && kind != FabricKind::TopoOpt)
    return circuits;
  if (!changes() || !cutOff.empty()) {
    Messages all;
    double often = 4 * double(options.microBatches);
    auto add = [&](const Messages &own, double times) {
      for (RankMessage message : own) {
        message.bytes *= times;
        all.push_back(message);
      }
    };
    for (const auto &own : demands)
      add(own.messages, often);
    if (kind == FabricKind::TopoOpt || !cutOff.empty()) {
      add(traffic.makeSends(), often / 2);
      add(traffic.makeGradients(), 1);
    }
    auto planned = planFabricCircuits(options.fabric,
                                      changes() ? takeCutOff(all, true) : all);
    if (!planned)
      return planned.getFailure();
    always = std::move(*planned);
    for (LayerCircuits &own : circuits)
      own.own = always;
    if (!changes())
      return circuits;
  }
  auto addAlways = [&](std::vector<CircuitPair> own) {
    own.insert(own.end(), always.begin(), always.end());
    return own;
  };
  for (int64_t l = 0; l < layers; ++l) {
    auto planned = planFabricCircuits(
        options.fabric, takeCutOff(demands[size_t(l)].messages, false));
    if (!planned)
      return planned.getFailure();
    circuits[size_t(l)].own = addAlways(std::move(*planned));
  }
  for (int64_t l = 0; l < layers; ++l) {
    // The layer's demand in the previous step predicts its demand.
    if (options.policy == JobPolicy::Predict && step > 0) {
      auto planned = planFabricCircuits(
          options.fabric,
          takeCutOff(traffic.makeDispatch(l, step - 1).messages, false));
      if (!planned)
        return planned.getFailure();
      circuits[size_t(l)].first = addAlways(std::move(*planned));
    } else if (options.policy == JobPolicy::Random) {
      auto drawn = drawFabricCircuits(
          options.fabric, takeCutOff(demands[size_t(l)].messages, false),
          step * uint64_t(layers) + uint64_t(l));
      if (!drawn)
        return drawn.getFailure();
      circuits[size_t(l)].first = addAlways(std::move(*drawn));
    } else {
      circuits[size_t(l)].first =
          circuits[size_t((l + layers - 1) % layers)].own;
    }
  }
  return circuits;
}

Result<std::vector<Job::LayerTime>>
Job::timeLayer(const JobTraffic::Dispatch &demand,
               const LayerCircuits &circuits) {
  auto there = price(demand.messages, circuits.own);
  if (!there)
    return there.getFailure();
  auto back = price(turn(demand.messages), circuits.own);
  if (!back)
    return back.getFailure();
  std::vector<double> kept = *there;
  bool mayKeep = changes() && options.policy != JobPolicy::Block;
  if (mayKeep) {
    auto old = price(demand.messages, circuits.first);
    if (!old)
      return old.getFailure();
    kept = std::move(*old);
  }
  double attention = getAttentionUs(), sums = getSumsUs();
  double h = double(model.hidden);
  double shared = getComputeUs(3 * h * double(model.sharedHidden));
  double even = getComputeUs(3 * h * double(model.expertHidden * model.topK));
  std::vector<LayerTime> times;
  for (int64_t r = 0; r < regions; ++r) {
    bool isFixed = !changes() || isCutOff(traffic.listServers(r).front());
    double delay = isFixed ? 0 : options.changeUs;
    double experts = even * demand.busiest[size_t(r)] + shared;
    double first = (*there)[size_t(r)], second = (*back)[size_t(r)];
    // MF-7: exposed changes. Predicted and random circuits change during
    // attention before the gate, and again during experts for the actual
    // demand.
    double blocks = delay + first;
    double keeps = kept[size_t(r)] + std::max(0.0, delay - experts);
    bool changesBefore = options.policy == JobPolicy::Predict ||
                         options.policy == JobPolicy::Random;
    if (changesBefore)
      keeps += std::max(0.0, delay - attention);
    bool isKept = options.policy == JobPolicy::Keep || changesBefore ||
                  (options.policy == JobPolicy::Layer && keeps < blocks);
    double forward = mayKeep && isKept ? keeps : blocks;
    double sent = mayKeep && isKept ? kept[size_t(r)] : first;
    double behind = std::max(0.0, delay - 2 * attention);
    LayerTime &own = times.emplace_back();
    own.workUs = attention + experts + sums;
    own.backwardWorkUs = 2 * (own.workUs - sums) + sums;
    own.forwardUs = own.workUs + forward + second;
    own.backwardUs = own.backwardWorkUs + first + second + behind;
    own.exchangeUs = sent + first + 2 * second;
    own.changeUs = behind + forward - sent;
  }
  return times;
}

/// Returns the exposed time of gradient all-reduces after the last backward
/// pass: a layer's all-reduces begin after its pass and overlap with work,
/// while exchanges have priority (SPEC MO-12).
double Job::getExposedUs(const std::vector<std::vector<LayerTime>> &times,
                         int64_t region, double gradientUs) const {
  if (!options.sumsBeside)
    return gradientUs;
  double ofLayer = gradientUs / double(layers), left = 0;
  for (int64_t l = layers; l-- > 0;) {
    left =
        std::max(0.0, left - times[size_t(l)][size_t(region)].backwardWorkUs);
    left += ofLayer;
  }
  return left;
}

Result<JobTime> Job::run(size_t step) {
  std::vector<JobTraffic::Dispatch> demands;
  for (int64_t l = 0; l < layers; ++l)
    demands.push_back(traffic.makeDispatch(l, step));
  auto circuits = planCircuits(demands, step);
  if (!circuits)
    return circuits.getFailure();
  std::vector<std::vector<LayerTime>> times;
  for (int64_t l = 0; l < layers; ++l) {
    auto own = timeLayer(demands[size_t(l)], (*circuits)[size_t(l)]);
    if (!own)
      return own.getFailure();
    times.push_back(std::move(*own));
  }
  auto sent = price(traffic.makeSends(), always);
  if (!sent)
    return sent.getFailure();
  auto summed = price(traffic.makeGradients(), always);
  if (!summed)
    return summed.getFailure();

  // Times by region and piece of the model.
  int64_t pieces = options.virtualStages, ofPiece = layers / pieces;
  std::vector<schedule::PassTimes> none(static_cast<size_t>(pieces));
  std::vector<std::vector<schedule::PassTimes>> passes(
      static_cast<size_t>(regions), none);
  double exposedUs = 0;
  for (int64_t r = 0; r < regions; ++r) {
    JobTime own;
    for (int64_t l = 0; l < layers; ++l) {
      const LayerTime &layer = times[size_t(l)][size_t(r)];
      auto &pass = passes[size_t(r)][size_t(l / ofPiece)];
      pass.forwardUs += layer.forwardUs;
      pass.backwardUs += layer.backwardUs;
      own.computeUs += layer.workUs + layer.backwardWorkUs;
      own.exchangeUs += layer.exchangeUs;
      own.changeUs += layer.changeUs;
    }
    time.sendUs = std::max(time.sendUs, (*sent)[size_t(r)]);
    time.gradientUs = std::max(time.gradientUs, (*summed)[size_t(r)]);
    exposedUs =
        std::max(exposedUs, getExposedUs(times, r, (*summed)[size_t(r)]));
    if (own.computeUs + own.exchangeUs + own.changeUs <=
        time.computeUs + time.exchangeUs + time.changeUs)
      continue;
    time.computeUs = own.computeUs;
    time.exchangeUs = own.exchangeUs;
    time.changeUs = own.changeUs;
  }
  // The slowest replica determines the step. Only replicas with their own
  // demands or with failures differ from the first.
  auto isLike = [&](int64_t a, int64_t b) {
    return std::equal(passes.begin() + a * model.pp,
                      passes.begin() + (a + 1) * model.pp,
                      passes.begin() + b * model.pp);
  };
  for (int64_t d = 0; d < regions / model.pp; ++d) {
    if (d > 0 && isLike(d, 0))
      continue;
    schedule::StagedStep staged;
    staged.stages = model.pp;
    staged.virtualStages = pieces;
    staged.microBatches = options.microBatches;
    staged.sendUs = time.sendUs;
    staged.endUs = exposedUs;
    for (int64_t piece = 0; piece < staged.getNumPieces(); ++piece)
      staged.pieces.push_back(passes[size_t(d * model.pp + piece % model.pp)]
                                    [size_t(piece / model.pp)]);
    if (std::string wrong = checkStagedStep(staged); !wrong.empty())
      return makeFailure("micro-batches: " + wrong);
    time.stepUs =
        std::max(time.stepUs, schedule::simulateStagedStep(staged).stepUs);
  }
  time.exposedUs = exposedUs;
  time.worstUs = time.stepUs;
  return time;
}

/// Simulates with the given policy only.
static Result<JobTime> simulatePolicy(const ClusterJobOptions &options,
                                      const FlowProgress &progress) {
  JobTime mean;
  mean.policy = options.policy;
  size_t steps = std::max<size_t>(1, options.recorded.size());
  for (size_t step = 0; step < steps; ++step) {
    Job job(options, progress);
    if (std::string wrong = job.check(); !wrong.empty())
      return makeFailure("--" + wrong);
    Result<JobTime> own = job.run(step);
    if (!own)
      return own.getFailure();
    for (double JobTime::*us :
         {&JobTime::stepUs, &JobTime::computeUs, &JobTime::exchangeUs,
          &JobTime::changeUs, &JobTime::sendUs, &JobTime::gradientUs,
          &JobTime::exposedUs})
      mean.*us += (*own).*us / double(steps);
    for (int64_t JobTime::*count : {&JobTime::exchanges, &JobTime::flows,
                                    &JobTime::parts, &JobTime::simulatedParts})
      mean.*count += (*own).*count;
    mean.worstUs = std::max(mean.worstUs, own->worstUs);
  }
  return mean;
}

Result<JobTime> moe::planning::simulateJob(const ClusterJobOptions &options,
                                           const FlowProgress &progress) {
  ClusterJobOptions first = options;
  bool picks = options.policy == JobPolicy::Auto;
  if (picks)
    first.policy = JobPolicy::Layer;
  Result<JobTime> best = simulatePolicy(first, progress);
  if (!best || !picks || options.fabric.network.kind != FabricKind::MFabric)
    return best;
  for (JobPolicy policy : {JobPolicy::Predict, JobPolicy::Once}) {
    if (policy == JobPolicy::Predict && options.recorded.empty())
      continue;
    ClusterJobOptions other = options;
    other.policy = policy;
    Result<JobTime> time = simulatePolicy(other, progress);
    if (!time)
      return time;
    for (int64_t JobTime::*count : {&JobTime::exchanges, &JobTime::flows,
                                    &JobTime::parts, &JobTime::simulatedParts})
      (*best).*count = (*time).*count += (*best).*count;
    if (time->stepUs < best->stepUs)
      best = std::move(time);
  }
  return best;
}
