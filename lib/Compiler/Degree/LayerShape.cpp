// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times of the variants of one layer shape.

#include "LayerShape.h"
#include "SizedSchedule.h"
#include "moe/Cost/TieTolerance.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace moe;

/// Only variants within this fraction of the best planned time are simulated,
/// and at most `kSimulatedVariants`.
static constexpr double kPromising = 0.1;
/// A planned variant is not replaced for a gain below this fraction.
static constexpr double kHardly = 0.01;
static constexpr size_t kSimulatedVariants = 4;
/// Maximum number of planned unequal chunkings that are improved by simulation.
static constexpr size_t kImprovedVariants = 3;

LayerVariant LayerShape::getForm(const DegreeCandidate &candidate) const {
  LayerVariant form = candidate.form;
  if (!chunked->hasGradient())
    llvm::erase(form.order, 'G');
  return form;
}

static FailureOr<double> simulateVariantUs(ModuleOp alone,
                                           ScheduleEvaluator &evaluator,
                                           const LayerVariant &form) {
  FailureOr<SimulatedVariant> simulated =
      simulateVariant(alone, evaluator, form);
  if (failed(simulated))
    return failure();
  return simulated->schedule.getUs();
}

/// Returns true if `us` is fast enough to be preferred to a simpler variant.
static bool isWorthwhile(double us, double simplerUs, double uncertainty) {
  double times[] = {simplerUs, us};
  return cost::pickWithinTolerance(times, uncertainty,
                                   [](double time) { return time; }) != times;
}

/// Returns a variant with nearly equal chunks of whole parts; nullopt if there
/// are too few parts.
static std::optional<UnequalVariant> makeEven(const PartedLayer &parted,
                                              const DegreeCandidate &equal) {
  int64_t degree = equal.time.degree, numParts = parted.getNumParts();
  if (degree < 2 || numParts / degree < parted.getLeastParts())
    return std::nullopt;
  SmallVector<int64_t> parts(degree, numParts / degree);
  for (int64_t i = 0; i < numParts % degree; ++i)
    ++parts[i];
  return makeUnequal(parted, equal.form.order, parts);
}

LogicalResult ShapePlanner::plan(ModuleOp alone, Phase phase, StringRef key,
                                 LayerShape &shape) {
  ScheduleEvaluator evaluator(machine);
  auto chunked = known.get(alone, phase, key, evaluator, options.maxDegree);
  if (failed(chunked))
    return failure();
  shape.chunked = (*chunked)->layer;
  shape.obstacle = (*chunked)->reason;
  if (!shape.chunked)
    return success();
  double gradientUs = shape.chunked->getGradientUs();
  shape.candidates = listCandidates(*shape.chunked, options.order, gradientUs);
  shape.degrees = listDegrees(*shape.chunked, options.order, shape.notes);
  if (shape.chunked->isOfTokens()) {
    if (options.order == ChunkOrder::Best)
      compareOrdersByPlan(shape);
    if (options.sizes == ChunkSizes::Best)
      shape.notes.push_back(
          "no unequal chunks: tokens are cut as even as it goes");
    return success();
  }
  if (options.order == ChunkOrder::Best &&
      failed(compareOrders(alone, evaluator, shape)))
    return failure();
  if (options.sizes == ChunkSizes::Best)
    return compareSizes(alone, evaluator, shape);
  return success();
}

