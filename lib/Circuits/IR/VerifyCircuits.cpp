// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verification of circuits and their traffic.

#include "VerifyCircuits.h"
#include "moe/Analysis/ControlFlow.h"
#include "moe/Dialect/OCS/OCSOps.h"
#include "moe/Transforms/ScheduleVerifier.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace moe;
using namespace moe::ocs;

namespace {

/// Determines which tasks of a schedule have ended before others start, on one
/// rank: preceding tasks on the same stream, tasks with results or tokens that
/// the task uses, and so on transitively.
class TaskOrder {
public:
  explicit TaskOrder(ScheduleOp schedule) {
    llvm::DenseMap<Attribute, unsigned> last;
    for (TaskOp task : schedule.getBody().getOps<TaskOp>()) {
      unsigned id = tasks.size();
      tasks.push_back(task);
      ids[task] = id;
      SmallVector<unsigned> &own = before.emplace_back();
      auto [it, isFirst] = last.try_emplace(task.getStreamAttr(), id);
      if (!isFirst)
        own.push_back(it->second);
      it->second = id;
      task->walk([&](Operation *nested) {
        for (Value operand : nested->getOperands())
          if (auto maker = operand.getDefiningOp<TaskOp>())
            own.push_back(ids.lookup(maker));
      });
    }
  }

  ArrayRef<TaskOp> getTasks() const { return tasks; }
  unsigned getId(TaskOp task) const { return ids.lookup(task); }

  /// Returns the tasks that have ended when `id` starts.
  llvm::BitVector getBefore(unsigned id) const {
    llvm::BitVector found(tasks.size());
    SmallVector<unsigned> work(before[id].begin(), before[id].end());
    while (!work.empty()) {
      unsigned next = work.pop_back_val();
      if (found.test(next))
        continue;
      found.set(next);
      llvm::append_range(work, before[next]);
    }
    return found;
  }

private:
  SmallVector<TaskOp> tasks;
  llvm::DenseMap<Operation *, unsigned> ids;
  /// The direct dependencies of each task.
  SmallVector<SmallVector<unsigned>> before;
};

/// A change, with the task that starts it and the task that waits for it.
struct Change {
  TaskOp start, end;
  ReconfigureOp op;
  llvm::BitVector beforeStart;
};

/// A task with a collective of all ranks of a region, and the tasks that have
/// ended before it.
struct Synchronisation {
  unsigned id;
  llvm::BitVector before;
};

class ScheduleChecker {
public:
  ScheduleChecker(ScheduleOp schedule, FabricOp fabric,
                  const ReplicationInfo &replication,
                  const ControlInfo &control)
      : schedule(schedule), fabric(fabric), replication(replication),
        control(control), order(schedule) {}

