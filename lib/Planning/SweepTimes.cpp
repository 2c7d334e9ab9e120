// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Predicted times of layouts.

#include "moe/Planning/SweepTimes.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "moe/Compiler/Compile.h"
#include "moe/Compiler/LayerVariant.h"
#include "moe/Compiler/Plan.h"
#include "moe/Compiler/Prediction.h"
#include "moe/Compiler/Register.h"
#include "moe/Frontend/BuildModule.h"
#include "moe/Planning/Answers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"
#include <mutex>

using namespace llvm;
using namespace moe;
using namespace moe::planning;

/// Stores the variants chosen for the layers of a program in `times`.
static mlir::LogicalResult readVariants(mlir::ModuleOp module,
                                        StepTimes &times) {
  mlir::FailureOr<StepPlan> plan = readStepPlan(module);
  if (failed(plan))
    return mlir::failure();
  // The names of each phase without duplicates.
  SetVector<StringRef> forward, backward;
  std::vector<std::string> names;
  SmallVector<LayerOp> layers = listLayers(module);
  names.reserve(layers.size());
  for (LayerOp layer : layers) {
    mlir::FailureOr<LayerVariant> form = readVariant(layer);
    if (failed(form))
      return mlir::failure();
    times.onceANode |= form->exchange == AllToAllAlgorithm::NodeDedup;
    names.push_back(form->describe());
    (layer.getPhase() == Phase::Backward ? backward : forward)
        .insert(names.back());
  }
  if (plan->schedule != ScheduleChoice::Layers)
    return mlir::success();
  auto list = [](const SetVector<StringRef> &forms) {
    return join(forms, " or ");
  };
  times.form = list(forward);
  if (!backward.empty() && list(backward) != times.form)
    times.form += " forward, " + list(backward) + " backward";
  return mlir::success();
}

/// Returns the time during which at least one compute stream is busy.
static double getComputeUs(const Prediction &prediction) {
  const schedule::Timeline &timeline = prediction.timeline;
  std::vector<std::pair<double, double>> spans;
  for (schedule::TaskId id = 0; id < timeline.startUs.size(); ++id) {
    StreamOp stream =
        prediction.schedule
            .streams[prediction.schedule.graph.getTask(id).stream];
    if (stringifyResourceKind(stream.getResource()) == "compute")
      spans.push_back({timeline.startUs[id], timeline.endUs[id]});
  }
  llvm::sort(spans);
  double us = 0, last = 0;
  for (auto [start, end] : spans) {
    us += std::max(0.0, end - std::max(start, last));
    last = std::max(last, end);
  }
  return us;
}

/// Builds, compiles and simulates one program.
static cost::Result<StepTimes> timeProgram(const ModelConfig &config,
                                           const ImportOptions &options,
                                           const cost::Machine &machine,
                                           const StepCompilation &compilation) {
  mlir::DialectRegistry registry;
  registerProgramDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  std::string problem;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error &&
            problem.empty())
          problem = diagnostic.str();
        return mlir::success();
      });
  auto fail = [&] {
    return cost::Failure{problem.empty() ? "it cannot be compiled" : problem};
  };
  Expected<mlir::OwningOpRef<mlir::ModuleOp>> module =
      buildModule(context, config, options);
  if (!module)
    return cost::Failure{toString(module.takeError())};
  CompileOptions compile;
  compile.platform = compilation.platform;
  compile.ignoreFitted = compilation.load.ignoreFitted;
  compile.schedule = compilation.schedule;
  compile.traffic = compilation.traffic;
  // The result only provides times; moe-opt verifies programs before a run.
  compile.verifies = false;
  StepTimes times;
  if (failed(compileTo(**module, CompilePhase::Choose, compile)) ||
      failed(readVariants(**module, times)))
    return fail();
  CompileOptions rest;
  rest.from = CompilePhase::Decompose;
  rest.verifies = false;
  if (failed(compileTo(**module, CompilePhase::Schedule, rest)))
    return fail();
  mlir::FailureOr<Prediction> prediction =
      predict(**module, "sweep", "", machine, /*traffic=*/std::nullopt,
              StageSettings());
  if (failed(prediction))
    return fail();

  const schedule::Timeline &timeline = prediction->timeline;
  const StagePrediction &stages = *prediction->stages;
  times.forwardUs = stages.step.getPiece(0).forwardUs;
  times.backwardUs = stages.step.getPiece(0).backwardUs;
  times.sendUs = stages.step.sendUs;
  times.endUs = stages.step.endUs;
  std::vector<double> sumsUs(prediction->schedule.streams.size(), 0);
  for (schedule::TaskId id = 0; id < stages.sums.size(); ++id)
    if (stages.sums[id])
      sumsUs[prediction->schedule.graph.getTask(id).stream] +=
          timeline.endUs[id] - timeline.startUs[id];
  for (double us : sumsUs)
    times.sumUs = std::max(times.sumUs, us);
  for (schedule::TaskId id : timeline.criticalPath) {
    TaskOp task = prediction->schedule.tasks[id];
    if (!stages.sums[id])
      times.pathUs[task.getName().str()] +=
          timeline.endUs[id] - timeline.startUs[id];
  }
  times.computeUs = getComputeUs(*prediction);
  return times;
}

