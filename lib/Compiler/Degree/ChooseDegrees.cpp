//===- ChooseDegrees.cpp - The pipeline degree of each layer ----*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Forms/IsolatedLayer.h"
#include "../StepChoices.h"
#include "DegreeChoice.h"
#include "SizedSchedule.h"
#include "moe/Compiler/FormChoice.h"
#include "moe/Compiler/Passes.h"
#include "moe/Cost/Choice.h"
#include "moe/Platform/RoutingCounts.h"
#include "moe/Schedule/ExpertSkew.h"
#include "moe/Transforms/SilentRemarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace moe;

namespace {

/// Finds the degrees of the layers of a module.
class DegreeChooser {
public:
  DegreeChooser(ModuleOp module, const cost::Machine &machine,
                const ChooseDegreeOptions &options, KnownLayers &known)
      : module(module), machine(machine), options(options), known(known) {}

  FailureOr<SmallVector<ChosenForm>> run();

private:
  /// What layers of one shape share.
  struct Shape {
    std::optional<ChunkedLayer> chunked;
    /// Why there is none.
    std::string obstacle;
    std::vector<DegreeCandidate> candidates;
    std::string table;
  };
  struct Layer {
    LayerOp op;
    const Shape *shape;
  };

  static remark::RemarkOpts remarkOptions() {
    return remark::RemarkOpts::name("degree").category(kName);
  }
  InFlightDiagnostic error() {
    return emitError(module.getLoc()) << kName << ": ";
  }

  LogicalResult checkOptions();
  LogicalResult loadCounts();

  /// Times a layer in all degrees and orders that there are to choose from.
  LogicalResult plan(ModuleOp alone, StringRef key, Shape &shape) {
    ScheduleEvaluator evaluator(machine);
    auto chunked = known.get(alone, key, evaluator, options.maxDegree);
    if (failed(chunked))
      return failure();
    shape.chunked = (*chunked)->layer;
    shape.obstacle = (*chunked)->reason;
    if (!shape.chunked)
      return success();
    double gradientUs = shape.chunked->getGradientUs();
    shape.candidates =
        listCandidates(*shape.chunked, options.order, gradientUs);
    shape.table = describeDegrees(*shape.chunked, options.order);
    if (options.order == ChunkOrder::Best &&
        failed(compareOrders(alone, evaluator, shape)))
      return failure();
    if (options.sizes == ChunkSizes::Best)
      return compareSizes(alone, evaluator, shape);
    return success();
  }

  /// A form with what the layer alone takes in it.
  using Simulated = std::pair<double, const DegreeCandidate *>;

  /// Simulates what may be the best of some forms: the plan knows neither the
  /// streams of copies nor what stands around the chain, so that forms which
  /// take nearly the least by plan are in question. Gives the fastest, of those
  /// as good the one of the fewest chunks; what is best by plan stays where
  /// others are hardly faster, as the layer alone is not the whole step.
  FailureOr<Simulated> findFastestAlone(ModuleOp alone,
                                        ScheduleEvaluator &evaluator,
                                        const Shape &shape,
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
    if (forms.size() > kSimulatedForms)
      forms.resize(kSimulatedForms);
    for (auto &[us, candidate] : forms) {
      FailureOr<double> simulated =
          getUs(alone, evaluator, getForm(shape, *candidate));
      if (failed(simulated))
        return failure();
      us = *simulated;
    }
    const Simulated &best = *cost::pickSimplest(
        forms, uncertainty, [](const Simulated &form) { return form.first; },
        [](const Simulated &a, const Simulated &b) {
          return a.second->time.degree < b.second->time.degree;
        });
    bool isHardlyFaster =
        forms.front().first <=
        cost::getEnoughUs(best.first, std::max(uncertainty, kHardly));
    return isHardlyFaster ? forms.front() : best;
  }

