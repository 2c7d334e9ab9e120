// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams, schedules and tasks.

#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/Shapes.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace moe;

//===----------------------------------------------------------------------===//
// StreamOp
//===----------------------------------------------------------------------===//

LogicalResult StreamOp::verify() {
  // The parser accepts no text for an empty name, so the printer cannot print
  // one.
  if (getSymName().empty())
    return emitOpError() << "expected a name that is not empty";
  if (std::optional<int64_t> priority = getPriority();
      priority && (*priority < 0 || *priority > kMaxPriority))
    return emitOpError() << "expected a priority in [0, " << kMaxPriority
                         << "], got " << *priority;
  return success();
}

//===----------------------------------------------------------------------===//
// ScheduleOp
//===----------------------------------------------------------------------===//

LogicalResult ScheduleOp::verify() {
  Block &block = getBody().front();
  if (block.getNumArguments() != 0)
    return emitOpError() << "expected a region without arguments, got "
                         << block.getNumArguments();
  for (Operation &op : block.without_terminator())
    if (!isa<TaskOp>(op)) {
      InFlightDiagnostic diag = emitOpError()
                                << "expected a region of moe.task ops";
      diag.attachNote(op.getLoc()) << "got " << op.getName();
      return diag;
    }
  return verifyYield(*this, getBody(), getResultTypes());
}

/// Returns the first schedule of the function around `schedule`.
static ScheduleOp findFirstSchedule(ScheduleOp schedule) {
  Operation *root = schedule;
  while (root->getParentOp() && !root->hasTrait<OpTrait::IsIsolatedFromAbove>())
    root = root->getParentOp();
  ScheduleOp first;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != root && op->hasTrait<OpTrait::IsIsolatedFromAbove>())
      return WalkResult::skip(); // Skip other functions.
    first = dyn_cast<ScheduleOp>(op);
    return first ? WalkResult::interrupt() : WalkResult::advance();
  });
  return first;
}

LogicalResult ScheduleOp::verifyRegions() {
  if (ScheduleOp first = findFirstSchedule(*this); first != *this) {
    InFlightDiagnostic diag = emitOpError()
                              << "expected one schedule in a function";
    diag.attachNote(first.getLoc()) << "the other schedule is here";
    return diag;
  }

  // Chunks must be complete: each of them has one task.
  using Key = std::tuple<StringRef, StringRef, Phase>;
  llvm::MapVector<Key, SmallVector<TaskOp>> families;
  for (TaskOp task : getBody().getOps<TaskOp>())
    families[{task.getName(), task.getLayer(), task.getPhase()}].push_back(
        task);
  for (auto &[key, tasks] : families) {
    TaskOp first = tasks.front();
    int64_t chunks = first.getChunks();
    llvm::DenseMap<int64_t, TaskOp> seen;
    for (TaskOp task : tasks) {
      if (task.getChunks() != chunks) {
        InFlightDiagnostic diag = task.emitOpError()
                                  << "expected " << chunks << " chunks of \""
                                  << first.getName() << "\", got "
                                  << task.getChunks();
        diag.attachNote(first.getLoc()) << "the first of its tasks is here";
        return diag;
      }
      auto [it, inserted] = seen.try_emplace(task.getChunk(), task);
      if (!inserted) {
        InFlightDiagnostic diag = task.emitOpError()
                                  << "chunk " << task.getChunk() << " of \""
                                  << first.getName() << "\" has two tasks";
        diag.attachNote(it->second.getLoc()) << "the other task is here";
        return diag;
      }
    }
    if (static_cast<int64_t>(tasks.size()) == chunks)
      continue;
    int64_t missing = 0;
    while (seen.contains(missing))
      ++missing;
    InFlightDiagnostic diag = emitOpError()
                              << "expected a task for chunk " << missing
                              << " of the " << chunks << " chunks of \""
                              << first.getName() << "\", got none";
    diag.attachNote(first.getLoc()) << "the first of its tasks is here";
    return diag;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// TaskOp
//===----------------------------------------------------------------------===//

LogicalResult TaskOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *found = symbols.lookupNearestSymbolFrom(*this, getStreamAttr());
  if (isa_and_nonnull<StreamOp>(found))
    return success();
  InFlightDiagnostic diag = emitOpError() << "expected " << getStreamAttr()
                                          << " to name a moe.stream";
  if (found)
    diag.attachNote(found->getLoc()) << "it names this " << found->getName();
  return diag;
}

LogicalResult TaskOp::verify() {
  int64_t chunk = getChunk(), chunks = getChunks();
  if (getName().empty())
    return emitOpError() << "expected a name that is not empty";
  if (chunks < 1)
    return emitOpError() << "expected at least 1 chunk, got " << chunks;
  if (chunk < 0 || chunk >= chunks)
    return emitOpError() << "expected a chunk in [0, " << chunks << "), got "
                         << chunk;
  if (getBody().getNumArguments() != 0)
    return emitOpError() << "expected a region without arguments, got "
                         << getBody().getNumArguments();
  for (auto [i, token] : llvm::enumerate(getAfter())) {
    auto task = token.getDefiningOp<TaskOp>();
    // Compares result numbers because the other task may not have been
    // verified.
    if (task && task->getBlock() == (*this)->getBlock() &&
        cast<OpResult>(token).getResultNumber() + 1 == task->getNumResults())
      continue;
    InFlightDiagnostic diag = emitOpError()
                              << "expected tokens of tasks in the same "
                                 "schedule, got another one as token "
                              << i;
    diag.attachNote(token.getLoc()) << "it comes from here";
    return diag;
  }
  for (Operation *user : getToken().getUsers())
    if (!isa<TaskOp>(user)) {
      InFlightDiagnostic diag =
          emitOpError() << "expected its token in the 'after' of tasks only";
      diag.attachNote(user->getLoc())
          << user->getName() << " uses it as a value";
      return diag;
    }
  return verifyYield(*this, getBody(), getValues().getTypes());
}
