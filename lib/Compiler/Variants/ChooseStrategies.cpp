// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice of the fastest variant of each layer.

#include "IsolatedLayer.h"
#include "VariantSearch.h"
#include "mlir/IR/Diagnostics.h"
#include "moe/Analysis/TokenChunks.h"
#include "moe/Compiler/ModuleTraffic.h"
#include "moe/Compiler/VariantChoice.h"
#include "moe/Support/Progress.h"
#include "moe/Transforms/Remarks.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace moe;

std::string VariantLimits::describe() const {
  return "strategy=" + getEnumName(choice).str() +
         " degree=" + (degree ? std::to_string(*degree) : std::string("auto"));
}

std::string VariantLimits::check() const {
  bool isWhole =
      choice == StrategyChoice::Baseline || choice == StrategyChoice::O1;
  bool isChunked = choice == StrategyChoice::O2 || choice == StrategyChoice::O3;
  std::string forStrategy = " for strategy=" + getEnumName(choice).str();
  if (degree && (*degree < 1 || *degree > PipelineOp::kMaxDegree))
    return "expected degree to be auto or a number in [1, " +
           std::to_string(PipelineOp::kMaxDegree) + "], got '" +
           std::to_string(*degree) + "'";
  if ((isWhole && degree.value_or(1) != 1) ||
      (isChunked && degree.value_or(2) == 1))
    return std::string("expected degree=auto or ") +
           (isWhole ? "degree=1" : "a degree of at least 2") + forStrategy +
           ", got " + std::to_string(*degree);
  if (isChunked && !degree && maxChunks < 2)
    return "expected max-chunks of at least 2" + forStrategy + ", got " +
           std::to_string(maxChunks);
  return "";
}

namespace {

class StrategyChooser {
public:
  StrategyChooser(ModuleOp module, const cost::Machine &machine,
                  const VariantLimits &limits, bool usesFitted)
      : module(module), machine(machine), limits(limits),
        usesFitted(usesFitted) {}

  FailureOr<SmallVector<ChosenVariant>> run() {
    auto replication = ReplicationInfo::compute(module);
    if (failed(replication))
      return failure();
    ControlInfo control(**replication);
    SmallVector<LayerOp> layers;
    module.walk([&](LayerOp layer) {
      bool communicates = false;
      layer.walk(
          [&](Operation *op) { communicates |= isDivisibleAllToAll(op); });
      if (communicates)
        layers.push_back(layer);
    });
    if (failed(reportOthers(layers)))
      return failure();
    // Layers of one shape share a search; the key is the isolated module.
    llvm::StringMap<size_t> places;
    std::vector<Choice> choices;
    SmallVector<ChosenVariant> forms;
    support::Activity activity("layer", layers.size());
    for (LayerOp layer : layers) {
      activity.next();
      // Passes that run in the same chunks have one variant.
      if (llvm::is_contained(
              llvm::map_range(forms, [](auto &form) { return form.layer; }),
              layer))
        continue;
      SmallVector<LayerOp> together = findLayersInChunks(layer);
      auto alone = std::make_unique<IsolatedLayer>(together, control);
      auto [it, isNew] = places.try_emplace(alone->getKey(), choices.size());
      if (isNew &&
          failed(choose(layer, std::move(alone), choices.emplace_back())))
        return failure();
      Choice &choice = choices[it->second];
      choice.layers.push_back(getDecided(together));
      for (LayerOp one : together)
        forms.push_back({one, choice.getForm()});
    }
    for (Choice &choice : choices)
      if (failed(report(std::move(choice))))
        return failure();
    return forms;
  }

private:
  /// Common data of layers with one shape.
  struct Choice {
    std::unique_ptr<IsolatedLayer> alone;
    /// Reads the isolated layer.
    std::unique_ptr<VariantSearch> search;
    SearchResult result;
    std::vector<DecidedLayer> layers;
    /// Location of the first layer.
    std::optional<Location> loc;

    /// Returns the chosen variant; the unchanged layer if none could be tried.
    LayerVariant getForm() const {
      return result.rows.empty() ? LayerVariant() : result.rows.front().form;
    }
  };

  static remark::RemarkOpts remarkOptions() {
    return remark::RemarkOpts::name("strategy").category(kName);
  }

