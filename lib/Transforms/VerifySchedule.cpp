// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What schedules promise.

#include "VerifyCircuits.h"
#include "VerifyLaunchOrder.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Transforms/Passes.h"
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

namespace {

struct VerifySchedule : public moe::impl::VerifyScheduleBase<VerifySchedule> {
  using VerifyScheduleBase::VerifyScheduleBase;

  void runOnOperation() override {
    bool failedAny = failed(verifyLaunchOrder(getOperation()));
    failedAny |= failed(verifyCircuits(getOperation()));
    getOperation()->walk([&](ScheduleOp schedule) {
      failedAny |= failed(checkChunks(schedule));
    });
    if (failedAny)
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
