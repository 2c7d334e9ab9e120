//===- Timing.cpp - When the tasks of a schedule run ------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Analysis/Timing.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Schedule/Resources.h"

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

/// The kind as the cost model knows it, and the value that is its buffer.
static std::pair<cost::CollectiveKind, Value>
getBuffer(CollectiveOpInterface op) {
  Value operand = op->getOperand(0), result = op->getResult(0);
  switch (op.getCollectiveKind()) {
  case CollectiveKind::AllToAll:
  case CollectiveKind::RaggedAllToAll:
    return {cost::CollectiveKind::AllToAll, operand};
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
  return plan->getTime(*bytes);
}

/// Multiply-accumulates of a gate or of experts, and the number of GEMMs.
static std::pair<cost::Macs, int64_t> getMacs(Operation *op) {
  auto size = [](Value value) {
    return double(cast<RankedTensorType>(value.getType()).getNumElements());
  };
  if (auto gate = dyn_cast<GateOp>(op)) {
    double experts =
        cast<RankedTensorType>(gate.getRouter().getType()).getDimSize(1);
    return {cost::Macs(size(gate.getTokens()) * experts), 1};
  }
  auto experts = cast<ExpertsOp>(op);
  auto tokens = cast<RankedTensorType>(experts.getTokens().getType());
  // Every row meets every element of its expert's weights once.
  double rows = size(experts.getTokens()) / double(tokens.getShape().back());
  double perExpert = 0;
  for (Value weight : experts.getExpertsWeights())
    perExpert += size(weight) / double(tokens.getDimSize(0));
  return {cost::Macs(rows * perExpert),
          static_cast<int64_t>(experts.getExpertsWeights().size())};
}

FailureOr<cost::Microseconds> OpTimer::getTime(Operation *op) {
  if (isa<AssembleOp, YieldOp, tensor::ExtractSliceOp, tensor::ExpandShapeOp,
          tensor::CollapseShapeOp, tensor::EmptyOp, GroupRankOp>(op) ||
      op->hasTrait<OpTrait::ConstantLike>())
    return cost::Microseconds(0);
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
  if (isa<GateOp, ExpertsOp>(op)) {
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
  if (isa<DropOp, TransposeOp, OrderOp, UnorderOp>(op) ||
      OpTrait::hasElementwiseMappableTraits(op) ||
      isa<tensor::TensorDialect>(op->getDialect())) {
    if (moved.value() == 0)
      return cost::Microseconds(0);
    if (!machine.copy)
      return op->emitOpError() << "cannot be timed: expected platform "
                               << machine.name << " to state a copy bandwidth";
    return cost::getCopyTime(*machine.copy, moved);
  }
  return op->emitOpError() << "cannot be timed: nothing is known about it";
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

FailureOr<TimedSchedule> moe::timeSchedule(ScheduleOp op, OpTimer &timer) {
  TimedSchedule timed;
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
    entry.resource = schedule::getResourceId(getResource(stream.getResource()));
    for (Operation &nested : task.getBody().front()) {
      FailureOr<cost::Microseconds> time = timer.getTime(&nested);
      if (failed(time))
        return failure();
      entry.durationUs += time->value();
    }
    // What an operation of a pipelined chain waits beside (SPEC MO-8).
    if (task.getChunks() > 1)
      entry.durationUs += timer.getMachine().pipelineStall.value.value();
    schedule::TaskId id = timed.graph.addTask(entry);
    ids[task] = id;
    timed.tasks.push_back(task);
    // What the task reads, in its region or as tokens, was made before.
    task->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (auto maker = dyn_cast_or_null<TaskOp>(operand.getDefiningOp()))
          if (maker != task)
            if (auto before = ids.find(maker); before != ids.end())
              timed.graph.addDependency(before->second, id);
    });
  }
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
