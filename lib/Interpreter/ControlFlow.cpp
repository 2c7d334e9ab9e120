// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes branches and loops.

#include "ExecutorImpl.h"
#include "moe/Interpreter/Rounding.h"

using namespace mlir;
using namespace moe;

LogicalResult ExecutorImpl::runBranch(Operation *op, Block &block,
                                      const llvm::BitVector &active) {
  if (++depth > kMaxDepth)
    return op->emitOpError()
           << "is nested deeper than " << kMaxDepth << " calls and regions";
  ways.push_back({op, active});
  LogicalResult result = runBlock(block, active);
  ways.pop_back();
  --depth;
  return result;
}

LogicalResult ExecutorImpl::runOnce(Operation *op,
                                    const llvm::BitVector &active) {
  Block &body = op->getRegion(0).front();
  if (failed(runBranch(op, body, active)))
    return failure();
  // The token of a task, which is its last result, has no data.
  for (auto [result, value] :
       llvm::zip(op->getResults(), body.getTerminator()->getOperands()))
    if (failed(setValue(op, result, frame->get(value))))
      return failure();
  releaseDead(body.getTerminator());
  return success();
}

/// Returns the number of the region that a branch takes for an integer.
static unsigned getWay(Operation *op, int64_t value) {
  auto choice = dyn_cast<scf::IndexSwitchOp>(op);
  if (!choice)
    return value & 1 ? 0 : 1;
  // The default region is the first one.
  ArrayRef<int64_t> cases = choice.getCases();
  auto it = llvm::find(cases, value);
  return it == cases.end() ? 0 : it - cases.begin() + 1;
}

LogicalResult ExecutorImpl::runBranches(Operation *op,
                                        const llvm::BitVector &active) {
  std::vector<llvm::BitVector> taken(op->getNumRegions(),
                                     llvm::BitVector(numRanks));
  for (unsigned rank : active.set_bits()) {
    FailureOr<int64_t> condition =
        getInteger(op, rank, "the condition",
                   frame->get(op->getOperand(0))[rank].getScalar());
    if (failed(condition))
      return failure();
    taken[getWay(op, *condition)].set(rank);
  }
  std::vector<RankTensors> results(op->getNumResults(), RankTensors(numRanks));
  for (auto [ranks, region] : llvm::zip_equal(taken, op->getRegions())) {
    if (ranks.none() || region.empty())
      continue;
    Block &block = region.front();
    if (failed(runBranch(op, block, ranks)))
      return failure();
    for (auto [tensors, value] :
         llvm::zip_equal(results, block.getTerminator()->getOperands()))
      for (unsigned rank : ranks.set_bits())
        tensors[rank] = frame->get(value)[rank];
    releaseDead(block.getTerminator());
  }
  for (auto [result, tensors] : llvm::zip_equal(op->getResults(), results))
    if (failed(setValue(op, result, std::move(tensors))))
      return failure();
  return success();
}

