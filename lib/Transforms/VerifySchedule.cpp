// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What schedules promise.

#include "VerifyLaunchOrder.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/OverlapAttr.h"
#include "moe/Transforms/Passes.h"
#include "moe/Transforms/ScheduleVerifier.h"
#include "llvm/ADT/MapVector.h"

namespace moe {
#define GEN_PASS_DEF_VERIFYSCHEDULE
#include "moe/Transforms/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

/// Refuses a `moe.assemble` that joins a value of a chunk twice.
static LogicalResult checkAssemble(AssembleOp op) {
  llvm::SmallDenseMap<Value, unsigned> seen;
  for (auto [i, part] : llvm::enumerate(op->getOperands())) {
    auto task = part.getDefiningOp<TaskOp>();
    if (!task || task.getChunks() == 1)
      continue;
    auto [it, inserted] = seen.try_emplace(part, i);
    if (inserted)
      continue;
    InFlightDiagnostic diag = op.emitOpError()
                              << "expected each chunk once, got chunk "
                              << task.getChunk() << " of \"" << task.getName()
                              << "\" as operand " << it->second
                              << " and as operand " << i;
    diag.attachNote(task.getLoc()) << "the chunk comes from here";
    return diag;
  }
  return success();
}

/// Refuses tasks of one family of which some chunks' values are used and
/// others' are not: a chunk is missing where they are put together.
static LogicalResult checkUses(ArrayRef<TaskOp> family) {
  for (unsigned i = 0; i < TaskOp(family.front()).getValues().size(); ++i) {
    TaskOp used, unused;
    for (TaskOp task : family)
      if (i < task.getValues().size())
        (task.getValues()[i].use_empty() ? unused : used) = task;
    if (!used || !unused)
      continue;
    InFlightDiagnostic diag = unused.emitOpError()
                              << "expected a use of value " << i << " of chunk "
                              << unused.getChunk() << " of \""
                              << unused.getName() << "\", got none";
    diag.attachNote(used.getValues()[i].user_begin()->getLoc())
        << "that of chunk " << used.getChunk() << " is used here";
    return diag;
  }
  return success();
}

/// Checks that no chunk is lost or repeated between its task and its uses.
static LogicalResult checkChunks(ScheduleOp schedule) {
  bool failedAny = false;
  schedule.walk([&](AssembleOp op) { failedAny |= failed(checkAssemble(op)); });
  // A chunk joined twice stands in the place of another: one error is enough.
  if (failedAny)
    return failure();
  using Key = std::tuple<StringRef, StringRef, Phase>;
  llvm::MapVector<Key, SmallVector<TaskOp>> families;
  for (TaskOp task : schedule.getBody().getOps<TaskOp>())
    if (task.getChunks() > 1)
      families[{task.getName(), task.getLayer(), task.getPhase()}].push_back(
          task);
  for (auto &[key, tasks] : families)
    failedAny |= failed(checkUses(tasks));
  return failure(failedAny);
}

/// The tasks of its schedule that a task waits for: by values, tokens and its
/// stream.
static llvm::SmallPtrSet<Operation *, 8> listAwaited(TaskOp task) {
  llvm::SmallPtrSet<Operation *, 8> awaited;
  task->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      if (auto maker = operand.getDefiningOp<TaskOp>())
        awaited.insert(maker);
  });
  for (Operation *op = task->getPrevNode(); op; op = op->getPrevNode())
    if (auto other = dyn_cast<TaskOp>(op);
        other && other.getStreamAttr() == task.getStreamAttr()) {
      awaited.insert(other);
      break;
    }
  return awaited;
}

/// Whether a task has ended what another one waits for before it starts.
static bool startsAfter(TaskOp task,
                        const llvm::SmallPtrSetImpl<Operation *> &awaited) {
  llvm::SmallPtrSet<Operation *, 8> own = listAwaited(task);
  return llvm::all_of(awaited, [&](Operation *op) {
    return own.contains(op) ||
           (cast<TaskOp>(op).getStreamAttr() == task.getStreamAttr() &&
            op->isBeforeInBlock(task));
  });
}

/// Checks that the order of tasks is the one that the starts of collectives
/// state.
static LogicalResult checkOverlap(ScheduleOp schedule) {
  bool failedAny = false;
  auto isProduct = [](Operation *op) {
    auto task = dyn_cast<TaskOp>(op);
    return task && !task->walk([](CollectiveOpInterface) {
                          return WalkResult::interrupt();
                        })
                        .wasInterrupted();
  };
  for (TaskOp task : schedule.getBody().getOps<TaskOp>()) {
    std::optional<CollectiveStart> start = getOverlap(task).start;
    if (!start)
      continue;
    auto refuse = [&](StringRef expected) {
      failedAny = true;
      task.emitOpError() << "'" << kOverlapAttrName << "': expected "
                         << expected << ", got none";
    };
    Block *block = task->getBlock();
    switch (*start) {
    case CollectiveStart::Before: {
      llvm::SmallPtrSet<Operation *, 8> awaited = listAwaited(task);
      if (llvm::none_of(
              llvm::make_range(std::next(task->getIterator()), block->end()),
              [&](Operation &op) {
                return isProduct(&op) && startsAfter(cast<TaskOp>(op), awaited);
              }))
        refuse("a task of products behind it that waits for what it waits for");
      break;
    }
    case CollectiveStart::Behind:
      if (llvm::none_of(task.getAfter(), [&](Value token) {
            return isProduct(token.getDefiningOp());
          }))
        refuse("the token of a task of products in 'after'");
      break;
    case CollectiveStart::Concurrent:
      if (llvm::none_of(block->without_terminator(), [](Operation &op) {
            return getOverlap(&op).freeSms != 0;
          }))
        refuse("a task of the schedule that leaves SMs free");
      break;
    }
  }
  return failure(failedAny);
}

namespace {

struct VerifySchedule : public moe::impl::VerifyScheduleBase<VerifySchedule> {
  using VerifyScheduleBase::VerifyScheduleBase;

  void runOnOperation() override {
    bool failedAny = failed(verifyLaunchOrder(getOperation()));
    for (Dialect *dialect : getContext().getLoadedDialects())
      if (auto *rules =
              dialect->getRegisteredInterface<ScheduleVerifierInterface>())
        failedAny |= failed(rules->verifySchedules(getOperation()));
    getOperation()->walk([&](ScheduleOp schedule) {
      failedAny |= failed(checkChunks(schedule));
      failedAny |= failed(checkOverlap(schedule));
    });
    if (failedAny)
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
