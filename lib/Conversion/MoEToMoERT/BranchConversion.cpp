// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches around work on streams.
///
/// A branch around what something of ours runs is the host's: it waits for the
/// condition, goes one way and puts that way's work on the task's stream. Both
/// ways stand behind each other on one stream, so the planner of buffers sees
/// them as work that follows each other; less of it runs, and no wait stands
/// in one of them that work elsewhere could count on.
///
//===----------------------------------------------------------------------===//

#include "Bodies.h"
#include "TaskConverter.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace moe;

bool TaskConverter::isHostBranch(Operation *op) {
  if (!isa<scf::IfOp, scf::IndexSwitchOp>(op))
    return false;
  return op
      ->walk([](Operation *nested) {
        // A place in a group is a number that bodies are given.
        return isa_and_nonnull<MoEDialect>(nested->getDialect()) &&
                       !isa<GroupRankOp>(nested)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult TaskConverter::convertWay(Region &way, Block *target,
                                        ArrayRef<Place> results) {
  OpBuilder &builder = host.getBuilder();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(target->getTerminator());
  Operation *yield = way.front().getTerminator();
  SmallVector<Operation *> ops;
  for (Operation &op : way.front().without_terminator())
    ops.push_back(&op);
  // What this way makes is written in its place, once.
  for (auto [result, value] : llvm::zip_equal(results, yield->getOperands()))
    if (llvm::is_contained(ops, value.getDefiningOp()) && !isHostValue(value))
      targets.try_emplace(value, result);
  // Copies made on one way are not there on the others.
  auto knownPlaces = places;
  auto knownBuffers = hostBuffers;
  if (failed(convert(ops, stream, name)))
    return failure();
  loc = yield->getLoc();
  for (auto [result, value] : llvm::zip_equal(results, yield->getOperands())) {
    FailureOr<Place> place = getView(value);
    if (failed(place))
      return failure();
    if (place->memref != result.memref)
      host.copy(loc, stream, *place, result);
  }
  counts.finishBlock(loc);
  places = std::move(knownPlaces);
  hostBuffers = std::move(knownBuffers);
  return success();
}

LogicalResult TaskConverter::convertBranch(Operation *op) {
  SmallVector<Place> results;
  for (Value result : op->getResults()) {
    FailureOr<Place> place = createResult(result);
    if (failed(place))
      return failure();
    results.push_back(*place);
  }
  // What one way reads is there on all of them.
  if (failed(counts.readBefore(loc, op)))
    return failure();
  FailureOr<SmallVector<Value>> memory = readOnHost(op->getOperand(0));
  if (failed(memory))
    return failure();
  OpBuilder &builder = host.getBuilder();
  Value condition = memref::LoadOp::create(builder, loc, memory->front());
  Operation *branch;
  if (isa<scf::IfOp>(op)) {
    bool hasElse = !op->getRegion(1).empty();
    branch = scf::IfOp::create(builder, loc, condition, hasElse);
  } else {
    auto cases = cast<scf::IndexSwitchOp>(op).getCases();
    auto choice = scf::IndexSwitchOp::create(builder, loc, TypeRange(),
                                             condition, cases, cases.size());
    for (Region &region : choice->getRegions())
      scf::IndexSwitchOp::ensureTerminator(region, builder, loc);
    branch = choice;
  }
  Location whole = loc;
  for (auto [way, target] :
       llvm::zip_equal(op->getRegions(), branch->getRegions()))
    if (!way.empty() && failed(convertWay(way, &target.front(), results)))
      return failure();
  loc = whole;
  for (auto [result, place] : llvm::zip_equal(op->getResults(), results))
    places[result] = place;
  return success();
}
