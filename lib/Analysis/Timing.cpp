// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times of the tasks in a schedule.

#include "moe/Analysis/Timing.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "moe/Analysis/ArgumentBytes.h"
#include "moe/Analysis/ControlFlow.h"
#include "moe/Dialect/MoE/AnnotatedCost.h"
#include "moe/Dialect/MoE/ContiguousCollective.h"
#include "moe/Dialect/MoE/LinkInterfaces.h"
#include "moe/Dialect/MoE/OverlapAttr.h"
#include "moe/Schedule/Resources.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace moe;

OpTimer::OpTimer(const cost::Machine &machine)
    : costs(machine), context(machine) {}

InFlightDiagnostic OpTimer::emitNoTime(Operation *op, const std::string &why) {
  return op->emitOpError() << "cannot be timed on platform "
                           << getMachine().name << ": " << why;
}

FailureOr<const cost::CollectivePlan *>
OpTimer::getPlan(Operation *op, GroupAttrInterface group,
                 cost::CollectiveKind kind) {
  const cost::CollectivePlan *&plan =
      plans[{Attribute(group), static_cast<unsigned>(kind)}];
  if (plan)
    return plan;
  cost::Result<cost::RankGroups> groups = getRankGroups(op, group);
  if (!groups)
    return op->emitOpError() << groups.getError();
  auto made = costs.getPlan(*groups, kind);
  if (!made)
    return emitNoTime(op, made.getError());
  return plan = *made;
}

FailureOr<StageCost> OpTimer::explainStage(Operation *op,
                                           const TrafficStage &stage) {
  auto *blocks = std::get_if<cost::BlockExchange>(&stage.traffic);
  if (blocks && !links && !pricer) {
    FailureOr<const cost::CollectivePlan *> plan =
        getPlan(op, stage.group, blocks->kind);
    if (failed(plan))
      return failure();
    return StageCost{(*plan)->explain(cost::Bytes(double(blocks->buffer)))};
  }
  cost::Result<cost::RankGroups> groups = getRankGroups(op, stage.group);
  if (!groups)
    return op->emitOpError() << groups.getError();
  if (pricer) {
    auto cost = pricer->price(getMachine(), *groups, stage.traffic, links);
    if (!cost)
      return emitNoTime(op, cost.getError());
    return *cost;
  }
  auto cost = links
                  ? links->getCost(getMachine(), *groups, stage.traffic)
                  : cost::getTrafficCost(getMachine(), *groups, stage.traffic);
  if (!cost)
    return emitNoTime(op, cost.getError());
  return StageCost{*cost};
}

FailureOr<cost::Microseconds> OpTimer::getStageTime(Operation *op,
                                                    const TrafficStage &stage) {
  // Equal blocks of one kind over one group share a plan, which gives the time
  // without an explanation.
  bool hasPrice = links || pricer;
  if (auto *blocks = std::get_if<cost::BlockExchange>(&stage.traffic);
      blocks && !hasPrice) {
    FailureOr<const cost::CollectivePlan *> plan =
        getPlan(op, stage.group, blocks->kind);
    if (failed(plan))
      return failure();
    cost::Bytes bytes{double(blocks->buffer)};
    if ((*plan)->isExtrapolated(bytes))
      context.addExtrapolated();
    return (*plan)->getTime(bytes);
  }
  if (auto *list = std::get_if<cost::MessageList>(&stage.traffic);
      list && !hasPrice)
    return getListTime(op, stage, *list);
  FailureOr<StageCost> cost = explainStage(op, stage);
  if (failed(cost))
    return failure();
  if (cost->byLevels.isExtrapolated)
    context.addExtrapolated();
  return cost->byLevels.time;
}

FailureOr<cost::Microseconds>
OpTimer::getListTime(Operation *op, const TrafficStage &stage,
                     const cost::MessageList &list) {
  // The limit bounds memory, because large groups have many messages.
  constexpr size_t kMostKept = 64;
  Attribute group(stage.group);
  auto known = llvm::find_if(timedLists, [&](const TimedList &each) {
    return each.group == group && each.list == list;
  });
  if (known == timedLists.end()) {
    FailureOr<StageCost> cost = explainStage(op, stage);
    if (failed(cost))
      return failure();
    if (timedLists.size() < kMostKept)
      timedLists.emplace_back();
    known = timedLists.begin() + nextTimedList;
    nextTimedList = (nextTimedList + 1) % kMostKept;
    *known = {group, list, cost->byLevels.time, cost->byLevels.isExtrapolated};
  }
  if (known->isExtrapolated)
    context.addExtrapolated();
  return known->time;
}

