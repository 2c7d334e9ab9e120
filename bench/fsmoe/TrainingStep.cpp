// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A training step in six schedules.

#include "TrainingStep.h"
#include "moe/Schedule/BeamSearch.h"
#include "moe/Schedule/DegreePlanner.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

using namespace moe;
using namespace moe::schedule;

static constexpr const char *kNames[kNumStepSchedules] = {
    "deepspeed", "tutel", "tutel-improved", "lina", "fsmoe-no-iio",
    "fsmoe",     "best"};

const char *moe::schedule::getName(StepSchedule schedule) {
  return kNames[size_t(schedule)];
}

std::optional<StepSchedule>
moe::schedule::parseStepSchedule(std::string_view name) {
  for (size_t i = 0; i < kNumStepSchedules; ++i)
    if (name == kNames[i])
      return StepSchedule(i);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// One MoE part
//===----------------------------------------------------------------------===//

static double getSequentialUs(const ChunkTimes &chunk) {
  return chunk.dispatchUs + chunk.allGatherUs + chunk.expertsUs +
         chunk.reduceScatterUs + chunk.combineUs;
}

static const BackwardChoice &
getLeast(const std::vector<BackwardChoice> &choices) {
  return *std::min_element(
      choices.begin(), choices.end(),
      [](const BackwardChoice &a, const BackwardChoice &b) {
        return a.aloneUs < b.aloneUs;
      });
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

namespace {

class StepPlanner {
public:
  StepPlanner(const std::vector<StepLayer> &layers, const LinearTime &allReduce,
              const StepOptions &options)
      : layers(layers), allReduce(allReduce), options(options) {
    for (const StepLayer &layer : layers) {
      dense.push_back({layer.gradientElements, layer.denseBackwardUs, {}});
      time.forwardUs += layer.denseForwardUs;
    }
    time.forwardDegrees.resize(layers.size());
    time.backwardDegrees.resize(layers.size());
  }

  cost::Result<StepTime> plan(StepSchedule schedule) {
    switch (schedule) {
    case StepSchedule::DeepSpeed:
      planSequential();
      break;
    case StepSchedule::Tutel:
    case StepSchedule::TutelImproved:
    case StepSchedule::Lina:
      planTutel(schedule);
      break;
    case StepSchedule::FSMoENoIIO:
      return planPartitioned(getOneStreamChoices, getOneStreamChoices);
    case StepSchedule::FSMoE:
      return planPartitioned(getBackwardChoices, getBackwardChoices);
    case StepSchedule::Best:
      return planBest();
    }
    return time;
  }

private:
  double getAllReduceUs(int64_t elements) const {
    return elements > 0 ? allReduce.getUs(double(elements)) : 0;
  }

  void planSequential() {
    for (size_t i = 0; i < layers.size(); ++i) {
      const StepLayer &layer = layers[i];
      time.backwardUs +=
          layer.denseBackwardUs + getAllReduceUs(layer.gradientElements);
      if (!layer.forward)
        continue;
      time.forwardUs += getSequentialUs(layer.forward->getTimes(1));
      time.backwardUs += getSequentialUs(layer.backward->getTimes(1));
      time.forwardDegrees[i] = time.backwardDegrees[i] = 1;
    }
  }

  /// Plans one stream of collectives and one degree for both directions; the
  /// schedules differ in the placement of all-reduces.
  void planTutel(StepSchedule schedule) {
    std::vector<BackwardChoice> chosen(layers.size());
    for (size_t i = 0; i < layers.size(); ++i) {
      const StepLayer &layer = layers[i];
      if (!layer.forward)
        continue;
      auto forward = getOneStreamChoices(*layer.forward, options.maxDegree);
      auto backward = getOneStreamChoices(*layer.backward, options.maxDegree);
      size_t best = 0;
      auto getUs = [&](size_t r) {
        return forward[r].aloneUs + backward[r].aloneUs;
      };
      for (size_t r = 1; r < forward.size(); ++r)
        if (getUs(r) < getUs(best))
          best = r;
      time.forwardUs += forward[best].aloneUs;
      chosen[i] = backward[best];
      time.forwardDegrees[i] = time.backwardDegrees[i] = chosen[i].degree;
    }
    if (schedule == StepSchedule::Lina)
      sendInPieces(chosen);
    else
      sendWhole(chosen,
                /*besideDense=*/schedule == StepSchedule::TutelImproved);
  }

  /// Overlaps a waiting gradient with the next dense part, or sends it at the
  /// end.
  void sendWhole(const std::vector<BackwardChoice> &chosen, bool besideDense) {
    double waitingUs = 0;
    for (size_t i = layers.size(); i-- > 0;) {
      double denseUs = layers[i].denseBackwardUs;
      if (besideDense) {
        denseUs = std::max(denseUs, waitingUs);
        waitingUs = 0;
      }
      time.backwardUs += denseUs + chosen[i].aloneUs;
      waitingUs += getAllReduceUs(layers[i].gradientElements);
    }
    time.backwardUs += waitingUs;
  }

  /// Queues gradients in buckets of a fixed size, oldest first. Whenever the
  /// stream of collectives is idle, i.e. during dense parts and waits for
  /// experts, buckets start until the idle time is filled; the last of them may
  /// exceed it.
  void sendInPieces(const std::vector<BackwardChoice> &chosen) {
    // Elements of full buckets and of the last bucket of each gradient.
    std::vector<int64_t> waiting;
    size_t sent = 0;
    auto send = [&](double idleUs) {
      double us = 0;
      for (; sent < waiting.size() && us < idleUs; ++sent)
        us += getAllReduceUs(waiting[sent]);
      return us;
    };
    for (size_t i = layers.size(); i-- > 0;) {
      double denseUs = layers[i].denseBackwardUs;
      time.backwardUs += std::max(denseUs, send(denseUs));
      for (int64_t left = layers[i].gradientElements; left > 0;
           left -= options.linaElements)
        waiting.push_back(std::min(left, options.linaElements));
      const BackwardChoice &moe = chosen[i];
      time.backwardUs += moe.getUs(send(moe.aloneUs - moe.throughUs));
    }
    time.backwardUs += send(std::numeric_limits<double>::infinity());
  }

  template <typename GetForward, typename GetBackward>
  cost::Result<StepTime> planPartitioned(GetForward getForward,
                                         GetBackward getBackward) {
    std::vector<GeneralizedLayer> network = dense;
    for (size_t i = 0; i < layers.size(); ++i) {
      if (!layers[i].forward)
        continue;
      auto forward = getForward(*layers[i].forward, options.maxDegree);
      const BackwardChoice &least = getLeast(forward);
      time.forwardUs += least.aloneUs;
      time.forwardDegrees[i] = least.degree;
      network[i].moe = getBackward(*layers[i].backward, options.maxDegree);
    }
    return partition(network);
  }

  cost::Result<StepTime> planBest();

  /// Adds the backward pass of a network whose gradients are partitioned.
  cost::Result<StepTime>
  partition(const std::vector<GeneralizedLayer> &network) {
    cost::Result<GradientPartition> found =
        partitionGradients(network, allReduce);
    if (!found)
      return found.getFailure();
    time.backwardUs = found->time.getUs();
    time.backwardDegrees = found->time.degrees;
    return time;
  }

  const std::vector<StepLayer> &layers;
  const LinearTime &allReduce;
  const StepOptions &options;
  /// The dense parts as input of the partition of gradients.
  std::vector<GeneralizedLayer> dense;
  StepTime time;
};

} // namespace

//===----------------------------------------------------------------------===//
// Any order
//===----------------------------------------------------------------------===//

/// Converts an order of a degree into a choice: its time alone, and its longest
/// chain through the position of the all-reduce.
static BackwardChoice getChoice(const ChunkTimes &chunk, int64_t degree,
                                OperationOrder order) {
  // An order found without gradients has no position for them; FSMoE puts the
  // all-reduce after all dispatches.
  if (order.inter.find('G') == std::string::npos)
    order.inter.insert(order.inter.rfind('D') + 1, 1, 'G');
  std::vector<ChunkTimes> chunks(size_t(degree), chunk);
  double aloneUs = *getOrderUs(chunks, 0, order);
  // Longer than all else together, so that the longest chain contains it.
  double longUs = 2 * aloneUs + 1;
  double throughUs = *getOrderUs(chunks, longUs, order) - longUs;
  return {degree, aloneUs, std::clamp(throughUs, 0.0, aloneUs)};
}

cost::Result<StepTime> StepPlanner::planBest() {
  DegreePlanner planner;
  BeamSearch search(/*width=*/options.orderWidth);
  // Layers of one shape are searched only once.
  std::map<const LayerPhase *, DegreeOrderPlan> forwards;
  std::map<std::pair<const LayerPhase *, int64_t>, std::vector<BackwardChoice>>
      backwards;
  std::vector<GeneralizedLayer> network = dense;
  for (size_t i = 0; i < layers.size(); ++i) {
    const StepLayer &layer = layers[i];
    if (!layer.forward)
      continue;
    auto [forward, isNew] = forwards.try_emplace(layer.forward);
    if (isNew)
      forward->second =
          search.run(planner.plan(*layer.forward, options.maxDegree, 0), 0);
    time.forwardUs += forward->second.plan.timeUs;
    time.forwardDegrees[i] = forward->second.degree;

    auto [backward, isOther] = backwards.try_emplace(
        std::pair(layer.backward, layer.gradientElements));
    if (isOther) {
      // Includes FSMoE's orders, so that the step is no slower than theirs, and
      // the best orders for no gradient, the layer's own, and gradients that
      // may have piled up.
      backward->second = getBackwardChoices(*layer.backward, options.maxDegree);
      double ownUs = getAllReduceUs(layer.gradientElements);
      for (double part : {0.0, 0.5, 1.0, 2.0}) {
        double gradientUs = part * ownUs;
        DegreePlan degrees =
            planner.plan(*layer.backward, options.maxDegree, gradientUs);
        DegreeOrderPlan best = search.run(degrees, gradientUs);
        backward->second.push_back(getChoice(degrees.get(best.degree).chunk,
                                             best.degree, best.plan.order));
      }
    }
    network[i].moe = backward->second;
  }
  return partition(network);
}

//===----------------------------------------------------------------------===//
// The bound
//===----------------------------------------------------------------------===//

static double getPhaseBoundUs(const LayerPhase &phase, int64_t maxDegree,
                              double gradientUs) {
  double least = std::numeric_limits<double>::infinity();
  for (int64_t degree = 1; degree <= maxDegree; ++degree)
    least =
        std::min(least, getAnyOrderBoundUs(phase.getTimes(1.0 / double(degree)),
                                           degree, gradientUs));
  return least;
}

double moe::schedule::getStepBoundUs(const std::vector<StepLayer> &layers,
                                     const LinearTime &allReduce,
                                     const StepOptions &options) {
  // Along the backward pass: the least time of all work before a layer, plus
  // the work of the inter-node links from there on. Gradients that exist by
  // then may already have been sent.
  double forwardUs = 0, beforeUs = 0, boundUs = 0;
  double allElements = 0, linksUs = 0;
  for (const StepLayer &layer : layers) {
    forwardUs += layer.denseForwardUs;
    if (layer.forward)
      forwardUs += getPhaseBoundUs(*layer.forward, options.maxDegree, 0);
  }
  std::vector<double> elementsUpTo, linksUpToUs;
  for (const StepLayer &layer : layers) {
    allElements += double(layer.gradientElements);
    // An unchunked all-to-all pays its alpha once.
    if (layer.backward) {
      ChunkTimes whole = layer.backward->getTimes(1);
      linksUs += whole.dispatchUs + whole.combineUs;
    }
    elementsUpTo.push_back(allElements);
    linksUpToUs.push_back(linksUs);
  }
  auto getAllReduceUs = [&](double elements) {
    return elements > 0 ? allReduce.getUs(elements) : 0;
  };
  for (size_t i = layers.size(); i-- > 0;) {
    const StepLayer &layer = layers[i];
    beforeUs += layer.denseBackwardUs;
    // The gradients of layers up to this one do not exist before now.
    boundUs = std::max(boundUs, beforeUs + linksUpToUs[i] +
                                    getAllReduceUs(elementsUpTo[i]));
    if (layer.backward) {
      // Nothing after the first layer can hide its gradient.
      double lastUs =
          i == 0 ? getAllReduceUs(double(layer.gradientElements)) : 0;
      beforeUs += getPhaseBoundUs(*layer.backward, options.maxDegree, lastUs);
    } else if (i == 0) {
      beforeUs += getAllReduceUs(double(layer.gradientElements));
    }
  }
  return forwardUs + std::max(boundUs, beforeUs);
}

//===----------------------------------------------------------------------===//
// All schedules
//===----------------------------------------------------------------------===//

static std::string checkStep(const std::vector<StepLayer> &layers,
                             const LinearTime &allReduce,
                             const StepOptions &options) {
  if (options.maxDegree < 1)
    return "expected a greatest degree of at least 1, got " +
           std::to_string(options.maxDegree);
  if (options.linaElements < 1)
    return "expected pieces of at least 1 element, got " +
           std::to_string(options.linaElements);
  std::vector<GeneralizedLayer> dense;
  for (size_t i = 0; i < layers.size(); ++i) {
    const StepLayer &layer = layers[i];
    std::string where = "layer " + std::to_string(i) + ": ";
    if (!(layer.denseForwardUs >= 0) || std::isinf(layer.denseForwardUs))
      return where +
             "expected a dense forward time that is finite and at least 0, "
             "got " +
             std::to_string(layer.denseForwardUs);
    if (!layer.forward != !layer.backward)
      return where + "expected both phases of its MoE layer or neither, got " +
             (layer.forward ? "the forward one" : "the backward one");
    dense.push_back({layer.gradientElements, layer.denseBackwardUs, {}});
  }
  return checkLayers(dense, allReduce);
}

cost::Result<StepTime>
moe::schedule::planStep(const std::vector<StepLayer> &layers,
                        const LinearTime &allReduce, StepSchedule schedule,
                        const StepOptions &options) {
  if (std::string problem = checkStep(layers, allReduce, options);
      !problem.empty())
    return cost::Failure{problem};
  return StepPlanner(layers, allReduce, options).plan(schedule);
}
