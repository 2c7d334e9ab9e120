// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Search for orders that are faster than FSMoE's.

#include "moe/Schedule/BeamSearch.h"
#include "moe/Cost/TieTolerance.h"

#include <algorithm>
#include <numeric>
#include <tuple>

using namespace moe;
using namespace moe::schedule;
using cost::kRounding;

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

OperationOrder moe::schedule::getFixedOrder(int64_t degree, bool hasGradient) {
  size_t count = size_t(degree);
  return {std::string(count, 'D') + (hasGradient ? "G" : "") +
              std::string(count, 'C'),
          std::string(count, 'A') + std::string(count, 'R')};
}

std::optional<double>
moe::schedule::getOrderUs(std::span<const ChunkTimes> chunks, double gradientUs,
                          const OperationOrder &order) {
  std::vector<double> dispatchUs, expertsUs, scatterUs;
  size_t gathered = 0, combined = 0;
  bool hasGradient = false;
  double interUs = 0, intraUs = 0, computeUs = 0;
  // Times the next operation of the stream; returns false if that is not
  // possible yet.
  auto stepInter = [&](char kind) {
    switch (kind) {
    case 'D':
      if (dispatchUs.size() == chunks.size())
        return false;
      interUs += chunks[dispatchUs.size()].dispatchUs;
      dispatchUs.push_back(interUs);
      return true;
    case 'C':
      if (combined == scatterUs.size())
        return false;
      interUs =
          std::max(interUs, scatterUs[combined]) + chunks[combined].combineUs;
      ++combined;
      return true;
    case 'G':
      if (hasGradient)
        return false;
      interUs += gradientUs;
      hasGradient = true;
      return true;
    default:
      return false;
    }
  };
  auto stepIntra = [&](char kind) {
    if (kind == 'A' && gathered < dispatchUs.size()) {
      intraUs = std::max(intraUs, dispatchUs[gathered]) +
                chunks[gathered].allGatherUs;
      computeUs = std::max(computeUs, intraUs) + chunks[gathered].expertsUs;
      expertsUs.push_back(computeUs);
      ++gathered;
      return true;
    }
    if (kind == 'R' && scatterUs.size() < gathered) {
      size_t chunk = scatterUs.size();
      intraUs =
          std::max(intraUs, expertsUs[chunk]) + chunks[chunk].reduceScatterUs;
      scatterUs.push_back(intraUs);
      return true;
    }
    return false;
  };
  size_t inter = 0, intra = 0;
  for (bool progress = true; progress;) {
    progress = false;
    while (inter < order.inter.size() && stepInter(order.inter[inter])) {
      ++inter;
      progress = true;
    }
    while (intra < order.intra.size() && stepIntra(order.intra[intra])) {
      ++intra;
      progress = true;
    }
  }
  if (inter != order.inter.size() || intra != order.intra.size() ||
      combined != chunks.size() || (gradientUs > 0 && !hasGradient))
    return std::nullopt;
  return std::max(interUs, intraUs);
}

//===----------------------------------------------------------------------===//
// Partial schedules
//===----------------------------------------------------------------------===//

void BeamSearch::prepare(std::span<const ChunkTimes> ofChunks,
                         double ofGradientUs) {
  chunks.assign(ofChunks.begin(), ofChunks.end());
  gradientUs = ofGradientUs;
  leftUs.assign(chunks.size() + 1, ChunkTimes());
  afterDispatchUs.assign(chunks.size(), 0);
  for (size_t i = chunks.size(); i-- > 0;) {
    const ChunkTimes &chunk = chunks[i], &next = leftUs[i + 1];
    leftUs[i] = {next.dispatchUs + chunk.dispatchUs,
                 next.allGatherUs + chunk.allGatherUs,
                 next.expertsUs + chunk.expertsUs,
                 next.reduceScatterUs + chunk.reduceScatterUs,
                 next.combineUs + chunk.combineUs};
    afterDispatchUs[i] = chunk.allGatherUs + chunk.expertsUs +
                         chunk.reduceScatterUs + leftUs[i].combineUs;
  }
}