static FailureOr<int64_t> getWholeBytes(Operation *op, Value value) {
  FailureOr<cost::Bytes> bytes = getStaticBytes(op, value);
  if (failed(bytes))
    return failure();
  return static_cast<int64_t>(bytes->value());
}

FailureOr<OpTraffic> OpTimer::getTraffic(ExchangeOpInterface op) {
  auto getBytes = [&](Value value) { return getWholeBytes(op, value); };
  auto routed = dyn_cast<RoutedExchangeOpInterface>(op.getOperation());
  const traffic::Routing *routing = context.getRouting();
  return routed && routing ? routed.getRoutedExchange(getBytes, *routing)
                           : op.getExchange(getBytes);
}

/// Lets a timer use the links of a task, which `own` keeps alive, or the
/// machine's levels if the task has none.
static LogicalResult useLinksOf(TaskOp task, OpTimer &timer,
                                std::unique_ptr<cost::Links> &own) {
  timer.setLinks(nullptr);
  LinkOpInterface use = findLinkOp(task, LinkAction::Use);
  if (!use)
    return success();
  auto links = use.getLinks(timer.getMachine());
  if (failed(links))
    return failure();
  own = std::move(*links);
  timer.setLinks(own.get());
  return success();
}

FailureOr<SmallVector<StageCost>> OpTimer::explain(ExchangeOpInterface op) {
  std::unique_ptr<cost::Links> own;
  llvm::scope_exit reset([&] { setLinks(nullptr); });
  if (auto task = op->getParentOfType<TaskOp>();
      task && failed(useLinksOf(task, *this, own)))
    return failure();
  FailureOr<OpTraffic> exchange = getTraffic(op);
  if (failed(exchange))
    return failure();
  SmallVector<StageCost> stages;
  for (const TrafficStage &stage : exchange->stages) {
    FailureOr<StageCost> cost = explainStage(op, stage);
    if (failed(cost))
      return failure();
    stages.push_back(std::move(*cost));
  }
  return stages;
}

FailureOr<SmallVector<std::vector<cost::PairLoad>>>
OpTimer::explainLinks(ExchangeOpInterface op) {
  SmallVector<std::vector<cost::PairLoad>> stages;
  auto task = op->getParentOfType<TaskOp>();
  if (!task || !findLinkOp(task, LinkAction::Use))
    return stages;
  std::unique_ptr<cost::Links> own;
  llvm::scope_exit reset([&] { setLinks(nullptr); });
  if (failed(useLinksOf(task, *this, own)))
    return failure();
  FailureOr<OpTraffic> exchange = getTraffic(op);
  if (failed(exchange))
    return failure();
  for (const TrafficStage &stage : exchange->stages) {
    cost::Result<cost::RankGroups> groups = getRankGroups(op, stage.group);
    if (!groups)
      return op->emitOpError() << groups.getError();
    auto loads = own->listLoads(getMachine(), *groups, stage.traffic);
    if (!loads)
      return emitNoTime(op, loads.getError());
    stages.push_back(std::move(*loads));
  }
  return stages;
}

FailureOr<cost::Microseconds> OpTimer::getExchangeTime(ExchangeOpInterface op) {
  FailureOr<OpTraffic> exchange = getTraffic(op);
  if (failed(exchange))
    return failure();
  cost::Microseconds time;
  for (const TrafficStage &stage : exchange->stages) {
    if (stage.dependsOnRouting)
      context.addRouted();
    FailureOr<cost::Microseconds> more = getStageTime(op, stage);
    if (failed(more))
      return failure();
    time += *more;
  }
  // Data that is not contiguous is packed before or unpacked after.
  CollectiveCopies copies = CollectiveCopies::of(op);
  auto addCopy = [&](Value value) -> LogicalResult {
    FailureOr<cost::Bytes> moved = getStaticBytes(op, value);
    if (failed(moved))
      return failure();
    FailureOr<cost::Microseconds> copy = getCopyTime(op, context, *moved);
    if (succeeded(copy))
      time += *copy;
    return copy;
  };
  if ((copies.packs && failed(addCopy(op->getOperand(0)))) ||
      (copies.unpacks && failed(addCopy(op->getResult(0)))))
    return failure();
  return time;
}