  /// Keeps the best order found, or the others: the order found must be faster
  /// than FSMoE's when the layer alone is simulated.
  LogicalResult compareOrders(ModuleOp alone, ScheduleEvaluator &evaluator,
                              Shape &shape) {
    double gradientUs = shape.chunked->getGradientUs();
    std::vector<DegreeCandidate> ordered =
        listBestOrders(*shape.chunked, gradientUs);
    // One chunk has one order only.
    if (shape.candidates.back().time.degree == 1)
      ordered.push_back(shape.candidates.back());
    shape.candidates.pop_back();
    auto fixed = findFastestAlone(alone, evaluator, shape, shape.candidates);
    auto found = findFastestAlone(alone, evaluator, shape, ordered);
    if (failed(fixed) || failed(found))
      return failure();
    const DegreeCandidate &best = *found->second;
    shape.table += llvm::formatv(
        "; best order {0} of {1} chunks: {2}; the layer alone takes "
        "{3:F1} us with it, {4:F1} us with the fixed one",
        best.form.order, best.time.degree,
        describeUs(best.time.getUs(gradientUs), best.isExtrapolated),
        found->first, fixed->first);
    double uncertainty = machine.uncertainty.value;
    if (isWorthwhile(found->first, fixed->first, uncertainty)) {
      shape.candidates = {best};
      return success();
    }
    // Phases that share a degree need all of them.
    if (options.phases == DegreePhases::Each &&
        fixed->second !=
            findFastest(shape.candidates, gradientUs, uncertainty)) {
      shape.table +=
          llvm::formatv(", in {0} chunks", fixed->second->time.degree);
      shape.candidates = {DegreeCandidate(*fixed->second)};
    }
    return success();
  }

  /// Keeps the best chunks of unequal sizes, or the other candidates. As for
  /// orders, the layer alone says which.
  LogicalResult compareSizes(ModuleOp alone, ScheduleEvaluator &evaluator,
                             Shape &shape) {
    double gradientUs = shape.chunked->getGradientUs();
    double uncertainty = machine.uncertainty.value;
    std::string reason;
    auto parted = PartedLayer::create(
        alone, evaluator, shape.chunked->getTimes(/*share=*/1), reason);
    if (failed(parted))
      return failure();
    if (!*parted) {
      shape.table += "; no unequal chunks: " + reason;
      return success();
    }
    const DegreeCandidate &equal =
        *findFastest(shape.candidates, gradientUs, uncertainty);
    double equalPlanUs = equal.time.getUs(gradientUs);
    UnequalForms unequal = listUnequal(
        **parted, options.order, options.maxDegree, gradientUs, equalPlanUs);
    std::string bound = llvm::formatv(
        "no sizes in any order take less than {0:F1} us", unequal.lowerBoundUs);
    FailureOr<double> equalUs = getUs(alone, evaluator, getForm(shape, equal));
    if (failed(equalUs))
      return failure();
    std::optional<DegreeCandidate> best;
    double bestUs = 0;
    auto simulate = [&](const UnequalForm &form) -> FailureOr<double> {
      FailureOr<double> us =
          getUs(alone, evaluator, getForm(shape, form.candidate));
      auto [least, most] = std::minmax_element(
          form.candidate.form.sizes.begin(), form.candidate.form.sizes.end());
      if (succeeded(us) && *most - *least > 1 && (!best || *us < bestUs)) {
        best = form.candidate;
        bestUs = *us;
      }
      return us;
    };
    // The best of the plan, and from there on what the layer alone says.
    SmallVector<std::pair<double, const UnequalForm *>> starts;
    for (const UnequalForm &form : unequal.forms) {
      FailureOr<double> us = simulate(form);
      if (failed(us))
        return failure();
      starts.push_back({*us, &form});
    }
    llvm::sort(starts);
    if (starts.size() > kImprovedForms)
      starts.resize(kImprovedForms);
    std::optional<UnequalForm> even = makeEven(**parted, equal);
    if (even)
      starts.push_back({*equalUs, &*even});
    for (auto [us, start] : starts) {
      auto sized = SizedSchedule::create(
          alone, evaluator, getForm(shape, start->candidate), **parted);
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
      shape.table += "; unequal chunks found no faster; " + bound;
      return success();
    }
    shape.table += llvm::formatv(
        "; unequal chunks of {0:$[, ]} in the order {1}: {2}, of equal "
        "ones {3:F1} us; the layer alone takes {4:F3} us with them, {5:F3} us "
        "with equal ones; {6}",
        llvm::make_range(best->form.sizes.begin(), best->form.sizes.end()),
        getForm(shape, *best).order,
        describeUs(best->time.getUs(gradientUs), best->isExtrapolated),
        equalPlanUs, bestUs, *equalUs, bound);
    if (isWorthwhile(bestUs, *equalUs, uncertainty))
      shape.candidates = {*best};
    return success();
  }

