//===- Timing.cpp - When the tasks of a schedule run ------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Analysis/Timing.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Dialect/MoE/StatedTime.h"
#include "moe/Schedule/Resources.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe;

OpTimer::OpTimer(const cost::Machine &machine, Operation *root)
    : costs(machine), mesh(MeshOp::lookup(root)) {}

/// Bytes of a value; emits an error at `op` when its shape is dynamic.
static FailureOr<cost::Bytes> getBytes(Operation *op, Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return cost::Bytes(0);
  FailureOr<int64_t> bytes = getTensorBytes(type);
  if (failed(bytes))
    return op->emitOpError() << "expected a static shape to time, got " << type;
  return cost::Bytes(double(*bytes));
}

/// True for ops that see the same data in another shape.
static bool isView(Operation *op) {
  return isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
}

/// True when pieces of a tensor along `dim` are contiguous: no dim before it
/// has more than one element.
static bool isOutermost(RankedTensorType type, int64_t dim) {
  return llvm::all_of(type.getShape().take_front(dim),
                      [](int64_t size) { return size == 1; });
}

/// True when `value` must be a buffer of its own: a collective takes part with
/// it, or a task hands it out. Any other op reads and writes strided memory.
static bool needsBuffer(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    if (isView(user))
      return needsBuffer(user->getResult(0));
    return isa<CollectiveOpInterface, YieldOp>(user);
  });
}

/// True when a slice is one piece of memory: behind the first dim of which it
/// takes more than one element it takes all.
static bool isContiguous(tensor::ExtractSliceOp slice) {
  bool isCut = false;
  for (auto [size, whole, stride] :
       llvm::zip_equal(slice.getStaticSizes(), slice.getSourceType().getShape(),
                       slice.getStaticStrides())) {
    if (ShapedType::isDynamic(size) || stride != 1 || (isCut && size != whole))
      return false;
    isCut |= size != 1;
  }
  return true;
}

/// The bytes of an assemble's parts that the ops which made them cannot have
/// written in place: what a collective leaves is contiguous.
static FailureOr<cost::Bytes> getMovedParts(AssembleOp op) {
  cost::Bytes moved(0);
  if (isOutermost(op.getType(), op.getDim()))
    return moved;
  for (Value part : op.getParts()) {
    Value maker = part;
    if (auto task = maker.getDefiningOp<TaskOp>())
      maker = task.getBody().front().getTerminator()->getOperand(
          cast<OpResult>(maker).getResultNumber());
    while (isView(maker.getDefiningOp()))
      maker = maker.getDefiningOp()->getOperand(0);
    Operation *made = maker.getDefiningOp();
    if (made && !isa<CollectiveOpInterface, tensor::ExtractSliceOp>(made))
      continue;
    FailureOr<cost::Bytes> bytes = getBytes(op, part);
    if (failed(bytes))
      return failure();
    moved += *bytes;
  }
  return moved;
}

/// The kind as the cost model knows it, and the value that is its buffer.
static std::pair<cost::CollectiveKind, Value>
getBuffer(CollectiveOpInterface op) {
  Value operand = op->getOperand(0), result = op->getResult(0);
  switch (op.getCollectiveKind()) {
  case CollectiveKind::AllToAll:
    return {cost::CollectiveKind::AllToAll, operand};
  case CollectiveKind::RaggedAllToAll: {
    // What the busiest rank sends or receives at most.
    auto sent = cast<RankedTensorType>(operand.getType());
    auto received = cast<RankedTensorType>(result.getType());
    bool sendsMore = !sent.hasStaticShape() || !received.hasStaticShape() ||
                     sent.getNumElements() >= received.getNumElements();
    return {cost::CollectiveKind::AllToAll, sendsMore ? operand : result};
  }
  case CollectiveKind::AllGather:
    return {cost::CollectiveKind::AllGather, result};
  case CollectiveKind::ReduceScatter:
    return {cost::CollectiveKind::ReduceScatter, operand};
  case CollectiveKind::AllReduce:
    return {cost::CollectiveKind::AllReduce, operand};
  }
  llvm_unreachable("unknown collective");
}

