// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts that determine the demand of layers.

#include "CircuitProgram.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Analysis/Replication.h"

using namespace mlir;
using namespace moe;

/// Returns the op that computes a value, also through the results of tasks.
static Operation *findMaker(Value value) {
  while (auto result = dyn_cast<OpResult>(value)) {
    auto task = dyn_cast<TaskOp>(result.getOwner());
    if (!task || result.getResultNumber() >= task.getValues().size())
      break;
    value = task.getBody().front().getTerminator()->getOperand(
        result.getResultNumber());
  }
  return value.getDefiningOp();
}

TaskOp moe::findCountingTask(Value counts,
                             SmallVectorImpl<Operation *> &moved) {
  moved.clear();
  Operation *maker = counts.getDefiningOp();
  // Chunks slice the common counts.
  while (isa_and_present<tensor::ExtractSliceOp, tensor::CollapseShapeOp,
                         tensor::ExpandShapeOp>(maker) &&
         maker->getNumOperands() == 1) {
    moved.insert(moved.begin(), maker);
    maker = maker->getOperand(0).getDefiningOp();
  }
  return dyn_cast_if_present<TaskOp>(maker);
}

namespace {
/// An exchange and the counts that its plan uses; `joined` is the group of
/// ranks that each have their own counts, if any.
struct CountedExchange {
  RaggedAllToAllOp exchange;
  Value counts;
  GroupAttrInterface joined;
};
} // namespace

/// Returns the exchange of a task if it has a single one with counts that are
/// available to other tasks.
static CountedExchange findPlanned(TaskOp task) {
  auto ops = task.getBody().getOps<RaggedAllToAllOp>();
  RaggedAllToAllOp ragged = ops.empty() ? RaggedAllToAllOp() : *ops.begin();
  Operation *maker = ragged ? findMaker(ragged.getSendSizes()) : nullptr;
  if (auto part = dyn_cast_if_present<tensor::ExtractSliceOp>(maker))
    maker = findMaker(part.getSource());
  Value counts;
  GroupAttrInterface joined;
  if (auto plan = dyn_cast_if_present<RaggedPlanOp>(maker);
      plan && plan.getGroup() == ragged.getGroup()) {
    counts = plan.getCounts();
    joined = plan.getJoinedAttr();
  }
  // The exchange between servers sends the same rows.
  if (auto delegates = dyn_cast_if_present<ocs::DelegatesOp>(maker))
    counts = delegates.getCounts();
  SmallVector<Operation *> moved;
  if (!counts || !findCountingTask(counts, moved))
    return {};
  return {ragged, counts, joined};
}

/// Returns true if a group has ranks of all servers of a region.
static bool coversServers(ocs::FabricOp fabric, uint64_t group) {
  MeshOp mesh = fabric.lookupMesh();
  return llvm::all_of(fabric.getRegion().getAsRange<StringAttr>(),
                      [&](StringAttr name) {
                        unsigned axis = *mesh.getAxisIndex(name.getValue());
                        return mesh.getShape()[axis] == 1 ||
                               (group & (uint64_t(1) << axis)) != 0;
                      });
}

LogicalResult moe::findLayerCounts(CircuitProgram &program) {
  ocs::FabricOp fabric = program.fabric;
  // The module does not change during the queries.
  auto replication = ReplicationInfo::computeWhenAsked(fabric->getParentOp());
  if (failed(replication))
    return failure();
  const MeshAxes &axes = (*replication)->getAxes();
  uint64_t region = fabric.getRegionBits() & axes.all();
  int64_t servers = fabric.getNumServers(),
          regionRanks = fabric.getServerRanks() * servers;
  for (const schedule::CircuitExchange &exchange : program.step.exchanges)
    for (schedule::TaskId id : exchange.tasks) {
      TaskOp task = program.tasks[id];
      if (task.getPhase() != Phase::Forward)
        continue;
      auto [ragged, counted, joined] = findPlanned(task);
      // Rows by rank and expert; joined ones also by position in the group.
      ArrayRef<int64_t> shape =
          counted ? cast<RankedTensorType>(counted.getType()).getShape()
                  : ArrayRef<int64_t>();
      int64_t ranks = counted ? shape[shape.size() - 2] : 0,
              senders = ranks * (joined ? shape.front() : 1);
      uint64_t joinedBits =
          joined ? axes.getBits(joined).value_or(~uint64_t(0)) : 0;
      auto leaveOut = [&](StringRef reason) {
        StringRef &known = program.uncounted[task.getLayer()];
        if (known.empty())
          known = reason;
      };
      if (task.getLayer().empty())
        continue;
      if (!counted) {
        // Equal blocks have no counts.
        leaveOut(task.getBody().getOps<RaggedAllToAllOp>().empty()
                     ? ""
                     : "no counts of whole rows are there for other tasks");
        continue;
      }
      // Each server must have equally many consecutive ranks of the group, and
      // ranks of a region outside the group must send the same rows.
      if (ranks % servers != 0 || regionRanks % senders != 0 ||
          (joinedBits & ~region) != 0 ||
          !coversServers(fabric, axes.getBits(ragged.getGroup()).value_or(0))) {
        leaveOut("its ranks are not those of all servers");
        continue;
      }
      if (((*replication)->getVarying(counted) & region) != 0) {
        leaveOut("its ranks do not all know them");
        continue;
      }
      LayerCounts &counts = program.countsOf[task.getLayer()];
      if (!counts.counts.empty() &&
          counts.counts.front().getType() != counted.getType())
        leaveOut("pieces of its tokens are counted in several ways");
      counts.counts.insert(counted);
      auto rows = cast<RankedTensorType>(ragged.getOperand().getType());
      int64_t rowBytes =
          *getTensorBytes(rows) / std::max<int64_t>(rows.getDimSize(0), 1);
      counts.bytes = std::max(
          {counts.bytes, rowBytes * (regionRanks / senders), int64_t(1)});
    }
  for (auto &[layer, reason] : program.uncounted)
    program.countsOf.erase(layer);
  return success();
}

void moe::askByCounts(CircuitProgram &program) {
  llvm::DenseMap<StringRef, uint32_t> numbers;
  for (schedule::CircuitExchange &exchange : program.step.exchanges) {
    StringRef layer = program.tasks[exchange.tasks.front()].getLayer();
    auto counts = program.countsOf.find(layer);
    if (counts == program.countsOf.end())
      continue;
    // If the change may precede the counts (policy predict), the run cannot
    // decide.
    bool isKnown = llvm::all_of(counts->second.counts, [&](Value value) {
      SmallVector<Operation *> moved;
      TaskOp maker = findCountingTask(value, moved);
      return llvm::any_of(exchange.known, [&](schedule::TaskId id) {
        return maker == program.tasks[id] ||
               maker->isBeforeInBlock(program.tasks[id]);
      });
    });
    if (!isKnown || exchange.choices.empty())
      continue;
    exchange.counts = numbers.insert({layer, numbers.size()}).first->second;
    exchange.choices.resize(1);
  }
}