  /// Reports layers without an all-to-all, and a module without layers. Emits
  /// an error and fails if a variant was requested.
  LogicalResult reportOthers(ArrayRef<LayerOp> layers) {
    auto say = [&](Location loc, const std::string &text) -> LogicalResult {
      if (limits.isForced())
        return emitError(loc)
               << kName << ": " << text << "; got " << limits.describe();
      moe::missed(loc, remarkOptions()) << remark::reason("{0}", text);
      return success();
    };
    bool hasLayers = false;
    WalkResult result = module.walk([&](LayerOp layer) {
      hasLayers = true;
      if (!llvm::is_contained(layers, layer) &&
          failed(say(layer.getLoc(), "layer " + layer.getName().str() +
                                         ": expected an all-to-all, the layer "
                                         "has none")))
        return WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();
    if (hasLayers)
      return success();
    return say(module.getLoc(),
               "expected a moe.layer to choose a variant for, found none");
  }

  LogicalResult choose(LayerOp layer, std::unique_ptr<IsolatedLayer> alone,
                       Choice &choice) {
    choice.loc = layer.getLoc();
    choice.alone = std::move(alone);
    choice.search = std::make_unique<VariantSearch>(
        choice.alone->getModule(), machine, limits,
        choice.alone->getPipelineObstacle(),
        /*keepsSchedules=*/isRead(layer.getLoc(), kName));
    FailureOr<SearchResult> result = choice.search->run();
    if (failed(result))
      return failure();
    choice.result = std::move(*result);
    // Code that cannot be scheduled is left unchanged, unless the user
    // requested a variant.
    if (!choice.result.obstacle.empty() && !limits.isForced())
      return success();
    if (choice.result.rows.empty()) {
      InFlightDiagnostic diag = layer.emitError()
                                << kName << ": layer " << layer.getName()
                                << ": no variant of " << limits.describe()
                                << " is possible";
      // The error includes the reason, because users may overlook a note after
      // the printed op.
      if (!choice.result.obstacle.empty())
        diag << ": " << choice.result.obstacle;
      else if (!choice.result.impossible.empty())
        diag << ": no " << choice.result.impossible.front().first << ", "
             << choice.result.impossible.front().second;
      if (!choice.result.obstacle.empty())
        diag.attachNote(layer.getLoc()) << choice.result.obstacle;
      for (const auto &[what, why] : choice.result.impossible)
        diag.attachNote(layer.getLoc()) << "no " << what << ": " << why;
      return diag;
    }
    return success();
  }

  /// Returns the layer of passes with one variant. If a program has both
  /// directions, it has a direction unless the variant applies to both.
  DecidedLayer getDecided(ArrayRef<LayerOp> passes) {
    LayerOp first = passes.front();
    bool isOne = llvm::all_of(passes, [&](LayerOp pass) {
      return pass.getPhase() == first.getPhase();
    });
    DecidedLayer layer = {first.getName().str()};
    if (isOne && trains())
      layer.phase = stringifyPhase(first.getPhase()).str();
    return layer;
  }

  bool trains() {
    return module
        .walk([](LayerOp layer) {
          return layer.getPhase() == Phase::Backward ? WalkResult::interrupt()
                                                     : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// Emits the remark for layers of one shape.
  LogicalResult report(Choice choice) {
    Decision decision;
    decision.layers = choice.layers;
    if (choice.result.rows.empty()) {
      reportObstacle(*choice.loc, remarkOptions(), decision,
                     choice.result.obstacle);
      return success();
    }
    if (!isRead(*choice.loc, kName))
      return success();
    decision = makeDecision(choice.result, machine);
    decision.layers = choice.layers;
    if (getTrafficAttr(module)) {
      FailureOr<ModuleTraffic> traffic = loadTrafficOf(module);
      if (failed(traffic))
        return failure();
      decision.notes.push_back("times are " + traffic->describe());
    }
    if (usesFitted)
      decision.notes.push_back("with parameters fitted to published results "
                               "(ignore-fitted leaves them out)");
    // Finding inputs that would change the choice takes longer than the search,
    // so it runs later.
    return emitLater([choice = std::move(choice),
                      decision =
                          std::move(decision)]() mutable -> LogicalResult {
      const SearchResult &result = choice.result;
      if (failed(addChanges(*choice.search, result, decision)))
        return failure();
      const EvaluatedVariant &best = result.rows.front();
      auto remark = reportDecision(*choice.loc, remarkOptions(), decision);
      remark << remark::metric("strategy", best.form.getName())
             << remark::metric("chunks", best.form.chunks)
             << remark::metric("time_us", best.us)
             << remark::metric("peak_bytes", best.peakBytes)
             << remark::metric("simulated", result.numSimulated);
      if (best.numExtrapolated)
        remark << remark::metric("extrapolated_tasks", best.numExtrapolated);
      if (result.rows.size() > 1)
        remark << remark::metric("runner_up_us", result.rows[1].us);
      if (result.baseline)
        remark << remark::metric("baseline_us", result.baseline->us);
      return success();
    });
  }

  ModuleOp module;
  const cost::Machine &machine;
  const VariantLimits &limits;
  bool usesFitted;

  static constexpr StringRef kName = "moe-select-strategy";
};

} // namespace

FailureOr<SmallVector<ChosenVariant>>
moe::chooseStrategies(ModuleOp module, const cost::Machine &machine,
                      const VariantLimits &limits, bool usesFitted) {
  return StrategyChooser(module, machine, limits, usesFitted).run();
}