FailureOr<cost::Microseconds>
OpTimer::getCollectiveTime(CollectiveOpInterface op) {
  auto [kind, buffer] = getBuffer(op);
  FailureOr<cost::Bytes> bytes = getBytes(op, buffer);
  if (failed(bytes))
    return failure();
  const cost::CollectivePlan *&plan =
      plans[{Attribute(op.getGroup()), static_cast<unsigned>(kind)}];
  if (!plan) {
    FailureOr<SmallVector<SmallVector<int64_t>>> lists =
        op.getGroup().getRankLists(op);
    if (failed(lists))
      return op->emitOpError() << "expected a group that resolves";
    std::vector<int64_t> ranks;
    for (ArrayRef<int64_t> list : *lists)
      llvm::append_range(ranks, list);
    auto groups =
        cost::RankGroups::fromLists(std::move(ranks), lists->front().size());
    if (!groups)
      return op->emitOpError() << groups.getError();
    auto made = costs.getPlan(*groups, kind);
    if (!made)
      return op->emitOpError() << "cannot be timed on platform "
                               << getMachine().name << ": " << made.getError();
    plan = *made;
  }
  cost::Microseconds time = plan->getTime(*bytes);
  numExtrapolated += plan->isExtrapolated(*bytes);
  // What is not contiguous is packed before or unpacked after.
  if (plan->getGroupSize() == 1)
    return time;
  auto operandType = cast<RankedTensorType>(op->getOperand(0).getType());
  auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
  bool packs = false, unpacks = false;
  if (auto gather = dyn_cast<AllGatherOp>(op.getOperation()))
    unpacks = !isOutermost(resultType, gather.getDim());
  else if (auto scatter = dyn_cast<ReduceScatterOp>(op.getOperation()))
    packs = !isOutermost(operandType, scatter.getDim());
  else if (auto exchange = dyn_cast<AllToAllOp>(op.getOperation())) {
    packs = !isOutermost(operandType, exchange.getSplitDim());
    unpacks = !isOutermost(resultType, exchange.getConcatDim());
  }
  for (auto [copies, value] :
       {std::pair(packs, op->getOperand(0)), {unpacks, op->getResult(0)}}) {
    if (!copies)
      continue;
    FailureOr<cost::Bytes> moved = getBytes(op, value);
    FailureOr<cost::Microseconds> copy =
        failed(moved) ? FailureOr<cost::Microseconds>(failure())
                      : getCopyTime(op, *moved);
    if (failed(copy))
      return failure();
    time += *copy;
  }
  return time;
}

FailureOr<cost::Microseconds> OpTimer::getCopyTime(Operation *op,
                                                   cost::Bytes moved) {
  if (moved.value() == 0)
    return cost::Microseconds(0);
  if (!getMachine().copy)
    return op->emitOpError()
           << "cannot be timed: expected platform " << getMachine().name
           << " to state a copy bandwidth";
  numExtrapolated += cost::isCopyExtrapolated(*getMachine().copy, moved);
  return cost::getCopyTime(*getMachine().copy, moved);
}