/// Returns true if every MoE layer after the first follows the same layers.
static bool isRegular(const ModelConfig &config) {
  const std::vector<int64_t> &layers = config.moeLayers;
  for (size_t i = 2; i < layers.size(); ++i)
    if (layers[i] - layers[i - 1] != layers[1] - layers[0] ||
        (!config.parts.empty() &&
         config.listPartsUpTo(int64_t(i)) != config.listPartsUpTo(1)))
      return false;
  return layers.empty() || layers.back() == config.numLayers - 1;
}

namespace {

/// Times of programs with one MoE layer, with two, and with one MoE and one
/// dense layer.
struct LayerLine {
  StepTimes one, two;
  std::optional<StepTimes> dense;

  /// Extrapolates linearly to `layers`. The `pieces` pieces of a stage share
  /// the time that does not depend on layers.
  StepTimes extend(const LayerCount &layers, int64_t pieces) const;
};

} // namespace

StepTimes LayerLine::extend(const LayerCount &layers, int64_t pieces) const {
  auto line = [&](auto get) {
    double first = get(one), more = get(two) - first;
    double dense = this->dense ? get(*this->dense) - first : 0;
    return std::max(0.0, (first - more) / double(pieces) +
                             double(layers.moe) * more +
                             double(layers.dense) * dense);
  };
  auto of = [&](double StepTimes::*part) {
    return line([part](const StepTimes &times) { return times.*part; });
  };
  StepTimes all;
  for (double StepTimes::*part :
       {&StepTimes::forwardUs, &StepTimes::backwardUs, &StepTimes::endUs,
        &StepTimes::sumUs, &StepTimes::computeUs})
    all.*part = of(part);
  all.sendUs = one.sendUs;
  all.form = two.form;
  all.onceANode = two.onceANode;
  for (const auto &[name, us] : two.pathUs)
    all.pathUs[name] = line([&](const StepTimes &times) {
      auto it = times.pathUs.find(name);
      return it == times.pathUs.end() ? 0 : it->second;
    });
  return all;
}

const StepTimes &LayoutTimes::getLongest() const {
  return *llvm::max_element(pieces, [](const StepTimes &a, const StepTimes &b) {
    return a.getPassesUs() < b.getPassesUs();
  });
}

/// Times a program with all layers.
static cost::Result<LayoutTimes> timeWhole(const ModelConfig &config,
                                           const ImportOptions &options,
                                           const cost::Machine &machine,
                                           const StepCompilation &compilation) {
  auto moeLayers = int64_t(config.moeLayers.size());
  LayerLine line;
  ImportOptions part = options;
  for (auto [count, times] :
       {std::pair(int64_t(1), &line.one), {2, &line.two}}) {
    bool isPart = moeLayers > 2 && isRegular(config);
    part.numLayers = isPart ? count : moeLayers;
    cost::Result<StepTimes> timed =
        timeProgram(config, part, machine, compilation);
    if (!timed)
      return timed.getFailure();
    if (!isPart)
      return LayoutTimes{{std::move(*timed)}};
    *times = std::move(*timed);
  }
  return LayoutTimes{{line.extend({moeLayers, 0}, 1)}};
}

/// Times the pieces that stages hold.
static cost::Result<LayoutTimes>
timeStages(const ModelConfig &config, const SweepLayout &layout,
           const cost::Machine &machine, const StepCompilation &compilation) {
  LayerLine line;
  bool hasDense = llvm::any_of(
      layout.pieces, [](const LayerCount &piece) { return piece.dense > 0; });
  if (hasDense)
    line.dense.emplace();
  struct {
    LayerCount layers;
    StepTimes *times;
  } programs[] = {{{1, 0}, &line.one},
                  {{2, 0}, &line.two},
                  {{1, 1}, hasDense ? &*line.dense : nullptr}};
  for (auto &[layers, times] : programs) {
    if (!times)
      continue;
    ModelConfig stages = config;
    setStageLayers(stages, layout.options.pp, layers.moe, layers.dense);
    ImportOptions options = layout.options;
    options.numLayers.reset();
    cost::Result<StepTimes> timed =
        timeProgram(stages, options, machine, compilation);
    if (!timed)
      return timed.getFailure();
    *times = std::move(*timed);
  }
  bool isAlike = areAlike(layout.pieces);
  LayoutTimes all;
  for (const LayerCount &piece : layout.pieces) {
    all.pieces.push_back(line.extend(piece, layout.getStep().virtualStages));
    if (isAlike)
      break;
  }
  return all;
}