  /// Whether what takes `us` is chosen instead of something simpler.
  static bool isWorthwhile(double us, double simplerUs, double uncertainty) {
    double times[] = {simplerUs, us};
    return cost::pickSimplest(times, uncertainty,
                              [](double time) { return time; }) != times;
  }

  /// A form in equal chunks of as many parts; nullopt where there are too few.
  static std::optional<UnequalForm> makeEven(const PartedLayer &parted,
                                             const DegreeCandidate &equal) {
    int64_t degree = equal.time.degree, numParts = parted.getNumParts();
    if (degree < 2 || numParts / degree < parted.getLeastParts())
      return std::nullopt;
    SmallVector<int64_t> parts(degree, numParts / degree);
    for (int64_t i = 0; i < numParts % degree; ++i)
      ++parts[i];
    return makeUnequal(parted, equal.form.order, parts);
  }

  /// Says what counted loads are without the slots that the layer's buffers
  /// have. Shapes are static, so every rank sends and computes all its slots,
  /// and none of it tells one routing from another.
  LogicalResult compareLoads(LayerOp op, Shape &shape) {
    int64_t numExperts = shape.chunked->getNumExperts();
    auto error = [&] {
      return op.emitError()
             << kName << ": expert-counts: " << options.expertCounts
             << ": counts: ";
    };
    if (counts->numExperts != numExperts)
      return error() << "expected those of the " << numExperts
                     << " experts of layer " << op.getName() << ", got "
                     << counts->numExperts;
    auto skew = schedule::getExpertSkew(
        *counts, shape.chunked->getExpertParallelRanks(), std::nullopt);
    if (!skew)
      return error() << skew.getError();
    shape.table += llvm::formatv(
        "; the capacity of its buffers fixes the loads, counts change no time "
        "(without a capacity the busiest rank would have {0:F2} times the mean "
        "load and exchange {1:F2} times the mean)",
        skew->load, skew->exchange);
    return success();
  }

  /// When the layer alone ends in a form.
  static FailureOr<double> getUs(ModuleOp alone, ScheduleEvaluator &evaluator,
                                 const LayerForm &form) {
    FailureOr<SimulatedForm> simulated = simulateForm(alone, evaluator, form);
    if (failed(simulated))
      return failure();
    return simulated->schedule.getUs();
  }

  /// The form without its order's place for gradients where there are none.
  static LayerForm getForm(const Shape &shape,
                           const DegreeCandidate &candidate) {
    LayerForm form = candidate.form;
    if (!shape.chunked->hasGradient())
      llvm::erase(form.order, 'G');
    return form;
  }

  static const DegreeCandidate &find(const Shape &shape, int64_t degree) {
    return *llvm::find_if(shape.candidates,
                          [&](const DegreeCandidate &candidate) {
                            return candidate.time.degree == degree;
                          });
  }

