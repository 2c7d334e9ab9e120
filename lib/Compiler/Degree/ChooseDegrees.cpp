// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice of each layer's pipeline degree.

#include "../StepChoices.h"
#include "../Variants/ChunkRules.h"
#include "../Variants/IsolatedLayer.h"
#include "LayerShape.h"
#include "moe/Analysis/TokenChunks.h"
#include "moe/Compiler/ModuleTraffic.h"
#include "moe/Compiler/Passes.h"
#include "moe/Compiler/TrafficUse.h"
#include "moe/Cost/TieTolerance.h"
#include "moe/Platform/MachineParameters.h"
#include "moe/Traffic/Trace.h"
#include "moe/Transforms/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace moe;

namespace {

class DegreeChooser {
public:
  DegreeChooser(ModuleOp module, const cost::Machine &machine,
                const ChooseDegreeOptions &options, KnownLayers &known)
      : module(module), machine(machine), options(options), known(known) {}

  FailureOr<SmallVector<ChosenVariant>> run();

private:
  struct Layer {
    LayerOp op;
    const LayerShape *shape;
  };

  static remark::RemarkOpts remarkOptions() {
    return remark::RemarkOpts::name("degree").category(kName);
  }
  InFlightDiagnostic error() {
    return emitError(module.getLoc()) << kName << ": ";
  }

  LogicalResult checkOptions();
  LogicalResult loadCounts();

  InFlightDiagnostic countsError(LayerOp op) {
    return op.emitError() << kName
                          << ": expert-counts: " << options.expertCounts
                          << ": counts: ";
  }

  LogicalResult checkExperts(LayerOp op, int64_t numExperts) {
    if (counts->getNumColumns() == numExperts)
      return success();
    return countsError(op) << "expected those of the " << numExperts
                           << " experts of layer " << op.getName() << ", got "
                           << counts->getNumColumns();
  }
  /// Checks an uncut layer, as far as its gate defines experts.
  LogicalResult checkExperts(LayerOp op) {
    WalkResult result = op.walk([&](GateOp gate) {
      std::optional<int64_t> experts = getRoutedExperts(gate);
      return WalkResult(experts ? checkExperts(op, *experts) : success());
    });
    return failure(result.wasInterrupted());
  }

  /// Adds notes about the counted loads. Times do not depend on the routing,
  /// because shapes are static: every rank sends and computes all its slots.
  LogicalResult compareLoads(LayerOp op, LayerShape &shape) {
    if (failed(checkExperts(op, shape.chunked->getNumExperts())))
      return failure();
    auto skew = schedule::getExpertSkew(
        *counts, shape.chunked->getExpertParallelRanks(), std::nullopt);
    if (!skew)
      return countsError(op) << skew.getError();
    if (shape.chunked->isOfTokens())
      shape.notes.push_back(llvm::formatv(
          "by these counts the busiest rank has {0:F2} times the mean load "
          "and exchanges {1:F2} times the mean; times are those of {2}",
          skew->load, skew->exchange,
          getTrafficAttr(module) ? "the traffic the module is compiled for"
                                 : "equal loads"));
    else
      shape.notes.push_back(llvm::formatv(
          "the capacity of its buffers fixes the loads, counts change no "
          "time (without a capacity the busiest rank would have {0:F2} times "
          "the mean load and exchange {1:F2} times the mean)",
          skew->load, skew->exchange));
    return success();
  }

  static const DegreeCandidate &find(const LayerShape &shape, int64_t degree) {
    return *llvm::find_if(shape.candidates,
                          [&](const DegreeCandidate &candidate) {
                            return candidate.time.degree == degree;
                          });
  }

  /// Returns the degree that is fastest for all phases together, or the
  /// smallest that is as good; 0 if none is possible.
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
    auto *best = cost::pickWithinTolerance(
        times, uncertainty, [](const auto &time) { return time.second; },
        llvm::less_first());
    return best == times.end() ? 0 : best->first;
  }

  static std::vector<DecidedLayer> listDecided(ArrayRef<Layer> layers) {
    std::vector<DecidedLayer> decided;
    for (LayerOp op : llvm::map_range(layers, [](Layer l) { return l.op; }))
      decided.push_back(
          {op.getName().str(), stringifyPhase(op.getPhase()).str()});
    return decided;
  }

  /// Emits the remark for layers of one shape.
  void report(ArrayRef<Layer> layers, const DegreeCandidate &choice) {
    const LayerShape &shape = *layers.front().shape;
    Location loc = Layer(layers.front()).op.getLoc();
    double gradientUs = shape.chunked->getGradientUs();
    double us = choice.time.getUs(gradientUs);
    int64_t degree = choice.time.degree;
    Decision decision;
    decision.layers = listDecided(layers);
    Candidate chosen;
    chosen.name = describe(shape, choice);
    chosen.us = us;
    chosen.isExtrapolated = choice.isExtrapolated;
    decision.candidates = shape.degrees;
    // The list already contains equal chunks in FSMoE's order.
    bool isEqual = choice.form.sizes.empty();
    for (const Candidate &candidate : shape.degrees)
      if (isEqual && candidate.name == describeChunkCount(degree))
        chosen.note = candidate.note;
    llvm::erase_if(decision.candidates, [&](const Candidate &candidate) {
      return isEqual && candidate.name == describeChunkCount(degree);
    });
    decision.candidates.push_back(chosen);
    decision.choose(decision.candidates.size() - 1);
    decision.notes = shape.notes;
    const DegreeCandidate *runnerUp = nullptr;
    for (const DegreeCandidate &other : shape.candidates)
      if (other.time.degree != degree &&
          (!runnerUp ||
           other.time.getUs(gradientUs) < runnerUp->time.getUs(gradientUs)))
        runnerUp = &other;
    // If both phases have one degree, other degrees may be faster for this
    // phase.
    const DegreeCandidate &fastest =
        *findFastest(shape.candidates, gradientUs, /*uncertainty=*/0);
    if (options.phases == DegreePhases::Each && !shape.chunked->isOfTokens() &&
        cost::isFaster(fastest.time.getUs(gradientUs), us))
      decision.why = llvm::formatv(
          "as good as {0} chunks with {1:F1} us within {2}, and simpler",
          fastest.time.degree, fastest.time.getUs(gradientUs),
          platform::describeUncertainty(machine));
    auto remark = reportDecision(loc, remarkOptions(), decision);
    remark << remark::metric("degree", degree) << remark::metric("time_us", us)
           << remark::metric("gradient_us", gradientUs);
    if (shape.aloneUs)
      remark << remark::metric("alone_us", *shape.aloneUs);
    if (choice.isExtrapolated)
      remark << remark::metric("extrapolated", true);
    if (runnerUp)
      remark << remark::metric("runner_up_degree", runnerUp->time.degree)
             << remark::metric("runner_up_us",
                               runnerUp->time.getUs(gradientUs));
  }