void BeamSearch::bound(Partial &partial, const double *times) const {
  size_t n = chunks.size();
  const ChunkTimes &last = chunks.back();
  double interUs = partial.interUs + leftUs[partial.dispatched].dispatchUs +
                   leftUs[partial.combined].combineUs +
                   (partial.hasGradient ? 0 : gradientUs);
  double intraUs = partial.intraUs;
  double expertsUs = partial.expertsUs + leftUs[partial.gathered].expertsUs;
  double boundUs = interUs;
  if (partial.scattered < n) {
    intraUs += leftUs[partial.gathered].allGatherUs +
               leftUs[partial.scattered].reduceScatterUs;
    boundUs = std::max(boundUs, intraUs + last.combineUs);
  }
  if (partial.gathered < n) {
    boundUs =
        std::max(boundUs, expertsUs + last.reduceScatterUs + last.combineUs);
    // The chain of operations of the next chunk to be gathered.
    double readyUs =
        partial.gathered < partial.dispatched
            ? times[partial.gathered]
            : partial.interUs + chunks[partial.gathered].dispatchUs;
    boundUs = std::max(boundUs, std::max(readyUs, partial.intraUs) +
                                    afterDispatchUs[partial.gathered]);
  }
  if (partial.dispatched < n)
    boundUs = std::max(boundUs, partial.interUs +
                                    leftUs[partial.dispatched].dispatchUs +
                                    afterDispatchUs[n - 1]);
  // The next reduce-scatter with known experts, and the combines from it on.
  if (partial.scattered < partial.gathered)
    boundUs = std::max(boundUs,
                       std::max(times[n + partial.scattered], partial.intraUs) +
                           chunks[partial.scattered].reduceScatterUs +
                           leftUs[partial.scattered].combineUs);
  partial.boundUs = boundUs;
  partial.sumUs = interUs + intraUs + expertsUs;
}

void BeamSearch::append(const Layer &from, uint32_t index, char added,
                        double startUs, double limitUs, Layer &to) {
  size_t n = chunks.size();
  Partial next = from.partials[index];
  uint32_t fromTimes = next.times;
  next.times = uint32_t(to.times.size());
  next.parent = index;
  next.added = added;
  to.times.insert(to.times.end(), from.times.begin() + fromTimes,
                  from.times.begin() + fromTimes + 3 * n);
  double *dispatchUs = to.times.data() + next.times;
  double *expertsUs = dispatchUs + n, *scatterUs = expertsUs + n;
  switch (added) {
  case 'D':
    next.interUs = startUs + chunks[next.dispatched].dispatchUs;
    dispatchUs[next.dispatched++] = next.interUs;
    break;
  case 'C':
    next.interUs = startUs + chunks[next.combined++].combineUs;
    break;
  case 'G':
    next.interUs = startUs + gradientUs;
    next.hasGradient = true;
    break;
  case 'A': {
    const ChunkTimes &chunk = chunks[next.gathered];
    next.intraUs = startUs + chunk.allGatherUs;
    next.expertsUs = std::max(next.expertsUs, next.intraUs) + chunk.expertsUs;
    expertsUs[next.gathered++] = next.expertsUs;
    break;
  }
  case 'R':
    next.intraUs = startUs + chunks[next.scattered].reduceScatterUs;
    scatterUs[next.scattered++] = next.intraUs;
    break;
  }
  // Results that are ready before the waiting stream is free count as ready at
  // that time, so that schedules that differ only in the past become equal.
  for (uint32_t i = next.gathered; i < next.dispatched; ++i)
    dispatchUs[i] = std::max(dispatchUs[i], next.intraUs);
  for (uint32_t i = next.scattered; i < next.gathered; ++i)
    expertsUs[i] = std::max(expertsUs[i], next.intraUs);
  for (uint32_t i = next.combined; i < next.scattered; ++i)
    scatterUs[i] = std::max(scatterUs[i], next.interUs);
  bound(next, dispatchUs);
  if (next.boundUs < limitUs)
    to.partials.push_back(next);
  else
    to.times.resize(next.times);
}