  LogicalResult run() {
    if (failed(checkRendezvous()) || failed(collectChanges()))
      return failure();
    if (!changes.empty())
      for (TaskOp task : order.getTasks())
        if (isSynchronisation(task))
          synchronisations.push_back(
              {order.getId(task), order.getBefore(order.getId(task))});
    bool failedAny = false;
    for (TaskOp task : order.getTasks())
      if (RouteOp route = getRoute(task))
        failedAny |= failed(checkUse(task, route));
    if (!failedAny && !changes.empty())
      failedAny |= failed(checkFirst());
    return failure(failedAny);
  }

private:
  /// Checks that all ranks of a region reach all changes, with the same
  /// circuits.
  LogicalResult checkRendezvous() {
    const MeshAxes &axes = replication.getAxes();
    uint64_t region = fabric.getRegionBits() & axes.all();
    if (auto found = control.findDivergenceWithCalls(schedule, region)) {
      InFlightDiagnostic diag = schedule.emitError(
          "expected all ranks of a region to come to the changes of its "
          "circuits, of this schedule some may not");
      diag.attachNote(found->loc)
          << found->op << " may go different ways on ranks of a region";
      return diag;
    }
    WalkResult result = schedule.walk([&](Operation *op) {
      if (!isa<ReconfigureOp, RouteOp>(op))
        return WalkResult::advance();
      Value circuits = op->getOperand(0);
      if (getConstantCircuits(circuits))
        return WalkResult::advance();
      uint64_t varying = replication.getVarying(circuits) & region;
      if (varying == 0)
        return WalkResult::advance();
      InFlightDiagnostic diag = op->emitOpError()
                                << "expected circuits that are the same on all "
                                   "ranks of a region, got such that may vary "
                                   "over axis ";
      llvm::interleaveComma(axes.getNames(varying), diag, [&](StringRef name) {
        diag << '"' << name << '"';
      });
      diag.attachNote(circuits.getLoc()) << "the circuits come from here";
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  static InFlightDiagnostic report(Operation *at, const Twine &message,
                                   Operation *other, const Twine &note) {
    InFlightDiagnostic diag = at->emitError(message);
    diag.attachNote(other->getLoc()) << note;
    return diag;
  }

  /// Checks that changes and waits alternate, on a stream without other tasks.
  LogicalResult collectChanges() {
    TaskOp first;
    for (TaskOp task : order.getTasks()) {
      ReconfigureOp change = getReconfigure(task);
      AwaitOp await = getAwait(task);
      if (!change && !await)
        continue;
      Operation *op = change ? change.getOperation() : await.getOperation();
      if (llvm::any_of(task.getBody().front(), [&](Operation &nested) {
            return &nested != op && !isMemoryEffectFree(&nested) &&
                   !nested.hasTrait<OpTrait::IsTerminator>();
          }))
        return report(op,
                      "expected a change of circuits, and the wait for it, "
                      "in a task without other effects",
                      task, "the task is here");
      if (!first)
        first = task;
      if (task.getStreamAttr() != first.getStreamAttr())
        return report(op,
                      "expected all changes of circuits, and waits for "
                      "them, on one stream",
                      first, "the first of them is on another");
      if (change) {
        if (!changes.empty() && !changes.back().end)
          return report(op, "expected a wait for the change before this one",
                        changes.back().op, "the change before is here");
        changes.push_back(
            {task, {}, change, order.getBefore(order.getId(task))});
      } else if (changes.empty() || changes.back().end) {
        return report(op, "expected a change of circuits to wait for", schedule,
                      "of this schedule all have been waited for");
      } else {
        changes.back().end = task;
      }
    }
    if (!changes.empty() && !changes.back().end)
      return report(changes.back().op,
                    "expected a wait for this change of circuits", schedule,
                    "in this schedule");
    for (TaskOp task : order.getTasks())
      if (first && task.getStreamAttr() == first.getStreamAttr() &&
          !getReconfigure(task) && !getAwait(task))
        return report(task,
                      "expected no other task on the stream on which "
                      "circuits change",
                      first, "they are changed here");
    return success();
  }

  /// Returns true if the end of a task on one rank implies that all ranks of a
  /// region have reached it.
  bool isSynchronisation(TaskOp task) {
    const MeshAxes &axes = replication.getAxes();
    uint64_t region = fabric.getRegionBits() & axes.all();
    // The collective must be in the body itself, where it is unconditional.
    return llvm::any_of(task.getBody().front(), [&](Operation &op) {
      auto collective = dyn_cast<CollectiveOpInterface>(op);
      // In a ragged exchange, some pairs may exchange nothing.
      if (!collective ||
          collective.getCollectiveKind() == CollectiveKind::RaggedAllToAll)
        return false;
      auto type = dyn_cast<RankedTensorType>(op.getOperand(0).getType());
      std::optional<uint64_t> bits = axes.getBits(collective.getGroup());
      return bits && (region & ~*bits) == 0 && type && type.hasStaticShape() &&
             type.getNumElements() > 0;
    });
  }

  /// Returns true if all ranks of a region meet in a task after `use`, or in
  /// any task if `use` is null, and before a change.
  bool isSynchronised(TaskOp use, const Change &change) const {
    return llvm::any_of(synchronisations, [&](const Synchronisation &one) {
      return change.beforeStart.test(one.id) &&
             (!use || one.before.test(order.getId(use)));
    });
  }

  LogicalResult checkUse(TaskOp use, RouteOp route) {
    unsigned id = order.getId(use);
    llvm::BitVector before = order.getBefore(id);
    Change *last = nullptr;
    for (Change &change : changes) {
      if (before.test(order.getId(change.end))) {
        last = &change;
        continue;
      }
      if (!change.beforeStart.test(id))
        return report(use,
                      "uses circuits that may be changing meanwhile: "
                      "expected the change to have been waited for "
                      "before, or to start behind",
                      change.op, "the change is here");
      if (!isSynchronised(use, change))
        return report(change.op,
                      "expected a collective of all ranks of a region between "
                      "the last exchange over its circuits and this change: "
                      "other ranks may still be sending",
                      use, "the exchange is here");
      // Later changes follow this one.
      break;
    }
    if (!last) {
      // Before the first change, ports are dark.
      auto circuits = getConstantCircuits(route.getCircuits());
      if (circuits && llvm::all_of(*circuits, [](const auto &matrix) {
            return matrix == fabric::Circuits(matrix.getSize());
          }))
        return success();
      return report(route,
                    "plans over circuits that are not up: expected a "
                    "change that has been waited for before",
                    changes.empty() ? schedule.getOperation()
                                    : changes.front().op.getOperation(),
                    changes.empty() ? "there is none in this schedule"
                                    : "the first change is here");
    }
    if (!areEqualCircuits(last->op.getCircuits(), route.getCircuits()))
      return report(route, "plans over other circuits than those that are up",
                    last->op, "the last change before is here");
    return success();
  }

  /// A previous run may also have used circuits.
  LogicalResult checkFirst() {
    Change &first = changes.front();
    if (isSynchronised({}, first))
      return success();
    return report(first.op,
                  "expected a collective of all ranks of a region before the "
                  "first change: in the run before, other ranks may still be "
                  "sending",
                  schedule, "of this schedule");
  }

  ScheduleOp schedule;
  FabricOp fabric;
  const ReplicationInfo &replication;
  const ControlInfo &control;
  TaskOrder order;
  SmallVector<Change> changes;
  SmallVector<Synchronisation> synchronisations;
};

} // namespace

LogicalResult moe::verifyCircuits(ModuleOp module) {
  FabricOp fabric = FabricOp::lookup(module);
  if (!fabric)
    return success();
  auto replication = ReplicationInfo::computeWhenAsked(module);
  if (failed(replication))
    return failure();
  ControlInfo control(**replication);
  bool failedAny = false;
  module.walk<WalkOrder::PreOrder>([&](ScheduleOp schedule) {
    if (schedule
            .walk([](Operation *op) {
              return isa<ReconfigureOp, AwaitOp, RouteOp>(op)
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            })
            .wasInterrupted())
      failedAny |= failed(
          ScheduleChecker(schedule, fabric, **replication, control).run());
  });
  return failure(failedAny);
}

namespace {
struct CircuitVerifier : public ScheduleVerifierInterface {
  using ScheduleVerifierInterface::ScheduleVerifierInterface;

  LogicalResult verifySchedules(ModuleOp module) const override {
    return verifyCircuits(module);
  }
};
} // namespace

void moe::addCircuitVerifier(Dialect *dialect) {
  dialect->addInterfaces<CircuitVerifier>();
}