  static std::string describe(const LayerShape &shape,
                              const DegreeCandidate &choice) {
    std::string text = describeChunkCount(choice.time.degree);
    if (choice.time.degree == 1)
      return text;
    if (!choice.form.sizes.empty())
      text = llvm::formatv(
          "chunks of {0:$[, ]}",
          llvm::make_range(choice.form.sizes.begin(), choice.form.sizes.end()));
    return text + " in the order " + shape.getForm(choice).order;
  }

  ModuleOp module;
  const cost::Machine &machine;
  const ChooseDegreeOptions &options;
  KnownLayers &known;
  /// The contents of `expertCounts`.
  std::optional<schedule::ExpertCounts> counts;

  static constexpr StringRef kName = "moe-choose-degree";
};

} // namespace

LogicalResult DegreeChooser::checkOptions() {
  if (std::string problem = checkMaxChunks(options.maxDegree.number);
      !problem.empty())
    return error() << problem;
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
  auto trace = traffic::loadTrace(options.expertCounts);
  if (!trace)
    return error() << "expert-counts: " << trace.getError();
  counts = trace->getTotal();
  return success();
}

FailureOr<SmallVector<ChosenVariant>> DegreeChooser::run() {
  if (failed(checkOptions()))
    return failure();
  auto replication = ReplicationInfo::compute(module);
  if (failed(replication) || failed(loadCounts()))
    return failure();
  ControlInfo control(**replication);
  ShapePlanner planner(machine, options, known);
  llvm::StringMap<LayerShape> shapes;
  // By layer name, because phases may share a degree.
  llvm::MapVector<StringRef, SmallVector<Layer>> layers;
  llvm::MapVector<const LayerShape *, SmallVector<Layer>> obstacles;
  SmallVector<LayerOp> ops;
  module.walk([&](LayerOp op) { ops.push_back(op); });
  for (LayerOp op : ops) {
    // Passes that run in the same chunks are timed together.
    IsolatedLayer alone(findLayersAround(op), control);
    auto [it, isNew] = shapes.try_emplace(alone.getKey() +
                                          stringifyPhase(op.getPhase()).str());
    if (isNew)
      it->second.obstacle = alone.getPipelineObstacle();
    if (isNew && it->second.obstacle.empty() &&
        failed(planner.plan(alone.getModule(), op.getPhase(), it->first(),
                            it->second)))
      return failure();
    if (isNew && counts && it->second.chunked &&
        failed(compareLoads(op, it->second)))
      return failure();
    if (counts && !it->second.chunked && failed(checkExperts(op)))
      return failure();
    if (it->second.chunked)
      layers[op.getName()].push_back({op, &it->second});
    else
      obstacles[&it->second].push_back({op, &it->second});
  }
  for (auto &[shape, alike] : obstacles) {
    Decision decision;
    decision.layers = listDecided(alike);
    reportObstacle(alike.front().op.getLoc(), remarkOptions(), decision,
                   shape->obstacle);
  }
  SmallVector<ChosenVariant> forms;
  // Layers with the same shape and choice share a remark.
  llvm::MapVector<std::pair<const LayerShape *, const DegreeCandidate *>,
                  SmallVector<Layer>>
      chosen;
  auto choose = [&](const Layer &layer, const DegreeCandidate &choice) {
    chosen[{layer.shape, &choice}].push_back(layer);
    forms.push_back({layer.op, choice.time.degree == 1
                                   ? LayerVariant()
                                   : layer.shape->getForm(choice)});
  };
  double uncertainty = machine.uncertainty.value;
  for (auto &[name, phasesOfLayer] : layers) {
    bool sharesDegree = llvm::any_of(phasesOfLayer, [](const Layer &layer) {
      return layer.shape->chunked->isOfTokens();
    });
    if (options.phases == DegreePhases::Joint || sharesDegree) {
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
  for (auto &[choice, alike] : chosen)
    report(alike, *choice.second);
  return forms;
}

FailureOr<SmallVector<ChosenVariant>>
moe::chooseDegrees(ModuleOp module, const cost::Machine &machine,
                   const ChooseDegreeOptions &options) {
  KnownLayers known;
  return chooseDegrees(module, machine, options, known);
}

FailureOr<SmallVector<ChosenVariant>>
moe::chooseDegrees(ModuleOp module, const cost::Machine &machine,
                   const ChooseDegreeOptions &options, KnownLayers &known) {
  return DegreeChooser(module, machine, options, known).run();
}
