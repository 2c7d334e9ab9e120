// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prices of a job's operations on a platform.

#include "Pricer.h"
#include "moe/Cost/MeshShape.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace moe;
using namespace moe::estimate;

Pricer::Pricer(const Job &job, const platform::Platform &platform,
               cost::Kernels kernels)
    : job(job), platform(platform), kernels(std::move(kernels)) {
  const ImportOptions &options = job.options;
  schedule::ParallelDegrees degrees;
  degrees.tp = options.tp;
  degrees.ep = options.ep;
  degrees.cp = options.cp;
  degrees.esp = options.esp.value_or(0);
  degrees.foldEp = options.foldEp;
  int64_t shards = degrees.getExpertShards();
  shape = {options.dp,          options.pp,          options.cp,
           degrees.getAxisEp(), options.tp / shards, shards};
  if (options.stagesOutermost.value_or(false)) {
    std::swap(shape[0], shape[1]);
    std::swap(dp, pp);
  }
  quantized = this->kernels.findQuantized(job.precision);
}

double Pricer::getQuantizeUs(double values, double tensors) const {
  if (!quantized)
    return 0;
  auto count = double(cost::countQuantizeKernels(job.precision));
  double bytes = cost::getQuantizeBytes(job.precision, quantized->copies);
  return count * tensors * kernels.memoryStart.value() +
         (cost::Bytes(bytes * values) / quantized->quantize).value();
}

/// Returns true if weights are gathered with 16 bits. Scales of blocks along
/// rows and along columns are computed from the same 16-bit values, which are
/// therefore gathered for both; a scale per tensor only needs the transpose of
/// the quantized values.
static bool gathersSixteenBits(cost::Precision precision) {
  return precision == cost::Precision::MXFP8 ||
         precision == cost::Precision::NVFP4;
}

double Pricer::getQuantizeWeightsUs(double weights) const {
  if (!quantized)
    return 0;
  double bytes = cost::getQuantizeBytes(job.precision, quantized->copies);
  if (job.keepsQuantizedWeights && !gathersSixteenBits(job.precision))
    bytes =
        double(quantized->copies - 1) * 2 * cost::getValueBytes(job.precision);
  return (cost::Bytes(bytes * weights) / quantized->quantize).value();
}

double Pricer::getGatheredBytes() const {
  return quantized && job.keepsQuantizedWeights &&
                 !gathersSixteenBits(job.precision)
             ? cost::getValueBytes(job.precision)
             : kElement;
}

std::vector<unsigned> Pricer::getAxes(Group group) const {
  const ImportOptions &options = job.options;
  bool foldsContext =
      options.foldEp && options.ep % (options.tp * options.cp) == 0;
  switch (group) {
  case Group::Experts:
    if (!options.foldEp)
      return {3};
    return foldsContext ? std::vector<unsigned>{2, 3, 4, 5}
                        : std::vector<unsigned>{3, 4, 5};
  case Group::ExpertShards:
    return {5};
  case Group::Tensor:
    return {4, 5};
  case Group::Context:
    return {2};
  case Group::ExpertCopies: {
    std::vector<unsigned> axes = {dp};
    if (!foldsContext)
      axes.push_back(2);
    if (!options.foldEp)
      axes.push_back(4);
    return axes;
  }
  case Group::OtherCopies:
    return {dp, 2, 3};
  }
  return {};
}

int64_t Pricer::getSize(Group group) const {
  return cost::getGroupSize(shape, getAxes(group));
}

cost::Result<cost::RankGroups> Pricer::makeGroups(Group group) const {
  return cost::RankGroups::fromMesh(shape, getAxes(group));
}

int64_t Pricer::getRanksPerNode(Group group) const {
  auto groups = makeGroups(group);
  if (!groups)
    return 1;
  int64_t node = platform.machine.levels.front().ranks;
  return groups->countTogether(node).value_or(1);
}

double Pricer::getCollectiveUs(cost::CollectiveKind kind, Group group,
                               double bytes) {
  if (getSize(group) <= 1 || bytes <= 0 || failure)
    return 0;
  auto groups = makeGroups(group);
  if (!groups) {
    failure = groups.getFailure();
    return 0;
  }
  auto plan = cost::CollectivePlan::create(platform.machine, *groups, kind);
  if (!plan) {
    failure = plan.getFailure();
    return 0;
  }
  return plan->getTime(cost::Bytes(bytes)).value();
}

double Pricer::getSendUs(double bytes) const {
  if (job.options.pp <= 1)
    return 0;
  // Find the distance between ranks of neighboring stages.
  int64_t stride = cost::getStride(shape, pp);
  const cost::Level *level = &platform.machine.levels.front();
  if (stride * 2 > level->ranks)
    level = &platform.machine.levels.back();
  return (level->getCountedLatency() + level->getTime(cost::Bytes(bytes), 1))
      .value();
}

cost::DispatcherTime Pricer::getDispatcherTime(double tokens,
                                               double dispatchBytes,
                                               double combineBytes) {
  const cost::Dispatcher *dispatcher =
      platform.rates.findDispatcher(job.dispatcher);
  if (!dispatcher || failure)
    return {};
  const ModelConfig &config = job.model.config;
  cost::TokenExchange exchange;
  exchange.tokens = tokens;
  exchange.bytesPerToken = dispatchBytes;
  exchange.experts = config.numExperts;
  exchange.topK = config.getSentTopK();
  if (config.groups) {
    exchange.groups = config.groups->count;
    exchange.chosenGroups = config.groups->chosen;
  }
  exchange.ranks = getSize(Group::Experts);
  exchange.ranksPerNode = getRanksPerNode(Group::Experts);
  auto time = cost::getDispatcherTime(*dispatcher, exchange, combineBytes,
                                      job.dispatcherSms);
  if (!time) {
    failure = cost::Failure{"--dispatcher: " + time.getError()};
    return {};
  }
  return *time;
}