FailureOr<cost::Microseconds> OpTimer::getControlTime(Operation *op) {
  double trips = 1;
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    std::optional<APInt> count = getTripCount(loop);
    if (!count)
      return op->emitOpError()
             << "cannot be timed: its number of iterations is not constant; "
                "state its time in microseconds, {"
             << kStatedTimeAttrName << " = 1.0 : f64}";
    trips = count->roundToDouble(/*isSigned=*/false);
  } else if (!isa<scf::IfOp, scf::IndexSwitchOp, LayerOp>(op)) {
    return op->emitOpError() << "cannot be timed: its number of iterations is "
                                "unknown; state its time in microseconds, {"
                             << kStatedTimeAttrName << " = 1.0 : f64}";
  }
  double longest = 0;
  for (Region &region : op->getRegions()) {
    double sum = 0;
    for (Operation &nested : region.getOps()) {
      FailureOr<cost::Microseconds> time = getTime(&nested);
      if (failed(time))
        return failure();
      sum += time->value();
    }
    longest = std::max(longest, sum);
  }
  return cost::Microseconds(trips * longest);
}

FailureOr<cost::Microseconds> OpTimer::getTime(Operation *op) {
  if (isa<scf::IfOp, scf::ForOp, scf::WhileOp, scf::IndexSwitchOp, LayerOp>(
          op) &&
      !getStatedTimeUs(op))
    return getControlTime(op);
  if (auto costs = dyn_cast<CostOpInterface>(op))
    return costs.getTime(context);
  if (auto exchange = dyn_cast<ExchangeOpInterface>(op))
    return getExchangeTime(exchange);
  if (isa<scf::YieldOp>(op) || op->hasTrait<OpTrait::ConstantLike>())
    return cost::Microseconds(0);
  FailureOr<cost::Bytes> moved = getResultBytes(op);
  if (failed(moved))
    return failure();
  if (OpTrait::hasElementwiseMappableTraits(op))
    return getCopyTime(op, context, *moved);
  if (std::optional<double> us = getStatedTimeUs(op))
    return cost::Microseconds(*us);
  return op->emitOpError() << "cannot be timed: it has no cost model; state "
                              "its time in microseconds, {"
                           << kStatedTimeAttrName << " = 1.0 : f64}";
}

static cost::Resource getResource(ResourceKind kind) {
  switch (kind) {
  case ResourceKind::Inter:
    return cost::Resource::Inter;
  case ResourceKind::Intra:
    return cost::Resource::Intra;
  case ResourceKind::Copy:
    return cost::Resource::Copy;
  case ResourceKind::Compute:
    return cost::Resource::Compute;
  }
  llvm_unreachable("unknown resource");
}

namespace {

/// The resources that the tasks of a schedule share, with additional resources
/// for streams that give way to others and for products that transfers slow
/// down.
class SharedResources {
public:
  explicit SharedResources(const cost::Machine &machine) : machine(machine) {
    for (unsigned i = 0; i < cost::kNumResources; ++i)
      shared.push_back({cost::Resource(i)});
  }

  /// Returns nullopt if there are more resources than the simulator
  /// distinguishes. `slowdown` is the relative time of a task while a
  /// collective runs.
  std::optional<schedule::ResourceId> getId(cost::Resource resource,
                                            int64_t priority, double slowdown) {
    Shared wanted{resource, priority, slowdown};
    auto *it = llvm::find(shared, wanted);
    if (it == shared.end()) {
      if (shared.size() + 1 == schedule::kMaxResources)
        return std::nullopt;
      shared.push_back(wanted);
      it = &shared.back();
    }
    return schedule::ResourceId(it - shared.begin()) + 1;
  }

