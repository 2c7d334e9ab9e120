// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice of layers' degrees.

#include "DegreeChoice.h"
#include "moe/Compiler/ScheduleEvaluator.h"
#include "moe/Cost/TieTolerance.h"
#include "moe/Schedule/ChunkSizes.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace moe;

static std::string repeat(StringRef text, int64_t degree) {
  std::string all;
  for (int64_t i = 0; i < degree; ++i)
    all += text;
  return all;
}

/// Returns the order of SPEC FS-3, or Tutel's order on one stream. In the
/// former, a combine is launched after the reduce-scatter of the next chunk.
/// Its position does not change the order of either stream, but gathers after
/// the combine, also inside nodes, then run between reduce-scatters without
/// delaying the next one.
static std::string getOrderText(ChunkOrder order, int64_t degree) {
  std::string in = repeat("DA", degree) + "G";
  if (order == ChunkOrder::OneStream)
    return in + repeat("RC", degree);
  return in + "R" + repeat("RC", degree - 1) + "C";
}

/// Returns one launch order that preserves the orders of both streams, with
/// combines at the same positions as in the fixed order.
static std::string merge(const schedule::OperationOrder &order) {
  std::string merged;
  size_t dispatched = 0, gathered = 0, scattered = 0, combined = 0, next = 0;
  // Launches the next collectives inside nodes that need no later launch, until
  // `target` chunks are scattered.
  auto launchInside = [&](size_t target) {
    for (; next < order.intra.size(); ++next) {
      bool isGather = order.intra[next] == 'A';
      if (isGather ? gathered == dispatched : scattered >= target)
        return;
      ++(isGather ? gathered : scattered);
      merged += order.intra[next];
    }
  };
  for (char letter : order.inter) {
    if (letter == 'C')
      launchInside(++combined + 1);
    dispatched += letter == 'D';
    merged += letter;
    launchInside(scattered);
  }
  return merged;
}

/// Returns an order with a position for gradients.
static schedule::OperationOrder withGradient(schedule::OperationOrder order) {
  if (order.inter.find('G') == std::string::npos)
    order.inter.insert(order.inter.rfind('D') + 1, 1, 'G');
  return order;
}

/// Returns the time of an order alone, and its longest chain through the
/// gradients.
static schedule::BackwardChoice getTime(ArrayRef<schedule::ChunkTimes> chunks,
                                        const schedule::OperationOrder &order) {
  double aloneUs = *schedule::getOrderUs(chunks, 0, order);
  // Longer than everything else together, so that the longest chain contains
  // it.
  double longUs = 2 * aloneUs + 1;
  double throughUs = *schedule::getOrderUs(chunks, longUs, order) - longUs;
  return {int64_t(chunks.size()), aloneUs, std::clamp(throughUs, 0.0, aloneUs)};
}

static DegreeCandidate makeCandidate(const schedule::BackwardChoice &time,
                                     std::string order, bool isExtrapolated,
                                     SmallVector<int64_t> sizes = {}) {
  LayerVariant form;
  form.scope = ChainScope::Layer;
  form.chunks = time.degree;
  form.sizes = std::move(sizes);
  form.order = std::move(order);
  return {time, std::move(form), isExtrapolated};
}

/// Builds a candidate of equal chunks with an order found by a search.
static DegreeCandidate makeOrdered(const ChunkedLayer &layer, int64_t degree,
                                   const schedule::OperationOrder &order) {
  schedule::OperationOrder found = withGradient(order);
  std::vector<schedule::ChunkTimes> chunks(size_t(degree),
                                           layer.getTimes(1 / double(degree)));
  return makeCandidate(getTime(chunks, found), merge(found),
                       layer.isExtrapolated(degree));
}

std::vector<DegreeCandidate> moe::listCandidates(const ChunkedLayer &layer,
                                                 ChunkOrder order,
                                                 ArrayRef<double> gradientsUs) {
  std::vector<DegreeCandidate> candidates;
  auto choices =
      order == ChunkOrder::OneStream
          ? schedule::getOneStreamChoices(layer, layer.getMaxDegree())
          : schedule::getBackwardChoices(layer, layer.getMaxDegree());
  for (const schedule::BackwardChoice &choice : choices)
    if (layer.isPossible(choice.degree))
      candidates.push_back(makeCandidate(choice,
                                         getOrderText(order, choice.degree),
                                         layer.isExtrapolated(choice.degree)));
  if (order != ChunkOrder::Best)
    return candidates;
  schedule::DegreePlanner planner;
  schedule::BeamSearch search;
  for (double gradientUs : gradientsUs) {
    schedule::DegreePlan degrees =
        planner.plan(layer, layer.getMaxDegree(), gradientUs);
    schedule::DegreeOrderPlan best = search.run(degrees, gradientUs);
    candidates.push_back(makeOrdered(layer, best.degree, best.plan.order));
  }
  return candidates;
}