/// Multiply-accumulates of an op that is GEMMs, and their number. Gradients are
/// counted as a machine takes them that has kept what the forward pass made
/// between the GEMMs: as many as that had, for the tokens and for the weights
/// each.
static std::pair<cost::Macs, int64_t> getMacs(Operation *op) {
  auto size = [](Value value) {
    return double(cast<RankedTensorType>(value.getType()).getNumElements());
  };
  auto dim = [](Value value, unsigned d) {
    return double(cast<RankedTensorType>(value.getType()).getDimSize(d));
  };
  if (auto gate = dyn_cast<GateOp>(op)) {
    double logits = size(gate.getTokens()) * dim(gate.getRouter(), 1);
    if (gate.getNoise())
      return {cost::Macs(2 * logits), 2};
    if (!gate.getProjection())
      return {cost::Macs(logits), 1};
    double projected = dim(gate.getTokens(), 0) * size(gate.getProjection());
    return {cost::Macs(projected +
                       dim(gate.getTokens(), 0) * size(gate.getRouter())),
            2};
  }
  // Every token meets every element of the router, or every slot.
  if (isa<ExpertChoiceOp, SoftGateOp>(op))
    return {cost::Macs(dim(op->getOperand(0), 0) * size(op->getOperand(1))), 1};
  if (auto mix = dyn_cast<SoftOrderOp>(op))
    return {cost::Macs(dim(mix.getTokens(), 0) * size(mix.getBuffer())), 1};
  if (auto mix = dyn_cast<SoftUnorderOp>(op))
    return {cost::Macs(dim(mix.getResult(), 0) * size(mix.getBuffer())), 1};
  // The one-hot tensor has as many elements as there are tokens and slots.
  if (auto order = dyn_cast<OrderOp>(op))
    return {cost::Macs(dim(order.getTokens(), 0) * size(order.getBuffer())), 1};
  if (auto unorder = dyn_cast<UnorderOp>(op))
    return {cost::Macs(dim(unorder.getResult(), 0) * size(unorder.getBuffer())),
            1};
  if (auto gate = dyn_cast<GateGradOp>(op)) {
    double experts =
        cast<RankedTensorType>(gate.getRouter().getType()).getDimSize(1);
    return {cost::Macs(2 * size(gate.getTokens()) * experts), 2};
  }
  return llvm::TypeSwitch<Operation *, std::pair<cost::Macs, int64_t>>(op)
      .Case<ExpertsOp, ExpertsDgradOp, ExpertsWgradOp>([&](auto experts) {
        auto tokens = cast<RankedTensorType>(experts.getTokens().getType());
        // Every row meets every element of its expert's weights once.
        double rows =
            size(experts.getTokens()) / double(tokens.getShape().back());
        double perExpert = 0;
        for (Value weight : experts.getExpertsWeights())
          perExpert += size(weight) / double(tokens.getDimSize(0));
        return std::pair(
            cost::Macs(rows * perExpert),
            static_cast<int64_t>(experts.getExpertsWeights().size()));
      })
      .Case<DenseOp, DenseDgradOp, DenseWgradOp>([](auto dense) {
        return std::pair(cost::Macs(double(dense.getMacs())), dense.getGemms());
      });
}

/// Whether an order or unorder is a GEMM with a one-hot tensor (GShard) rather
/// than a copy (Tutel).
static bool isEinsum(Operation *op) {
  if (auto order = dyn_cast<OrderOp>(op))
    return order.getOrdering() == Ordering::Einsum;
  auto unorder = dyn_cast<UnorderOp>(op);
  return unorder && unorder.getOrdering() == Ordering::Einsum;
}

/// The time a dense part states for itself, if it does.
static std::optional<double> getStatedTime(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<double>>(op)
      .Case<DenseOp, DenseDgradOp, DenseWgradOp>(
          [](auto dense) -> std::optional<double> {
            if (std::optional<APFloat> us = dense.getUs())
              return us->convertToDouble();
            return std::nullopt;
          })
      .Default([](Operation *) { return std::nullopt; });
}