  /// The degree that is fastest for all phases together, or the smallest that
  /// is as good; 0 where none is possible.
  static int64_t chooseJointly(ArrayRef<Layer> phasesOfLayer,
                               double uncertainty) {
    SmallVector<std::pair<int64_t, double>> times;
    for (const DegreeCandidate &first :
         phasesOfLayer.front().shape->candidates) {
      double us = 0;
      bool isPossible = true;
      for (const Layer &layer : phasesOfLayer) {
        auto it = llvm::find_if(
            layer.shape->candidates, [&](const DegreeCandidate &candidate) {
              return candidate.time.degree == first.time.degree;
            });
        isPossible &= it != layer.shape->candidates.end();
        if (isPossible)
          us += it->time.getUs(layer.shape->chunked->getGradientUs());
      }
      if (isPossible)
        times.push_back({first.time.degree, us});
    }
    auto *best = cost::pickSimplest(
        times, uncertainty, [](const auto &time) { return time.second; },
        llvm::less_first());
    return best == times.end() ? 0 : best->first;
  }

  /// Says what is chosen for a layer.
  void report(const Layer &layer, const DegreeCandidate &choice) {
    LayerOp op = layer.op;
    const Shape &shape = *layer.shape;
    double gradientUs = shape.chunked->getGradientUs();
    int64_t degree = choice.time.degree;
    const DegreeCandidate *runnerUp = nullptr;
    for (const DegreeCandidate &other : shape.candidates)
      if (other.time.degree != degree &&
          (!runnerUp ||
           other.time.getUs(gradientUs) < runnerUp->time.getUs(gradientUs)))
        runnerUp = &other;
    // With one degree for both phases, others may be faster for this one.
    std::string simpler;
    double us = choice.time.getUs(gradientUs);
    const DegreeCandidate &fastest =
        *findFastest(shape.candidates, gradientUs, /*uncertainty=*/0);
    if (options.phases == DegreePhases::Each &&
        cost::isFaster(fastest.time.getUs(gradientUs), us))
      simpler = llvm::formatv(", {0:F1} us, as good as {1} chunks with {2:F1} "
                              "us within the platform's uncertainty",
                              us, fastest.time.degree,
                              fastest.time.getUs(gradientUs));
    auto remark = moe::passed(op.getLoc(), remarkOptions());
    remark << remark::add("layer {0} {1}: {2}{3}; {4}", op.getName(),
                          stringifyPhase(op.getPhase()),
                          describe(shape, choice), simpler, shape.table)
           << remark::metric("degree", degree)
           << remark::metric("time_us", choice.time.getUs(gradientUs))
           << remark::metric("gradient_us", gradientUs);
    if (choice.isExtrapolated)
      remark << remark::metric("extrapolated", true);
    if (runnerUp)
      remark << remark::metric("runner_up_degree", runnerUp->time.degree)
             << remark::metric("runner_up_us",
                               runnerUp->time.getUs(gradientUs));
  }

  static std::string describe(const Shape &shape,
                              const DegreeCandidate &choice) {
    if (choice.time.degree == 1)
      return "no pipeline";
    std::string text = getForm(shape, choice).order;
    if (!choice.form.sizes.empty())
      text += llvm::formatv(
          " in chunks of {0:$[, ]}",
          llvm::make_range(choice.form.sizes.begin(), choice.form.sizes.end()));
    return text;
  }

  ModuleOp module;
  const cost::Machine &machine;
  const ChooseDegreeOptions &options;
  KnownLayers &known;
  /// What `expertCounts` holds.
  std::optional<schedule::ExpertCounts> counts;

  static constexpr StringRef kName = "moe-choose-degree";
  /// Chunks that a plan is made for; each degree is scheduled once a shape.
  static constexpr int64_t kMostDegree = 256;
  /// Forms that take up to this share more than the best by plan are
  /// simulated, so many at most.
  static constexpr double kPromising = 0.1;
  /// A share of time that a plan is not given up for.
  static constexpr double kHardly = 0.01;
  static constexpr size_t kSimulatedForms = 4;
  /// Unequal chunks of the plan that are improved by simulation.
  static constexpr size_t kImprovedForms = 3;
};

} // namespace