/// Simulates the candidates that may be the best ones. The plan does not model
/// the streams of copies or the ops around the chain, so candidates that are
/// nearly the best by plan are simulated, too. Returns the fastest one, and
/// among equally good ones the one with the fewest chunks. The best one by plan
/// stays if others are hardly faster, because the layer alone is not the whole
/// step.
FailureOr<ShapePlanner::Simulated>
ShapePlanner::findFastestAlone(ModuleOp alone, ScheduleEvaluator &evaluator,
                               const LayerShape &shape,
                               ArrayRef<DegreeCandidate> candidates) {
  double gradientUs = shape.chunked->getGradientUs();
  double uncertainty = machine.uncertainty.value;
  const DegreeCandidate *planned =
      findFastest(candidates, gradientUs, uncertainty);
  double mostUs = planned->time.getUs(gradientUs) * (1 + kPromising);
  SmallVector<Simulated> forms;
  for (const DegreeCandidate &candidate : candidates)
    if (double us = candidate.time.getUs(gradientUs);
        &candidate != planned && us <= mostUs)
      forms.push_back({us, &candidate});
  llvm::sort(forms);
  forms.insert(forms.begin(), {0, planned});
  if (forms.size() > kSimulatedVariants)
    forms.resize(kSimulatedVariants);
  for (auto &[us, candidate] : forms) {
    FailureOr<double> simulated =
        simulateVariantUs(alone, evaluator, shape.getForm(*candidate));
    if (failed(simulated))
      return failure();
    us = *simulated;
  }
  const Simulated &best = *cost::pickWithinTolerance(
      forms, uncertainty, [](const Simulated &form) { return form.first; },
      [](const Simulated &a, const Simulated &b) {
        return a.second->time.degree < b.second->time.degree;
      });
  bool isHardlyFaster =
      forms.front().first <=
      cost::getToleratedUs(best.first, std::max(uncertainty, kHardly));
  return isHardlyFaster ? forms.front() : best;
}

/// Replaces the candidate of each degree by its best order if that is faster.
/// The best degree for both directions is not known yet.
void ShapePlanner::compareOrdersByPlan(LayerShape &shape) {
  double gradientUs = shape.chunked->getGradientUs();
  // One of these is the best of all degrees for the gradients.
  shape.candidates.pop_back();
  for (const DegreeCandidate &ordered :
       listBestOrders(*shape.chunked, gradientUs))
    for (DegreeCandidate &fixed : shape.candidates)
      if (fixed.time.degree == ordered.time.degree &&
          isWorthwhile(ordered.time.getUs(gradientUs),
                       fixed.time.getUs(gradientUs), machine.uncertainty.value))
        fixed = ordered;
}

/// Keeps either the best order found or the other candidates. The order must be
/// faster than FSMoE's in a simulation of the layer alone.
LogicalResult ShapePlanner::compareOrders(ModuleOp alone,
                                          ScheduleEvaluator &evaluator,
                                          LayerShape &shape) {
  double gradientUs = shape.chunked->getGradientUs();
  std::vector<DegreeCandidate> ordered =
      listBestOrders(*shape.chunked, gradientUs);
  // One chunk has only one order.
  if (shape.candidates.back().time.degree == 1)
    ordered.push_back(shape.candidates.back());
  shape.candidates.pop_back();
  auto fixed = findFastestAlone(alone, evaluator, shape, shape.candidates);
  auto found = findFastestAlone(alone, evaluator, shape, ordered);
  if (failed(fixed) || failed(found))
    return failure();
  const DegreeCandidate &best = *found->second;
  shape.notes.push_back(llvm::formatv(
      "best order {0} of {1} chunks: {2}", best.form.order, best.time.degree,
      describeUs(best.time.getUs(gradientUs), best.isExtrapolated)));
  shape.notes.push_back(llvm::formatv(
      "the layer alone takes {0:F1} us with it, {1:F1} us with the fixed one",
      found->first, fixed->first));
  double uncertainty = machine.uncertainty.value;
  if (isWorthwhile(found->first, fixed->first, uncertainty)) {
    shape.candidates = {best};
    shape.aloneUs = found->first;
    return success();
  }
  shape.aloneUs = fixed->first;
  // Phases that share a degree need all candidates.
  if (options.phases == DegreePhases::Each &&
      fixed->second != findFastest(shape.candidates, gradientUs, uncertainty)) {
    shape.notes.back() +=
        llvm::formatv(", in {0} chunks", fixed->second->time.degree).str();
    shape.candidates = {DegreeCandidate(*fixed->second)};
  }
  return success();
}