FailureOr<cost::Microseconds> OpTimer::getControlTime(Operation *op) {
  double trips = 1;
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    std::optional<APInt> count = loop.getStaticTripCount();
    if (!count)
      return op->emitOpError()
             << "cannot be timed: expected a constant number of iterations; "
                "state its microseconds, {"
             << kStatedTimeAttrName << " = 1.0 : f64}";
    trips = count->roundToDouble(/*isSigned=*/false);
  } else if (!isa<scf::IfOp, scf::IndexSwitchOp, LayerOp>(op)) {
    return op->emitOpError()
           << "cannot be timed: nothing is known of how often it runs; state "
              "its microseconds, {"
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
  if (isa<YieldOp, scf::YieldOp, HookOp, tensor::EmptyOp, GroupRankOp>(op) ||
      isView(op) || op->hasTrait<OpTrait::ConstantLike>())
    return cost::Microseconds(0);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
      slice && (isContiguous(slice) || !needsBuffer(slice)))
    return cost::Microseconds(0);
  if (auto assemble = dyn_cast<AssembleOp>(op)) {
    FailureOr<cost::Bytes> moved = getMovedParts(assemble);
    if (failed(moved))
      return failure();
    return getCopyTime(op, *moved);
  }
  if (auto collective = dyn_cast<CollectiveOpInterface>(op))
    return getCollectiveTime(collective);
  cost::Bytes moved(0);
  for (Value value : op->getResults()) {
    FailureOr<cost::Bytes> bytes = getBytes(op, value);
    if (failed(bytes))
      return failure();
    moved += *bytes;
  }
  const cost::Machine &machine = getMachine();
  if (std::optional<double> us = getStatedTime(op))
    return cost::Microseconds(*us);
  if (isa<GateOp, ExpertChoiceOp, SoftGateOp, SoftOrderOp, SoftUnorderOp,
          ExpertsOp, ExpertsDgradOp, ExpertsWgradOp, GateGradOp, DenseOp,
          DenseDgradOp, DenseWgradOp>(op) ||
      isEinsum(op)) {
    for (Value operand : op->getOperands())
      if (failed(getBytes(op, operand)))
        return failure();
    auto [macs, gemms] = getMacs(op);
    if (macs.value() == 0)
      return cost::Microseconds(0);
    if (!machine.gemm)
      return op->emitOpError() << "cannot be timed: expected platform "
                               << machine.name << " to state GEMM costs";
    return cost::getGemmTime(*machine.gemm, macs, gemms);
  }
  if (auto wgrad = dyn_cast<UnorderWgradOp>(op)) {
    // Reads a row of dy and the rows of its copies, and writes next to nothing:
    // half of what a copy of as many rows does.
    FailureOr<cost::Bytes> rows = getBytes(op, wgrad.getCotangent());
    FailureOr<cost::Bytes> slots = getBytes(op, wgrad.getSlots());
    if (failed(rows) || failed(slots))
      return failure();
    double copies =
        cast<RankedTensorType>(wgrad.getSlots().getType()).getDimSize(1);
    return getCopyTime(op, cost::Bytes(rows->value() * (copies + 1) / 2));
  }
  if (isa<DropOp, TransposeOp, OrderOp, UnorderOp, ScatterOp>(op) ||
      OpTrait::hasElementwiseMappableTraits(op) ||
      isa_and_nonnull<tensor::TensorDialect>(op->getDialect()))
    return getCopyTime(op, moved);
  if (std::optional<double> us = getStatedTimeUs(op))
    return cost::Microseconds(*us);
  return op->emitOpError() << "cannot be timed: nothing is known about it; "
                              "state its microseconds, {"
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

/// What the tasks of a schedule share, with a resource of its own for streams
/// that let others go first.
class SharedResources {
public:
  explicit SharedResources(const cost::Machine &machine) : machine(machine) {
    for (unsigned i = 0; i < cost::kNumResources; ++i)
      shared.push_back({cost::Resource(i), 0});
  }

  /// Nothing when there are more than the simulator tells apart.
  std::optional<schedule::ResourceId> getId(cost::Resource resource,
                                            int64_t priority) {
    auto *it = llvm::find(shared, std::pair(resource, priority));
    if (it == shared.end()) {
      if (shared.size() + 1 == schedule::kMaxResources)
        return std::nullopt;
      shared.push_back({resource, priority});
      it = &shared.back();
    }
    return schedule::ResourceId(it - shared.begin()) + 1;
  }