void BeamSearch::expand(const Layer &from, uint32_t index, double limitUs,
                        Layer &to) {
  const Partial &partial = from.partials[index];
  size_t n = chunks.size();
  const double *times = from.times.data() + partial.times;
  struct NextStage {
    char kind;
    bool isInter;
    double startUs, endUs;
  };
  std::array<NextStage, 5> candidates;
  size_t count = 0;
  auto add = [&](char kind, bool isInter, double startUs, double us) {
    candidates[count++] = {kind, isInter, startUs, startUs + us};
  };
  if (partial.combined < partial.scattered)
    add('C', true, std::max(partial.interUs, times[2 * n + partial.combined]),
        chunks[partial.combined].combineUs);
  if (partial.dispatched < n)
    add('D', true, partial.interUs, chunks[partial.dispatched].dispatchUs);
  if (!partial.hasGradient)
    add('G', true, partial.interUs, gradientUs);
  if (partial.scattered < partial.gathered)
    add('R', false, std::max(partial.intraUs, times[n + partial.scattered]),
        chunks[partial.scattered].reduceScatterUs);
  if (partial.gathered < partial.dispatched)
    add('A', false, std::max(partial.intraUs, times[partial.gathered]),
        chunks[partial.gathered].allGatherUs);
  // Only active schedules are needed (Giffler and Thompson): the stream of the
  // operation that could end first next runs an operation that could start
  // before that end. Operations that are not yet candidates wait for a
  // candidate, so they cannot start earlier.
  const NextStage *first = &candidates[0];
  for (size_t i = 1; i < count; ++i)
    if (candidates[i].endUs < first->endUs)
      first = &candidates[i];
  for (size_t i = 0; i < count; ++i) {
    const NextStage &candidate = candidates[i];
    if (candidate.isInter == first->isInter &&
        (&candidate == first || candidate.startUs < first->endUs))
      append(from, index, candidate.kind, candidate.startUs, limitUs, to);
  }
}

bool BeamSearch::isDominated(const Layer &layer, const Partial &partial,
                             const Partial &by) const {
  if (by.interUs > partial.interUs || by.intraUs > partial.intraUs ||
      by.expertsUs > partial.expertsUs)
    return false;
  size_t n = chunks.size();
  const double *times = layer.times.data() + partial.times,
               *byTimes = layer.times.data() + by.times;
  for (size_t i = partial.gathered; i < partial.dispatched; ++i)
    if (byTimes[i] > times[i])
      return false;
  for (size_t i = n + partial.scattered; i < n + partial.gathered; ++i)
    if (byTimes[i] > times[i])
      return false;
  for (size_t i = 2 * n + partial.combined; i < 2 * n + partial.scattered; ++i)
    if (byTimes[i] > times[i])
      return false;
  return true;
}

/// Sets `kept` to the surviving partial schedules of `layer`. Returns whether a
/// schedule was discarded that is not dominated.
bool BeamSearch::prune(Layer &layer, size_t withWidth) {
  auto getCounts = [](const Partial &partial) {
    return std::tuple(partial.dispatched, partial.combined, partial.gathered,
                      partial.scattered, partial.hasGradient);
  };
  std::vector<Partial> &partials = layer.partials;
  kept.resize(partials.size());
  std::iota(kept.begin(), kept.end(), 0);
  std::sort(kept.begin(), kept.end(), [&](uint32_t a, uint32_t b) {
    return std::tuple(getCounts(partials[a]), partials[a].sumUs, a) <
           std::tuple(getCounts(partials[b]), partials[b].sumUs, b);
  });
  size_t alive = 0, groupBegin = 0;
  for (uint32_t index : kept) {
    const Partial &partial = partials[index];
    if (alive > 0 && getCounts(partials[kept[alive - 1]]) != getCounts(partial))
      groupBegin = alive;
    bool dominated = false;
    for (size_t i = groupBegin; i < alive && !dominated; ++i)
      dominated = isDominated(layer, partial, partials[kept[i]]);
    if (!dominated)
      kept[alive++] = index;
  }
  kept.resize(alive);
  if (alive <= withWidth)
    return false;
  auto isBetter = [&](uint32_t a, uint32_t b) {
    return std::tuple(partials[a].boundUs, partials[a].sumUs, a) <
           std::tuple(partials[b].boundUs, partials[b].sumUs, b);
  };
  std::nth_element(kept.begin(), kept.begin() + withWidth, kept.end(),
                   isBetter);
  kept.resize(withWidth);
  return true;
}

