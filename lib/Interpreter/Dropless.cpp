// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes dropless layers.

#include "CountTable.h"
#include "ExecutorImpl.h"
#include "moe/Interpreter/Rounding.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace moe;

LogicalResult moe::verifyExpert(Operation *op, int64_t rank, int64_t expert,
                                int64_t numExperts, int64_t copy,
                                int64_t topK) {
  if (expert >= -1 && expert < numExperts)
    return success();
  return op->emitOpError() << "expected expert numbers in [-1, " << numExperts
                           << "), got " << expert << " as choice "
                           << copy % topK << " of token " << copy / topK
                           << " on rank " << rank;
}

//===----------------------------------------------------------------------===//
// Counts and rows
//===----------------------------------------------------------------------===//

LogicalResult ExecutorImpl::runExpertCounts(ExpertCountsOp op, int64_t rank,
                                            const LocalTensor &ids,
                                            LocalTensor &result) {
  FailureOr<SmallVector<int64_t>> experts =
      getIntegers(op, rank, "an expert number", ids.getCells());
  if (failed(experts))
    return failure();
  int64_t numExperts =
      cast<RankedTensorType>(op.getCounts().getType()).getShape().back();
  int64_t topK = ids.getShape().back();
  Shape shape(ids.getShape().drop_back());
  int64_t perChunk = shape.back() * topK;
  shape.back() = numExperts;
  FailureOr<LocalTensor> tensor = allocateResult(op, 0, rank, shape);
  if (failed(tensor))
    return failure();
  std::vector<int64_t> counts(tensor->getCells().size(), 0);
  for (auto [i, expert] : llvm::enumerate(*experts)) {
    if (failed(verifyExpert(op, rank, expert, numExperts, i % perChunk, topK)))
      return failure();
    if (expert >= 0)
      ++counts[i / perChunk * numExperts + expert];
  }
  for (auto [cell, count] : llvm::zip_equal(tensor->getMutableCells(), counts))
    cell = domain.getInteger(count);
  result = *tensor;
  return success();
}

LogicalResult
ExecutorImpl::runPermuteRows(PermuteRowsOp op, int64_t rank,
                             ArrayRef<LocalTensor> operands,
                             MutableArrayRef<LocalTensor> results) {
  const LocalTensor &tokens = operands[0], &ids = operands[1];
  int64_t numTokens = ids.getDimSize(0), topK = ids.getDimSize(1);
  int64_t hidden = tokens.getDimSize(1);
  if (failed(verifySize(op, rank, "the number of tokens", tokens.getDimSize(0),
                        numTokens)))
    return failure();
  FailureOr<SmallVector<int64_t>> experts =
      getIntegers(op, rank, "an expert number", ids.getCells());
  if (failed(experts))
    return failure();
  // Sorts by expert, then in the order of the op's kind.
  int64_t numRows = experts->size();
  bool byChoice = op.getKind() == OrderKind::Choice;
  auto getCopy = [&](int64_t place) {
    return byChoice ? place % numTokens * topK + place / numTokens : place;
  };
  SmallVector<std::pair<int64_t, int64_t>> sorted;
  for (int64_t place = 0; place < numRows; ++place) {
    int64_t copy = getCopy(place), expert = (*experts)[copy];
    if (failed(verifyExpert(op, rank, expert, op.getExperts(), copy, topK)))
      return failure();
    if (expert >= 0)
      sorted.emplace_back(expert, place);
  }
  llvm::sort(sorted);
  FailureOr<LocalTensor> rows = allocateResult(op, 0, rank, {numRows, hidden});
  if (failed(rows))
    return failure();
  FailureOr<LocalTensor> slots = allocateResult(op, 1, rank, {numTokens, topK});
  if (failed(slots))
    return failure();
  fillUnwritten(op.getRows(), *rows);
  llvm::fill(slots->getMutableCells(), domain.getInteger(-1));
  for (auto [row, placed] : llvm::enumerate(sorted)) {
    int64_t copy = getCopy(placed.second);
    llvm::copy(tokens.getCells().slice(copy / topK * hidden, hidden),
               rows->getMutableCells().begin() + row * hidden);
    slots->getMutableCells()[copy] = domain.getInteger(row);
  }
  results[0] = *rows;
  results[1] = *slots;
  return success();
}

//===----------------------------------------------------------------------===//
// Rows of experts
//===----------------------------------------------------------------------===//