LogicalResult ExecutorImpl::runFor(scf::ForOp op,
                                   const llvm::BitVector &active) {
  struct Range {
    int64_t at = 0, step = 0;
    uint64_t trips = 0;
  };
  std::vector<Range> ranges(numRanks);
  uint64_t mostTrips = 0;
  unsigned width = getIntegerWidth(op.getInductionVar().getType());
  for (unsigned rank : active.set_bits()) {
    int64_t bounds[3];
    Value values[3] = {op.getLowerBound(), op.getUpperBound(), op.getStep()};
    StringRef names[3] = {"the lower bound", "the upper bound", "the step"};
    for (int i = 0; i < 3; ++i) {
      FailureOr<int64_t> bound = getInteger(
          op, rank, names[i], frame->get(values[i])[rank].getScalar());
      if (failed(bound))
        return failure();
      bounds[i] = *bound;
    }
    auto [lower, upper, step] = bounds;
    if (step <= 0)
      return op.emitOpError()
             << "expected a positive step, got " << step << " on rank " << rank;
    bool isUnsigned = op.getUnsignedCmp();
    uint64_t mask = width >= 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
    bool enters = isUnsigned ? (lower & mask) < (upper & mask) : lower < upper;
    // The distance between two 64-bit integers fits in 64 unsigned bits.
    uint64_t distance =
        (static_cast<uint64_t>(upper) - static_cast<uint64_t>(lower)) & mask;
    uint64_t trips = enters ? (distance - 1) / step + 1 : 0;
    ranges[rank] = {lower, step, trips};
    mostTrips = std::max(mostTrips, trips);
  }

  std::vector<RankTensors> carried;
  for (Value init : op.getInitArgs())
    carried.push_back(frame->get(init));
  Block &body = *op.getBody();
  llvm::BitVector looping = active;
  for (uint64_t trip = 0; trip < mostTrips; ++trip) {
    RankTensors induction(numRanks);
    LocalTensor shared;
    std::optional<int64_t> sharedValue;
    for (unsigned rank : active.set_bits()) {
      if (trip >= ranges[rank].trips) {
        looping.reset(rank);
        continue;
      }
      int64_t value = wrapInteger(ranges[rank].at, width);
      ranges[rank].at = static_cast<int64_t>(
          static_cast<uint64_t>(ranges[rank].at) + ranges[rank].step);
      if (sharedValue != value) {
        FailureOr<LocalTensor> tensor = allocate(op, {});
        if (failed(tensor))
          return failure();
        tensor->getMutableCells()[0] = domain.getInteger(value);
        shared = *tensor;
        sharedValue = value;
      }
      induction[rank] = shared;
    }
    if (failed(setValue(op, op.getInductionVar(), std::move(induction))))
      return failure();
    for (auto [argument, tensors] :
         llvm::zip_equal(op.getRegionIterArgs(), carried))
      if (failed(setValue(op, argument, tensors)))
        return failure();
    if (failed(runBranch(op, body, looping)))
      return failure();
    for (auto [tensors, value] :
         llvm::zip_equal(carried, body.getTerminator()->getOperands()))
      for (unsigned rank : looping.set_bits())
        tensors[rank] = frame->get(value)[rank];
    releaseDead(body.getTerminator());
  }
  for (auto [result, tensors] : llvm::zip_equal(op.getResults(), carried))
    if (failed(setValue(op, result, std::move(tensors))))
      return failure();
  return success();
}

LogicalResult ExecutorImpl::runWhile(scf::WhileOp op,
                                     const llvm::BitVector &active) {
  Block &before = *op.getBeforeBody(), &after = *op.getAfterBody();
  auto condition = op.getConditionOp();
  std::vector<RankTensors> carried;
  for (Value init : op.getInits())
    carried.push_back(frame->get(init));
  std::vector<RankTensors> results(op->getNumResults(), RankTensors(numRanks));
  llvm::BitVector looping = active;
  while (looping.any()) {
    for (auto [argument, tensors] :
         llvm::zip_equal(before.getArguments(), carried))
      if (failed(setValue(op, argument, tensors)))
        return failure();
    if (failed(runBranch(op, before, looping)))
      return failure();
    // A rank that leaves the loop keeps its current values.
    for (auto [tensors, value] : llvm::zip_equal(results, condition.getArgs()))
      for (unsigned rank : looping.set_bits())
        tensors[rank] = frame->get(value)[rank];
    llvm::BitVector staying = looping;
    for (unsigned rank : looping.set_bits()) {
      FailureOr<int64_t> holds =
          getInteger(condition, rank, "the condition",
                     frame->get(condition.getCondition())[rank].getScalar());
      if (failed(holds))
        return failure();
      if (!(*holds & 1))
        staying.reset(rank);
    }
    looping = staying;
    releaseDead(condition);
    if (looping.none())
      break;
    for (auto [argument, tensors] :
         llvm::zip_equal(after.getArguments(), results))
      if (failed(setValue(op, argument, tensors)))
        return failure();
    if (failed(runBranch(op, after, looping)))
      return failure();
    for (auto [tensors, value] :
         llvm::zip_equal(carried, after.getTerminator()->getOperands()))
      for (unsigned rank : looping.set_bits())
        tensors[rank] = frame->get(value)[rank];
    releaseDead(after.getTerminator());
  }
  for (auto [result, tensors] : llvm::zip_equal(op.getResults(), results))
    if (failed(setValue(op, result, std::move(tensors))))
      return failure();
  return success();
}