  schedule::Contention getContention() const {
    schedule::Contention contention;
    for (auto [i, slowed] : llvm::enumerate(shared))
      for (auto [j, by] : llvm::enumerate(shared)) {
        double factor = machine.getContention(slowed.resource, by.resource);
        if (by.resource == cost::Resource::Inter ||
            by.resource == cost::Resource::Intra)
          factor = std::min(factor * slowed.slowdown, kWaits);
        // Links that are busy with higher-priority traffic are unavailable.
        if (slowed.resource == by.resource && slowed.priority > by.priority)
          factor = kWaits;
        if (factor > 1)
          contention.set(i + 1, j + 1, factor);
      }
    return contention;
  }

private:
  /// The maximum factor: a waiting task advances by a millionth.
  static constexpr double kWaits = 1e6;

  struct Shared {
    cost::Resource resource;
    int64_t priority = 0;
    double slowdown = 1;
    bool operator==(const Shared &) const = default;
  };

  const cost::Machine &machine;
  SmallVector<Shared> shared;
};

} // namespace

FailureOr<double> moe::getTaskUs(TaskOp task, OpTimer &timer) {
  double us = 0;
  std::unique_ptr<cost::Links> own;
  llvm::scope_exit reset([&] { timer.setLinks(nullptr); });
  if (failed(useLinksOf(task, timer, own)))
    return failure();
  for (Operation &nested : task.getBody().front()) {
    FailureOr<cost::Microseconds> time = timer.getTime(&nested);
    if (failed(time))
      return failure();
    us += time->value();
  }
  if (TaskOverlap overlap = getOverlap(task); overlap.freeSms != 0)
    us *= overlap.slowdown;
  // Ops of a pipelined chain also wait for the stall (SPEC MO-8).
  if (task.getChunks() > 1)
    us += timer.getMachine().pipelineStall.value.value();
  return us;
}

LogicalResult moe::timeRoutedTasks(TimedSchedule &timed, OpTimer &timer) {
  for (auto [i, task] : llvm::enumerate(timed.tasks)) {
    if (!timed.routed[i])
      continue;
    int64_t extrapolatedBefore = timer.getNumExtrapolated();
    FailureOr<double> us = getTaskUs(task, timer);
    if (failed(us))
      return failure();
    timed.graph.setDuration(i, *us);
    timed.extrapolated[i] = timer.getNumExtrapolated() > extrapolatedBefore;
  }
  return success();
}

FailureOr<TimedSchedule> moe::timeSchedule(ScheduleOp op, OpTimer &timer) {
  TimedSchedule timed;
  SharedResources resources(timer.getMachine());
  llvm::DenseMap<Attribute, std::pair<schedule::StreamId, StreamOp>> streams;
  llvm::DenseMap<Operation *, schedule::TaskId> ids;
  // The tasks that the host has waited for, and how many of them each stream
  // already depends on.
  SmallVector<schedule::TaskId> host;
  llvm::DenseMap<schedule::StreamId, size_t> hostSeen;
  Block &body = op.getBody().front();
  for (TaskOp task : body.getOps<TaskOp>()) {
    auto [it, isNew] = streams.try_emplace(task.getStreamAttr());
    auto &[streamId, stream] = it->second;
    if (isNew) {
      stream = SymbolTable::lookupNearestSymbolFrom<StreamOp>(
          task, task.getStreamAttr());
      if (!stream)
        return task.emitOpError() << "expected a stream that is declared";
      streamId = timed.graph.addStream();
      timed.streams.push_back(stream);
    }
    schedule::Task entry;
    entry.stream = streamId;
    cost::Resource resource = getResource(stream.getResource());
    bool communicates = false;
    int64_t extrapolatedBefore = timer.getNumExtrapolated();
    int64_t routedBefore = timer.getNumRouted();
    // The task depends on the tasks with results that it reads, in its region
    // or as tokens.
    SmallVector<schedule::TaskId> makers;
    task->walk([&](Operation *nested) {
      communicates |= isa<CollectiveOpInterface>(nested);
      for (Value operand : nested->getOperands())
        if (auto maker = dyn_cast_or_null<TaskOp>(operand.getDefiningOp()))
          if (auto before = ids.find(maker); before != ids.end())
            makers.push_back(before->second);
    });
    FailureOr<double> us = getTaskUs(task, timer);
    if (failed(us))
      return failure();
    entry.durationUs = *us;
    // Copies that take turns with collectives (SPEC MO-4, O2) use no links.
    if (!communicates && (resource == cost::Resource::Inter ||
                          resource == cost::Resource::Intra))
      resource = cost::Resource::Copy;
    TaskOverlap overlap = getOverlap(task);
    std::optional<schedule::ResourceId> id =
        resources.getId(resource, stream.getPriority().value_or(0),
                        overlap.freeSms ? 1 : overlap.slowdown);
    if (!id)
      return stream.emitOpError()
             << "expected at most "
             << schedule::kMaxResources - 1 - cost::kNumResources
             << " pairs of a resource and a priority above 0, or slowdowns of "
                "'"
             << kOverlapAttrName << "'";
    entry.resource = *id;
    // Changing the switch uses no links.
    bool isAwait = bool(findLinkOp(task, LinkAction::Await));
    bool isChange = isAwait || findLinkOp(task, LinkAction::Change);
    if (isChange)
      entry.resource = schedule::kNoResource;
    schedule::TaskId number = timed.graph.addTask(entry);
    for (size_t &seen = hostSeen[streamId]; seen < host.size(); ++seen)
      makers.push_back(host[seen]);
    if (isAwait)
      host.push_back(number);
    else if (isChange)
      llvm::append_range(host, makers);
    ids[task] = number;
    timed.tasks.push_back(task);
    timed.extrapolated.push_back(timer.getNumExtrapolated() >
                                 extrapolatedBefore);
    timed.routed.push_back(timer.getNumRouted() > routedBefore);
    for (schedule::TaskId maker : makers)
      timed.graph.addDependency(maker, number);
  }
  timed.contention = resources.getContention();
  return timed;
}