/// Improves `best`. Returns whether no schedule was discarded.
bool BeamSearch::search(size_t withWidth, OrderPlan &best) {
  size_t n = chunks.size();
  size_t numSteps = 4 * n + (gradientUs > 0 ? 1 : 0);
  double limitUs = best.timeUs * (1 - kRounding);
  history.resize(numSteps);
  Layer *from = &layers[0], *to = &layers[1];
  Partial root;
  root.hasGradient = gradientUs <= 0;
  from->partials.assign(1, root);
  from->times.assign(3 * n, 0);
  kept.assign(1, 0);
  bool isComplete = true;
  for (size_t step = 0; step < numSteps; ++step) {
    to->partials.clear();
    to->times.clear();
    for (uint32_t index : kept)
      expand(*from, index, limitUs, *to);
    if (to->partials.empty())
      return isComplete;
    history[step].clear();
    for (const Partial &partial : to->partials)
      history[step].push_back({partial.parent, partial.added});
    if (step + 1 < numSteps && prune(*to, withWidth))
      isComplete = false;
    std::swap(from, to);
  }
  // The bound of a complete schedule is its end.
  auto winner = std::min_element(
      from->partials.begin(), from->partials.end(),
      [](const Partial &a, const Partial &b) { return a.boundUs < b.boundUs; });
  best.order = OperationOrder();
  best.timeUs = winner->boundUs;
  uint32_t index = uint32_t(winner - from->partials.begin());
  for (size_t step = numSteps; step-- > 0;) {
    Step taken = history[step][index];
    bool isIntra = taken.added == 'A' || taken.added == 'R';
    (isIntra ? best.order.intra : best.order.inter) += taken.added;
    index = taken.parent;
  }
  std::reverse(best.order.inter.begin(), best.order.inter.end());
  std::reverse(best.order.intra.begin(), best.order.intra.end());
  return isComplete;
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

OrderPlan BeamSearch::run(std::span<const ChunkTimes> ofChunks,
                          double ofGradientUs) {
  prepare(ofChunks, ofGradientUs);
  OrderPlan plan;
  plan.order = getFixedOrder(int64_t(chunks.size()), gradientUs > 0);
  plan.fixedOrderUs = plan.timeUs = getFixedOrderUs(chunks, gradientUs);
  plan.lowerBoundUs = getAnyOrderBoundUs(chunks, gradientUs);
  auto meetsBound = [&] {
    return plan.timeUs <= plan.lowerBoundUs * (1 + kRounding);
  };
  plan.isExact = meetsBound();
  // A narrow search often suffices, and its result prunes the wider ones.
  size_t most = chunks.size() <= kExactChunks ? ~size_t(0) : width;
  for (size_t narrow : {size_t(1), size_t(8), most}) {
    if (plan.isExact)
      break;
    plan.isExact = search(std::min(narrow, most), plan) || meetsBound();
  }
  if (plan.isExact)
    plan.lowerBoundUs = plan.timeUs;
  return plan;
}

OrderPlan BeamSearch::run(const ChunkTimes &chunk, int64_t degree,
                          double ofGradientUs) {
  std::vector<ChunkTimes> equal(size_t(degree), chunk);
  return run(equal, ofGradientUs);
}

DegreeOrderPlan BeamSearch::run(const DegreePlan &degrees,
                                double ofGradientUs) {
  byBound.resize(degrees.byDegree.size());
  std::iota(byBound.begin(), byBound.end(), 1);
  std::sort(byBound.begin(), byBound.end(), [&](int64_t a, int64_t b) {
    return std::tuple(degrees.get(a).lowerBoundUs, a) <
           std::tuple(degrees.get(b).lowerBoundUs, b);
  });
  DegreeOrderPlan best;
  best.degree = degrees.degree;
  best.plan.timeUs = degrees.timeUs;
  best.lowerBoundUs = degrees.timeUs;
  bool searched = false;
  for (int64_t degree : byBound) {
    const DegreeTime &time = degrees.get(degree);
    if (searched && time.lowerBoundUs >= best.plan.timeUs * (1 - kRounding))
      break;
    OrderPlan plan = run(time.chunk, degree, ofGradientUs);
    best.lowerBoundUs = std::min(best.lowerBoundUs, plan.lowerBoundUs);
    if (!searched || plan.timeUs < best.plan.timeUs * (1 - kRounding)) {
      best.degree = degree;
      best.plan = std::move(plan);
    }
    searched = true;
  }
  return best;
}