/// Emits an error if two runs hold the same row.
static LogicalResult verifyDisjoint(Operation *op, int64_t rank,
                                    ArrayRef<int64_t> offsets,
                                    ArrayRef<int64_t> sizes,
                                    int64_t numExperts) {
  SmallVector<size_t> order;
  for (size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] > 0)
      order.push_back(i);
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::pair(offsets[a], a) < std::pair(offsets[b], b);
  });
  for (size_t k = 1; k < order.size(); ++k) {
    size_t a = order[k - 1], b = order[k];
    if (offsets[b] < offsets[a] + sizes[a])
      return op->emitOpError()
             << "expected runs that do not overlap, got rows " << offsets[a]
             << " to " << offsets[a] + sizes[a] << " of expert "
             << a % numExperts << " and rows " << offsets[b] << " to "
             << offsets[b] + sizes[b] << " of expert " << b % numExperts
             << " on rank " << rank;
  }
  return success();
}

FailureOr<ExpertRows> ExecutorImpl::getExpertRows(
    Operation *op, int64_t rank, const LocalTensor &tokens,
    const LocalTensor &firstWeight, const LocalTensor *runOffsets,
    const LocalTensor *runSizes) {
  ExpertRows rows;
  if (!runSizes) {
    // Tensors without elements are never read, even if they have many rows.
    if (tokens.getCells().empty()) {
      if (!firstWeight.getCells().empty())
        rows.resize(tokens.getDimSize(0));
      return rows;
    }
    rows.resize(tokens.getDimSize(0));
    int64_t perExpert =
        *countElements(tokens.getShape().drop_front().drop_back());
    for (auto [e, own] : llvm::enumerate(rows))
      llvm::append_range(
          own, llvm::seq<int64_t>(e * perExpert, (e + 1) * perExpert));
    return rows;
  }
  if (runOffsets->getShape() != runSizes->getShape())
    return op->emitOpError()
           << "expected offsets and sizes of runs of one shape, got "
           << printShape(runOffsets->getShape()) << " and "
           << printShape(runSizes->getShape()) << " on rank " << rank;
  FailureOr<SmallVector<int64_t>> offsets =
      getIntegers(op, rank, "an offset", runOffsets->getCells());
  FailureOr<SmallVector<int64_t>> sizes =
      getIntegers(op, rank, "a size", runSizes->getCells());
  if (failed(offsets) || failed(sizes))
    return failure();
  int64_t numExperts = runSizes->getShape().back();
  int64_t numRows = tokens.getDimSize(0);
  for (auto [i, offset, size] : llvm::enumerate(*offsets, *sizes))
    if (offset < 0 || size < 0 || size > numRows || offset > numRows - size)
      return op->emitOpError()
             << "expected runs that lie in the " << numRows << " rows, got "
             << size << " rows from row " << offset << " of expert "
             << i % numExperts << " on rank " << rank;
  if (failed(verifyDisjoint(op, rank, *offsets, *sizes, numExperts)))
    return failure();
  if (sizes->empty() && firstWeight.getCells().empty())
    return rows;
  rows.resize(numExperts);
  if (!tokens.getCells().empty())
    for (auto [i, offset, size] : llvm::enumerate(*offsets, *sizes))
      llvm::append_range(rows[i % numExperts],
                         llvm::seq<int64_t>(offset, offset + size));
  return rows;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

int64_t moe::getMember(const RankLists &groups, int64_t rank,
                       int64_t position) {
  for (const SmallVector<int64_t> &members : groups)
    if (llvm::is_contained(members, rank))
      return members[position];
  return rank;
}

LogicalResult ExecutorImpl::verifySameCounts(Operation *op, Value value,
                                             const RankLists &groups,
                                             const llvm::BitVector &active) {
  const RankTensors &counts = frame->get(value);
  for (const SmallVector<int64_t> &members : groups) {
    std::optional<int64_t> first;
    for (int64_t rank : members) {
      if (!active.test(rank))
        continue;
      if (!first) {
        first = rank;
        continue;
      }
      const LocalTensor &a = counts[*first], &b = counts[rank];
      if (a.getIdentity() == b.getIdentity())
        continue;
      if (a.getShape() != b.getShape() || a.getCells() != b.getCells())
        return op->emitOpError()
               << "expected the same counts on all ranks of a group, got "
                  "others on rank "
               << *first << " than on rank " << rank;
    }
  }
  return success();
}

LogicalResult ExecutorImpl::runRaggedPlan(RaggedPlanOp op,
                                          const llvm::BitVector &active) {
  // A copy, because another call of getGroups may move the lists.
  FailureOr<const RankLists *> found = getGroups(op, op.getGroup());
  if (failed(found))
    return failure();
  RankLists groups = **found, joinedGroups;
  if (GroupAttrInterface joined = op.getJoinedAttr()) {
    found = getGroups(op, joined);
    if (failed(found))
      return failure();
    joinedGroups = **found;
  }
  if (failed(verifySameCounts(op, op.getCounts(), groups, active)) ||
      failed(verifySameCounts(op, op.getCounts(), joinedGroups, active)))
    return failure();
  std::vector<int64_t> places = getPositions(groups, numRanks);
  std::vector<int64_t> outer = getPositions(joinedGroups, numRanks);
  int64_t numGroup = groups.front().size();
  int64_t numJoined = joinedGroups.empty() ? 1 : joinedGroups.front().size();
  std::vector<int64_t> keys(numRanks);
  for (int64_t rank = 0; rank < numRanks; ++rank)
    keys[rank] = outer[rank] * numGroup + places[rank];
  // Returns the rank at position `p` of the group at position `q`, relative to
  // rank `from`.
  auto getRank = [&](int64_t from, int64_t q, int64_t p) {
    return getMember(groups, getMember(joinedGroups, from, q), p);
  };

  auto plan = [&](int64_t rank, ArrayRef<LocalTensor> operands,
                  MutableArrayRef<LocalTensor> results) -> LogicalResult {
    FailureOr<SmallVector<int64_t>> counts =
        getIntegers(op, rank, "a count", operands[0].getCells());
    if (failed(counts))
      return failure();
    ArrayRef<int64_t> shape = operands[0].getShape();
    if (failed(verifySize(op, rank, "dim 0 of the counts", shape[0],
                          op.getJoined() ? numJoined : numGroup)) ||
        failed(verifySize(op, rank, "the ranks of the counts",
                          shape[shape.size() - 2], numGroup)))
      return failure();
    CountTable table(*counts, numJoined, numGroup, shape.back());
    for (auto [i, count] : llvm::enumerate(*counts))
      if (count < 0)
        return op.emitOpError()
               << "expected counts of at least 0, got " << count
               << " for expert " << i % table.experts << " of position "
               << i / table.experts % numGroup << " on rank " << rank;
    for (int64_t q = 0; q < numJoined; ++q)
      for (int64_t p = 0; p < numGroup; ++p)
        if (int64_t rows = table.getReceived(q, p); rows > op.getLimit())
          return op.emitOpError()
                 << "rank " << getRank(rank, q, p) << ", position " << p
                 << " of its group, would receive " << rows
                 << " rows, more than the limit of " << op.getLimit()
                 << "; expected a limit of at least as many (moe-translate "
                    "--receive-factor)";

    RunList sends, receives;
    for (int64_t other = 0; other < numGroup; ++other) {
      sends.add(table.getSent(outer[rank], places[rank], other));
      receives.add(table.getSent(outer[rank], other, places[rank]));
    }
    SmallVector<int64_t> runOffsets, runSizes;
    for (int64_t q = 0; q < numJoined; ++q) {
      RunList runs;
      runs.end = q * op.getLimit();
      for (int64_t from = 0; from < numGroup; ++from)
        for (int64_t e = 0; e < table.perRank; ++e)
          runs.add(table.get(q, from, places[rank] * table.perRank + e));
      llvm::append_range(runOffsets, runs.offsets);
      llvm::append_range(runSizes, runs.sizes);
    }
    unsigned width = getIntegerWidth(
        cast<RankedTensorType>(op.getSendOffsets().getType()).getElementType());
    if (!llvm::isIntN(width, sends.end))
      return op.emitOpError()
             << "rank " << rank << " sends " << sends.end
             << " rows, more than offsets of " << width << " bits hold";
    Shape runShape(shape);
    runShape.back() = table.perRank;
    std::pair<ArrayRef<int64_t>, Shape> filled[] = {
        {sends.offsets, {numGroup}},    {sends.sizes, {numGroup}},
        {receives.offsets, {numGroup}}, {receives.sizes, {numGroup}},
        {runOffsets, runShape},         {runSizes, runShape}};
    for (auto [i, result] : llvm::enumerate(filled)) {
      FailureOr<LocalTensor> tensor =
          allocateResult(op, i, rank, result.second);
      if (failed(tensor))
        return failure();
      for (auto [cell, value] :
           llvm::zip_equal(tensor->getMutableCells(), result.first))
        cell = domain.getInteger(value);
      results[i] = *tensor;
    }
    return success();
  };
  return forEachRank(op, active, plan, keys);
}