  schedule::Contention getContention() const {
    schedule::Contention contention;
    for (auto [i, slowed] : llvm::enumerate(shared))
      for (auto [j, by] : llvm::enumerate(shared)) {
        double factor = machine.getContention(slowed.first, by.first);
        // Links that are busy with what goes first are busy.
        if (slowed.first == by.first && slowed.second > by.second)
          factor = kWaits;
        if (factor > 1)
          contention.set(i + 1, j + 1, factor);
      }
    return contention;
  }

private:
  /// The largest factor there may be: a task that waits advances by a
  /// millionth.
  static constexpr double kWaits = 1e6;

  const cost::Machine &machine;
  SmallVector<std::pair<cost::Resource, int64_t>> shared;
};

} // namespace

FailureOr<TimedSchedule> moe::timeSchedule(ScheduleOp op, OpTimer &timer) {
  TimedSchedule timed;
  SharedResources resources(timer.getMachine());
  llvm::DenseMap<Attribute, schedule::StreamId> streams;
  llvm::DenseMap<Operation *, schedule::TaskId> ids;
  Block &body = op.getBody().front();
  for (TaskOp task : body.getOps<TaskOp>()) {
    auto stream = SymbolTable::lookupNearestSymbolFrom<StreamOp>(
        task, task.getStreamAttr());
    if (!stream)
      return task.emitOpError() << "expected a stream that is declared";
    auto [it, isNew] = streams.try_emplace(task.getStreamAttr());
    if (isNew) {
      it->second = timed.graph.addStream();
      timed.streams.push_back(stream);
    }
    schedule::Task entry;
    entry.stream = it->second;
    cost::Resource resource = getResource(stream.getResource());
    bool communicates = false;
    int64_t extrapolatedBefore = timer.getNumExtrapolated();
    task.walk([&](CollectiveOpInterface) { communicates = true; });
    for (Operation &nested : task.getBody().front()) {
      FailureOr<cost::Microseconds> time = timer.getTime(&nested);
      if (failed(time))
        return failure();
      entry.durationUs += time->value();
    }
    // What an operation of a pipelined chain waits beside (SPEC MO-8).
    if (task.getChunks() > 1)
      entry.durationUs += timer.getMachine().pipelineStall.value.value();
    // Copies in turn with collectives (SPEC MO-4, O2) use no links.
    if (!communicates && (resource == cost::Resource::Inter ||
                          resource == cost::Resource::Intra))
      resource = cost::Resource::Copy;
    std::optional<schedule::ResourceId> id =
        resources.getId(resource, stream.getPriority().value_or(0));
    if (!id)
      return stream.emitOpError()
             << "expected at most "
             << schedule::kMaxResources - 1 - cost::kNumResources
             << " pairs of a resource and a priority above 0";
    entry.resource = *id;
    schedule::TaskId number = timed.graph.addTask(entry);
    ids[task] = number;
    timed.tasks.push_back(task);
    timed.extrapolated.push_back(timer.getNumExtrapolated() >
                                 extrapolatedBefore);
    // What the task reads, in its region or as tokens, was made before.
    task->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (auto maker = dyn_cast_or_null<TaskOp>(operand.getDefiningOp()))
          if (maker != task)
            if (auto before = ids.find(maker); before != ids.end())
              timed.graph.addDependency(before->second, number);
    });
  }
  timed.contention = resources.getContention();
  return timed;
}

int64_t moe::getPeakBytes(const TimedSchedule &timed,
                          const schedule::Timeline &timeline) {
  llvm::DenseMap<Operation *, unsigned> ids;
  for (auto [i, task] : llvm::enumerate(timed.tasks))
    ids[task] = i;
  // (time, bytes): what ends at an instant is gone before what starts at it.
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
        // The yield of the schedule hands it out.
        end = std::max(end, it == ids.end() ? timeline.makespanUs
                                            : timeline.endUs[it->second]);
      }
      changes.emplace_back(timeline.startUs[i], *bytes);
      changes.emplace_back(end, -*bytes);
    }
  }
  llvm::sort(changes);
  int64_t live = 0, peak = 0;
  for (auto [time, bytes] : changes)
    peak = std::max(peak, live += bytes);
  return peak;
}