//===----------------------------------------------------------------------===//
// Memory over time
//===----------------------------------------------------------------------===//

SmallVector<BytesFrom>
moe::getBytesOverTime(const TimedSchedule &timed,
                      const schedule::Timeline &timeline) {
  llvm::DenseMap<Operation *, unsigned> ids;
  for (auto [i, task] : llvm::enumerate(timed.tasks))
    ids[task] = i;
  // (time, bytes)
  std::vector<std::pair<double, int64_t>> changes;
  for (auto [i, op] : llvm::enumerate(timed.tasks)) {
    TaskOp task = op; // accessors of ops are not const
    for (Value value : task.getValues()) {
      auto type = dyn_cast<RankedTensorType>(value.getType());
      FailureOr<int64_t> bytes = type ? getTensorBytes(type) : 0;
      if (failed(bytes) || *bytes == 0)
        continue;
      double end = timeline.endUs[i];
      for (Operation *user : value.getUsers()) {
        auto reader = dyn_cast<TaskOp>(user);
        if (!reader)
          reader = user->getParentOfType<TaskOp>();
        auto it = reader ? ids.find(reader) : ids.end();
        // The yield of the schedule returns the value.
        end = std::max(end, it == ids.end() ? timeline.makespanUs
                                            : timeline.endUs[it->second]);
      }
      changes.emplace_back(timeline.startUs[i], *bytes);
      changes.emplace_back(end, -*bytes);
    }
  }
  llvm::sort(changes);
  SmallVector<BytesFrom> uses;
  int64_t live = 0;
  for (auto [us, bytes] : changes) {
    live += bytes;
    // Memory freed at an instant is available to tasks that start at it.
    if (uses.empty() || uses.back().us != us)
      uses.push_back({us, live});
    uses.back().bytes = live;
  }
  // Memory passed on at an instant changes nothing.
  uses.erase(
      std::unique(uses.begin(), uses.end(),
                  [](BytesFrom a, BytesFrom b) { return a.bytes == b.bytes; }),
      uses.end());
  return uses;
}

int64_t moe::getPeakBytes(const TimedSchedule &timed,
                          const schedule::Timeline &timeline) {
  int64_t peak = 0;
  for (BytesFrom use : getBytesOverTime(timed, timeline))
    peak = std::max(peak, use.bytes);
  return peak;
}

int64_t moe::getArgumentBytes(FunctionOpInterface function) {
  int64_t sum = 0;
  for (Type type : function.getArgumentTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      if (FailureOr<int64_t> bytes = getTensorBytes(tensor); succeeded(bytes))
        sum += *bytes;
  return sum;
}
