// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass that limits the rows that ranks send each other.

#include "LayerDispatch.h"
#include "PaddedLayer.h"
#include "moe/Compiler/ModuleTraffic.h"
#include "moe/Compiler/Passes.h"
#include "moe/Platform/DispatchLinks.h"
#include "moe/Traffic/Generate.h"
#include "moe/Transforms/ModulePlatform.h"
#include "moe/Transforms/Remarks.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

namespace moe {
#define GEN_PASS_DEF_TOPOLOGYAWARECAPACITY
#include "moe/Compiler/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

namespace {

struct Planned {
  dispatch::Topology topology;
  dispatch::DispatchPlan plan;
  std::vector<std::string> notes;
};

struct TopologyAwareCapacity
    : public moe::impl::TopologyAwareCapacityBase<TopologyAwareCapacity> {
  using TopologyAwareCapacityBase::TopologyAwareCapacityBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  remark::RemarkOpts getOptions() {
    return remark::RemarkOpts::name("dispatch").category(getArgument());
  }
  InFlightDiagnostic fail(Operation *op, const Twine &what) {
    return op->emitError() << getArgument() << ": " << what;
  }

  LogicalResult run();
  LogicalResult checkOptions();
  LogicalResult loadSamples();
  LogicalResult limit(RowLayer layer);
  /// Returns the topology tree of the ranks in the layer's group.
  FailureOr<dispatch::Topology> findTree(const RowLayer &layer);
  FailureOr<Planned> plan(const RowLayer &layer);
  /// Returns iterations for counting drops: the given trace, or random samples.
  FailureOr<std::pair<const traffic::Trace *, std::string>>
  getSamples(const RowLayer &layer);
  void report(const RowLayer &layer, const Planned &planned,
              const LimitTable &table, const DroppedCopies &dropped,
              const std::string &samples);
  /// Emits remarks about layers that are unchanged because they have no ragged
  /// exchanges.
  void reportOthers();

  platform::Platform machine;
  std::string tree;
  std::optional<ModuleTraffic> given;
  traffic::Trace drawn;
};

} // namespace

LogicalResult TopologyAwareCapacity::checkOptions() {
  ModuleOp module = getOperation();
  if (!(capacityFactor > 0) || !std::isfinite(capacityFactor))
    return fail(module, "expected a capacity-factor greater than 0, got " +
                            llvm::formatv("{0}", double(capacityFactor)).str());
  if (!(leastShare >= 0 && leastShare <= 1))
    return fail(module, "expected a least-share in [0, 1], got " +
                            llvm::formatv("{0}", double(leastShare)).str());
  return success();
}

LogicalResult TopologyAwareCapacity::loadSamples() {
  ModuleOp module = getOperation();
  if (!traffic.empty()) {
    cost::Result<ModuleTraffic> loaded = moe::loadTraffic(traffic);
    if (!loaded)
      return fail(module, loaded.getError());
    given = std::move(*loaded);
  } else if (getTrafficAttr(module)) {
    FailureOr<ModuleTraffic> loaded = loadTrafficOf(module);
    if (failed(loaded))
      return failure();
    given = std::move(*loaded);
  }
  return success();
}

FailureOr<dispatch::Topology>
TopologyAwareCapacity::findTree(const RowLayer &layer) {
  RaggedPlanOp op = layer.plan;
  FailureOr<SmallVector<SmallVector<int64_t>>> groups =
      op.getGroup().getRankLists(op);
  if (failed(groups))
    return fail(op, "expected a group whose ranks are known");
  std::optional<dispatch::Topology> given;
  if (!tree.empty()) {
    cost::Result<dispatch::Topology> parsed = dispatch::Topology::parse(tree);
    if (!parsed)
      return fail(op, parsed.getError());
    given = std::move(*parsed);
    if (given->getNumDevices() == layer.ranks)
      return std::move(*given);
  }
  int64_t numRanks = 0;
  for (ArrayRef<int64_t> group : *groups)
    numRanks += group.size();
  if (given && (given->getNumDevices() != numRanks || given->isRing()))
    return fail(
        op, "topology: expected a device for each of the " +
                Twine(layer.ranks) + " ranks that exchange, or a tree of the " +
                Twine(numRanks) + " of the mesh, got " + given->print());
  std::optional<std::string> text;
  std::optional<dispatch::Topology> found;
  for (ArrayRef<int64_t> group : *groups) {
    auto getLevel = [&](int64_t i, int64_t j) {
      return given ? given->getLevel(group[i], group[j])
                   : platform::getLevelOf(machine.machine, group[i], group[j]);
    };
    if (!llvm::is_sorted(group))
      return fail(op, "expected ranks in ascending order, so that devices of "
                      "one switch are side by side; give a topology of the " +
                          Twine(layer.ranks) + " ranks that exchange");
    cost::Result<dispatch::Topology> own =
        platform::makeTree(layer.ranks, getLevel);
    if (!own)
      return fail(op, own.getError());
    if (text && own->print() != *text)
      return fail(op,
                  "expected groups of ranks that are connected alike, got " +
                      Twine(*text) + " and " + own->print() +
                      "; give a topology of the " + Twine(layer.ranks) +
                      " ranks that exchange");
    text = own->print();
    found = std::move(*own);
  }
  return std::move(*found);
}

FailureOr<Planned> TopologyAwareCapacity::plan(const RowLayer &layer) {
  RaggedPlanOp op = layer.plan;
  FailureOr<dispatch::Topology> topology = findTree(layer);
  if (failed(topology))
    return failure();
  dispatch::Demand demand{layer.tokens, layer.choices, layer.bytesPerToken};
  cost::Result<platform::DispatchLinks> links = platform::makeDispatchLinks(
      machine.machine, *topology,
      cost::Bytes(double(layer.getCopies()) * layer.bytesPerToken /
                  double(layer.ranks)));
  if (!links)
    return fail(op, "platform: " + links.getError());
  dispatch::TargetOptions options;
  options.local = local == LocalRows::Bandwidth
                      ? dispatch::LocalShare::Bandwidth
                      : dispatch::LocalShare::Pinned;
  options.planner = planner == TargetPlanner::Exact
                        ? dispatch::Planner::Exact
                        : dispatch::Planner::Proportional;
  options.leastShare = leastShare;
  cost::Result<dispatch::DispatchPlan> planned =
      planDispatch(*topology, links->links, demand, options);
  if (!planned)
    return fail(op, planned.getError());
  std::vector<std::string> notes = std::move(links->notes);
  llvm::append_range(notes, planned->notes);
  return Planned{std::move(*topology), std::move(*planned), std::move(notes)};
}

FailureOr<std::pair<const traffic::Trace *, std::string>>
TopologyAwareCapacity::getSamples(const RowLayer &layer) {
  if (given)
    return std::pair(given->trace.get(), given->file);
  traffic::GenerateOptions options;
  options.numRanks = layer.ranks;
  options.numExperts = layer.experts;
  options.tokens = layer.tokens;
  options.topK = layer.choices;
  // Limits the samples to this many assignments, but draws at least one
  // iteration.
  constexpr int64_t kMostCopies = int64_t(1) << 22, kMostSteps = 16;
  int64_t copies = std::max<int64_t>(1, layer.getCopies() * layer.ranks);
  options.numSteps = std::clamp<int64_t>(kMostCopies / copies, 1, kMostSteps);
  cost::Result<traffic::Trace> trace = traffic::generate(options);
  if (!trace)
    return fail(RaggedPlanOp(layer.plan), trace.getError());
  drawn = std::move(*trace);
  // The samples apply to any layer.
  for (traffic::StepTraffic &step : drawn.steps)
    step.layers.front().layer.clear();
  return std::pair<const traffic::Trace *, std::string>(
      &drawn, "even routing that is drawn");
}

/// Returns, for example, "6 2, 2 6"; for many ranks only the minimum and the
/// maximum.
static std::string printLimits(const LimitTable &table) {
  constexpr size_t kMostShown = 64;
  std::string text;
  if (table.getValues().size() > kMostShown) {
    auto [least, most] = std::ranges::minmax(table.getValues());
    return llvm::formatv("{0} to {1}", least, most);
  }
  for (int64_t i = 0; i < table.getNumRows(); ++i) {
    text += text.empty() ? "" : ", ";
    for (auto [j, limit] : llvm::enumerate(table.getRow(i)))
      text += (j ? " " : "") + std::to_string(limit);
  }
  return text;
}

void TopologyAwareCapacity::report(const RowLayer &layer,
                                   const Planned &planned,
                                   const LimitTable &table,
                                   const DroppedCopies &dropped,
                                   const std::string &samples) {
  const dispatch::DispatchPlan &plan = planned.plan;
  std::string what = llvm::formatv(
      "changes what is computed: a rank sends each {0} at most so many copies "
      "of tokens, and drops those beyond in the gate's order: {1} (row by row "
      "of ranks). Of devices {2} that takes {3:F1} us, {4}, in place of {5:F1} "
      "of an even dispatch",
      per == LimitsPer::Expert ? "expert" : "rank", printLimits(table),
      planned.topology.print(), plan.tokensUs,
      plan.isEven ? "which is even" : "the target", plan.evenTokensUs);
  for (const std::string &note : planned.notes)
    what += "; " + note;
  double share = dropped.copies > 0 ? dropped.dropped / dropped.copies : 0;
  std::string sampled = llvm::formatv(
      "dropped on samples ({0} steps of {1}): {2:F0} of {3:F0} copies, {4:F2} "
      "%; {5:F2} % of the worst step",
      dropped.steps, samples, dropped.dropped, dropped.copies, 100 * share,
      100 * dropped.worst);
  int64_t most = 0;
  int64_t perRank = table.getNumColumns() / layer.ranks;
  for (int64_t j = 0; j < layer.ranks; ++j) {
    int64_t received = 0;
    for (int64_t i = 0; i < layer.ranks; ++i)
      for (int64_t e = j * perRank; e < (j + 1) * perRank; ++e)
        received += table.at(i, e);
    most = std::max(most, received);
  }
  RaggedPlanOp op = layer.plan;
  int64_t limit = op.getLimit();
  moe::passed(op.getLoc(), getOptions())
      << remark::add("{0}", what) << remark::add("{0}", sampled)
      << remark::add("a rank receives at most {0} rows, and has room for {1}",
                     most, limit)
      << remark::metric("dropped_share", share)
      << remark::metric("worst_dropped_share", dropped.worst)
      << remark::metric("target_us", plan.tokensUs)
      << remark::metric("even_us", plan.evenTokensUs);
}

LogicalResult TopologyAwareCapacity::limit(RowLayer layer) {
  FailureOr<Planned> planned = plan(layer);
  if (failed(planned))
    return failure();
  LimitTable table = makeLimits(layer, planned->plan, capacityFactor,
                                per == LimitsPer::Expert);
  auto samples = getSamples(layer);
  if (failed(samples))
    return failure();
  cost::Result<DroppedCopies> dropped =
      countDropped(layer, table, *samples->first, samples->second);
  if (!dropped)
    return fail(layer.plan, dropped.getError());
  limitChoices(layer, table);
  report(layer, *planned, table, *dropped, samples->second);
  return success();
}

void TopologyAwareCapacity::reportOthers() {
  getOperation()->walk([&](Operation *op) {
    StringRef why;
    if (auto order = dyn_cast<PermuteOp>(op)) {
      if (isExchanged(order))
        why = "its buffers are padded, and sent whole however few tokens they "
              "hold: moe-unpad-exchanges makes rows of them";
    } else if (isa<NodePlanOp>(op)) {
      why = "its tokens are sent once a node: limits come before that";
    } else if (isa<ExpertChoiceOp>(op)) {
      why = "its experts choose their tokens, as many of each rank as they "
            "have slots";
    } else if (isa<SoftGateOp>(op)) {
      why = "its slots are mixes of all tokens: no token is sent";
    }
    if (!why.empty())
      moe::missed(op->getLoc(), getOptions()) << remark::reason("{0}", why);
  });
}

LogicalResult TopologyAwareCapacity::run() {
  ModuleOp module = getOperation();
  if (failed(checkOptions()))
    return failure();
  FailureOr<platform::Platform> loaded =
      loadPlatformOf(module, platform, getArgument());
  if (failed(loaded) || failed(loadSamples()))
    return failure();
  machine = std::move(*loaded);
  tree = topology.empty() ? machine.topology : topology.getValue();
  SmallVector<RaggedPlanOp> plans;
  module.walk([&](RaggedPlanOp op) { plans.push_back(op); });
  for (RaggedPlanOp op : plans) {
    std::string reason;
    std::optional<RowLayer> layer = findRowLayer(op, reason);
    if (!layer)
      moe::missed(op.getLoc(), getOptions()) << remark::reason("{0}", reason);
    else if (failed(limit(*layer)))
      return failure();
  }
  reportOthers();
  return success();
}
