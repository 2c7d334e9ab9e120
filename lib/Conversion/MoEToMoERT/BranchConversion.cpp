// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion of branches around work on streams.
//
// The host executes a branch around ops of this project: it waits for the
// condition and enqueues one region's work on the task's stream. For the
// buffer planner, all regions are consecutive on one stream. The actual work
// is a subset, and waits inside a region are not used to order work outside.

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
        // A position in a group is a number that bodies take as an argument.
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
  // Results of this region are written directly to their place.
  for (auto [result, value] : llvm::zip_equal(results, yield->getOperands()))
    if (llvm::is_contained(ops, value.getDefiningOp()) && !isHostValue(value))
      targets.try_emplace(value, result);
  // Copies in one region are not available in the others.
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
  // Values that one region reads must be available before the branch.
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