LogicalResult DegreeChooser::checkOptions() {
  if (options.maxDegree < 1 || options.maxDegree > kMostDegree)
    return error() << "expected max-degree in [1, " << kMostDegree << "], got "
                   << options.maxDegree;
  if (options.sizes == ChunkSizes::Best &&
      options.order == ChunkOrder::OneStream)
    return error() << "expected order=fixed or best with sizes=best, got "
                      "one-stream";
  if (options.sizes == ChunkSizes::Best &&
      options.phases == DegreePhases::Joint)
    return error() << "expected phases=each with sizes=best, got joint";
  return success();
}

LogicalResult DegreeChooser::loadCounts() {
  if (options.expertCounts.empty())
    return success();
  auto rows = platform::loadRoutingCounts(options.expertCounts);
  if (!rows)
    return error() << "expert-counts: " << rows.getError();
  counts.emplace();
  counts->numSources = rows->size();
  counts->numExperts = rows->front().size();
  for (const std::vector<double> &row : *rows)
    llvm::append_range(counts->tokens, row);
  return success();
}

FailureOr<SmallVector<ChosenForm>> DegreeChooser::run() {
  if (failed(checkOptions()))
    return failure();
  auto replication = ReplicationInfo::compute(module);
  if (failed(replication) || failed(loadCounts()))
    return failure();
  ControlInfo control(**replication);
  llvm::StringMap<Shape> shapes;
  // By the name of the layer: phases that may share a degree.
  llvm::MapVector<StringRef, SmallVector<Layer>> layers;
  SmallVector<LayerOp> ops;
  module.walk([&](LayerOp op) { ops.push_back(op); });
  for (LayerOp op : ops) {
    IsolatedLayer alone(op, control);
    auto [it, isNew] = shapes.try_emplace(alone.getKey());
    if (isNew)
      it->second.obstacle = alone.getPipelineObstacle();
    if (isNew && it->second.obstacle.empty() &&
        failed(plan(alone.getModule(), it->first(), it->second)))
      return failure();
    if (isNew && counts && it->second.chunked &&
        failed(compareLoads(op, it->second)))
      return failure();
    if (it->second.chunked)
      layers[op.getName()].push_back({op, &it->second});
    else
      moe::missed(op.getLoc(), remarkOptions())
          << remark::reason("layer {0} {1}: {2}", op.getName(),
                            stringifyPhase(op.getPhase()), it->second.obstacle);
  }
  SmallVector<ChosenForm> forms;
  auto choose = [&](const Layer &layer, const DegreeCandidate &choice) {
    report(layer, choice);
    forms.push_back({layer.op, choice.time.degree == 1
                                   ? LayerForm()
                                   : getForm(*layer.shape, choice)});
  };
  double uncertainty = machine.uncertainty.value;
  for (auto &[name, phasesOfLayer] : layers) {
    if (options.phases == DegreePhases::Joint) {
      if (int64_t degree = chooseJointly(phasesOfLayer, uncertainty))
        for (const Layer &layer : phasesOfLayer)
          choose(layer, find(*layer.shape, degree));
      continue;
    }
    for (const Layer &layer : phasesOfLayer)
      choose(layer,
             *findFastest(layer.shape->candidates,
                          layer.shape->chunked->getGradientUs(), uncertainty));
  }
  return forms;
}

FailureOr<SmallVector<ChosenForm>>
moe::chooseDegrees(ModuleOp module, const cost::Machine &machine,
                   const ChooseDegreeOptions &options) {
  KnownLayers known;
  return chooseDegrees(module, machine, options, known);
}

FailureOr<SmallVector<ChosenForm>>
moe::chooseDegrees(ModuleOp module, const cost::Machine &machine,
                   const ChooseDegreeOptions &options, KnownLayers &known) {
  return DegreeChooser(module, machine, options, known).run();
}