cost::Result<double> moe::planning::getGatherUs(const ModelSize &model,
                                                const ImportOptions &options,
                                                const LayerCount &layers,
                                                const cost::Machine &machine) {
  schedule::ParallelDegrees degrees = getDegrees(options);
  // Tensor-parallel ranks that together hold one copy: the shards of an expert,
  // or all ranks if experts are folded.
  int64_t shards = options.foldEp ? options.tp : degrees.getExpertShards();
  int64_t shape[] = {options.dp,          options.pp,          options.cp,
                     degrees.getAxisEp(), options.tp / shards, shards};
  unsigned dp = options.stagesOutermost.value_or(false) ? 1 : 0;
  if (dp == 1)
    std::swap(shape[0], shape[1]);
  LayerWeights weights = getLayerWeights(model, degrees);
  // Ranks that hold the same experts, and ranks that hold the same other
  // weights.
  std::vector<unsigned> ofExperts = {dp, 4}, ofOthers = {dp, 2, 3};
  bool foldsContext =
      options.foldEp && options.ep % (options.tp * options.cp) == 0;
  if (!foldsContext)
    ofExperts.push_back(2);
  double us = 0;
  struct {
    const std::vector<unsigned> &axes;
    double parameters;
    int64_t times;
  } gathers[] = {{ofExperts, weights.experts, layers.moe},
                 {ofOthers, weights.attention + weights.beside, layers.moe},
                 {ofOthers, weights.attention + weights.dense, layers.dense}};
  for (const auto &[axes, parameters, times] : gathers) {
    auto groups = cost::RankGroups::fromMesh(shape, axes);
    if (!groups)
      return groups.getFailure();
    auto plan = cost::CollectivePlan::create(machine, *groups,
                                             cost::CollectiveKind::AllGather);
    if (!plan)
      return plan.getFailure();
    us += double(times) * plan->getTime(cost::Bytes(2 * parameters)).value();
  }
  return us;
}

cost::Result<double> moe::planning::getHeadGatherUs(
    const ModelSize &model, const ImportOptions &options,
    const LayerCount &layers, const cost::Machine &machine) {
  int64_t outer =
      options.dp * options.pp * options.cp * getDegrees(options).getAxisEp();
  int64_t shape[] = {outer, options.tp};
  std::vector<unsigned> axes = {1};
  auto groups = cost::RankGroups::fromMesh(shape, axes);
  if (!groups)
    return groups.getFailure();
  auto plan = cost::CollectivePlan::create(machine, *groups,
                                           cost::CollectiveKind::AllGather);
  if (!plan)
    return plan.getFailure();
  AttentionWidths widths = model.config.getMeanAttention();
  constexpr double kElement = 2;
  double tokens =
      double(options.microBatch) * double(options.seqLen / options.cp);
  double columns =
      double(widths.query) + double(widths.keyValue + widths.getValue());
  return double(layers.getAll()) *
         plan->getTime(cost::Bytes(kElement * tokens * columns)).value();
}

std::vector<cost::Result<LayoutTimes>> moe::planning::timeLayouts(
    const ModelConfig &config, ArrayRef<SweepLayout> layouts,
    const platform::Platform &platform, const StepCompilation &compilation,
    function_ref<void(size_t)> progress) {
  std::vector<cost::Result<LayoutTimes>> times(
      layouts.size(), cost::Result<LayoutTimes>(LayoutTimes()));
  std::mutex mutex;
  size_t done = 0;
  DefaultThreadPool pool(hardware_concurrency());
  for (size_t i = 0; i < layouts.size(); ++i)
    pool.async([&, i] {
      const SweepLayout &layout = layouts[i];
      cost::Result<LayoutTimes> time =
          layout.options.pp > 1
              ? timeStages(config, layout, platform.machine, compilation)
              : timeWhole(config, layout.options, platform.machine,
                          compilation);
      std::lock_guard<std::mutex> lock(mutex);
      times[i] = std::move(time);
      progress(++done);
    });
  pool.wait();
  return times;
}