/// Keeps either the best chunks of unequal sizes or the other candidates. As
/// for orders, a simulation of the layer alone decides.
LogicalResult ShapePlanner::compareSizes(ModuleOp alone,
                                         ScheduleEvaluator &evaluator,
                                         LayerShape &shape) {
  double gradientUs = shape.chunked->getGradientUs();
  double uncertainty = machine.uncertainty.value;
  std::string reason;
  auto parted = PartedLayer::create(
      alone, evaluator, shape.chunked->getTimes(/*share=*/1), reason);
  if (failed(parted))
    return failure();
  if (!*parted) {
    shape.notes.push_back("no unequal chunks: " + reason);
    return success();
  }
  const DegreeCandidate &equal =
      *findFastest(shape.candidates, gradientUs, uncertainty);
  double equalPlanUs = equal.time.getUs(gradientUs);
  UnequalVariants unequal = listUnequal(
      **parted, options.order, options.maxDegree, gradientUs, equalPlanUs);
  std::string bound = llvm::formatv(
      "no sizes in any order take less than {0:F1} us", unequal.lowerBoundUs);
  FailureOr<double> equalUs =
      simulateVariantUs(alone, evaluator, shape.getForm(equal));
  if (failed(equalUs))
    return failure();
  std::optional<DegreeCandidate> best;
  double bestUs = 0;
  auto simulate = [&](const UnequalVariant &form) -> FailureOr<double> {
    FailureOr<double> us =
        simulateVariantUs(alone, evaluator, shape.getForm(form.candidate));
    auto [least, most] = std::minmax_element(form.candidate.form.sizes.begin(),
                                             form.candidate.form.sizes.end());
    if (succeeded(us) && *most - *least > 1 && (!best || *us < bestUs)) {
      best = form.candidate;
      bestUs = *us;
    }
    return us;
  };
  // Start with the best plans, and improve them by simulation of the layer
  // alone.
  SmallVector<std::pair<double, const UnequalVariant *>> starts;
  for (const UnequalVariant &form : unequal.forms) {
    FailureOr<double> us = simulate(form);
    if (failed(us))
      return failure();
    starts.push_back({*us, &form});
  }
  llvm::sort(starts);
  if (starts.size() > kImprovedVariants)
    starts.resize(kImprovedVariants);
  std::optional<UnequalVariant> even = makeEven(**parted, equal);
  if (even)
    starts.push_back({*equalUs, &*even});
  for (auto [us, start] : starts) {
    auto sized = SizedSchedule::create(
        alone, evaluator, shape.getForm(start->candidate), **parted);
    if (failed(sized))
      return failure();
    SmallVector<int64_t> parts = start->parts;
    sized->improve(parts);
    if (parts != start->parts &&
        failed(simulate(
            makeUnequal(**parted, start->candidate.form.order, parts))))
      return failure();
  }
  if (!best) {
    shape.notes.push_back("unequal chunks found no faster");
    shape.notes.push_back(bound);
    return success();
  }
  shape.notes.push_back(llvm::formatv(
      "unequal chunks of {0:$[, ]} in the order {1}: {2}, of equal ones "
      "{3:F1} us",
      llvm::make_range(best->form.sizes.begin(), best->form.sizes.end()),
      shape.getForm(*best).order,
      describeUs(best->time.getUs(gradientUs), best->isExtrapolated),
      equalPlanUs));
  shape.notes.push_back(llvm::formatv(
      "the layer alone takes {0:F3} us with them, {1:F3} us with equal ones",
      bestUs, *equalUs));
  shape.notes.push_back(bound);
  shape.aloneUs = *equalUs;
  if (isWorthwhile(bestUs, *equalUs, uncertainty)) {
    shape.candidates = {*best};
    shape.aloneUs = bestUs;
  }
  return success();
}