std::vector<DegreeCandidate> moe::listBestOrders(const ChunkedLayer &layer,
                                                 double gradientUs) {
  std::vector<DegreeCandidate> candidates;
  schedule::BeamSearch search;
  for (int64_t degree = 2; degree <= layer.getMaxDegree(); ++degree)
    if (layer.isPossible(degree))
      candidates.push_back(makeOrdered(
          layer, degree,
          search.run(layer.getTimes(1 / double(degree)), degree, gradientUs)
              .order));
  return candidates;
}

UnequalVariant moe::makeUnequal(const PartedLayer &layer, StringRef order,
                                ArrayRef<int64_t> parts) {
  schedule::OperationOrder streams;
  for (char letter : order)
    (letter == 'A' || letter == 'R' ? streams.intra : streams.inter) += letter;
  std::vector<schedule::ChunkTimes> chunks;
  bool isExtrapolated = false;
  for (int64_t count : parts) {
    chunks.push_back(
        layer.getTimes(double(count) / double(layer.getNumParts())));
    isExtrapolated |= layer.isExtrapolated(count);
  }
  return {makeCandidate(getTime(chunks, streams), order.str(), isExtrapolated,
                        layer.getSizes(parts)),
          SmallVector<int64_t>(parts)};
}

UnequalVariants moe::listUnequal(const PartedLayer &layer, ChunkOrder order,
                                 int64_t maxDegree, double gradientUs,
                                 double lessThanUs) {
  int64_t numParts = layer.getNumParts(), least = layer.getLeastParts();
  std::vector<double> bounds = schedule::getAnySizesBoundsUs(
      layer, std::min(maxDegree, numParts / least), numParts, gradientUs,
      least);
  UnequalVariants unequal;
  unequal.lowerBoundUs = *llvm::min_element(bounds);
  // The beam is narrow because the search runs often.
  schedule::BeamSearch search(/*width=*/16);
  for (int64_t degree = 2; degree <= int64_t(bounds.size()); ++degree) {
    if (bounds[size_t(degree - 1)] >= lessThanUs)
      continue;
    schedule::ChunkSizePlan found =
        order == ChunkOrder::Best
            ? schedule::findChunkSizes(layer, degree, numParts, gradientUs,
                                       search, least)
            : schedule::findFixedOrderSizes(layer, degree, numParts, gradientUs,
                                            least);
    if (found.plan.timeUs < lessThanUs)
      unequal.forms.push_back(makeUnequal(
          layer,
          order == ChunkOrder::Best ? merge(withGradient(found.plan.order))
                                    : getOrderText(order, degree),
          found.parts));
  }
  return unequal;
}

const DegreeCandidate *moe::findFastest(ArrayRef<DegreeCandidate> candidates,
                                        double gradientUs, double uncertainty) {
  const DegreeCandidate *best = cost::pickWithinTolerance(
      candidates, uncertainty,
      [&](const DegreeCandidate &candidate) {
        return candidate.time.getUs(gradientUs);
      },
      [](const DegreeCandidate &a, const DegreeCandidate &b) {
        return a.time.degree < b.time.degree;
      });
  return best == candidates.end() ? nullptr : best;
}

std::vector<Candidate> moe::listDegrees(const ChunkedLayer &layer,
                                        ChunkOrder order,
                                        std::vector<std::string> &notes) {
  double gradientUs = layer.getGradientUs();
  schedule::DegreePlanner planner;
  schedule::DegreePlan plan =
      planner.plan(layer, layer.getMaxDegree(), gradientUs);
  std::vector<Candidate> degrees;
  double boundUs = std::numeric_limits<double>::infinity();
  for (const DegreeCandidate &degree : listCandidates(
           layer, order == ChunkOrder::Best ? ChunkOrder::Fixed : order, {})) {
    const schedule::DegreeTime &time = plan.get(degree.time.degree);
    Candidate candidate;
    candidate.name = describeChunkCount(degree.time.degree);
    candidate.us = degree.time.getUs(gradientUs);
    candidate.isExtrapolated = degree.isExtrapolated;
    candidate.note =
        llvm::formatv("formula case {0}: {1:F1} us",
                      int(time.closedForm.which), time.closedForm.timeUs);
    degrees.push_back(std::move(candidate));
    boundUs = std::min(boundUs, time.lowerBoundUs);
  }
  notes.push_back(llvm::formatv(
      "no order of any number of chunks takes less than {0:F1} us", boundUs));
  return degrees;
}

std::string moe::describeChunkCount(int64_t count) {
  return count == 1 ? std::string("no pipeline")
                    : std::to_string(count) + " equal chunks";
}
