// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes node-level deduplicated dispatch.

#include "CountTable.h"
#include "ExecutorImpl.h"
#include "moe/Interpreter/Rounding.h"

using namespace mlir;
using namespace moe;

LogicalResult ExecutorImpl::runDistinctNodes(DistinctNodesOp op, int64_t rank,
                                             const LocalTensor &ids,
                                             LocalTensor &result) {
  FailureOr<SmallVector<int64_t>> experts =
      getIntegers(op, rank, "an expert number", ids.getCells());
  if (failed(experts))
    return failure();
  int64_t topK = ids.getDimSize(1), perNode = op.getExperts() / op.getNodes();
  int64_t width = cast<RankedTensorType>(op.getType()).getDimSize(1);
  FailureOr<LocalTensor> tensor =
      allocateResult(op, 0, rank, {ids.getDimSize(0), width});
  if (failed(tensor))
    return failure();
  MutableArrayRef<Cell> cells = tensor->getMutableCells();
  llvm::fill(cells, domain.getInteger(-1));
  SmallVector<int64_t> found;
  for (int64_t token = 0; token < ids.getDimSize(0); ++token) {
    found.clear();
    for (int64_t choice = 0; choice < topK; ++choice) {
      int64_t expert = (*experts)[token * topK + choice];
      if (failed(verifyExpert(op, rank, expert, op.getExperts(),
                              token * topK + choice, topK)))
        return failure();
      if (expert < 0 || llvm::is_contained(found, expert / perNode))
        continue;
      if (int64_t(found.size()) == width)
        return op.emitOpError()
               << "expected the experts of a token to be on at most " << width
               << " nodes, got more for token " << token << " on rank " << rank;
      cells[token * width + found.size()] = domain.getInteger(expert / perNode);
      found.push_back(expert / perNode);
    }
  }
  result = *tensor;
  return success();
}

namespace {

/// The counts of all ranks of all nodes, `N * L` rows of `E + N` numbers, and
/// the tables that a rank derives from them.
class NodeTable {
public:
  NodeTable(ArrayRef<int64_t> all, int64_t nodes, int64_t places,
            int64_t experts)
      : nodes(nodes), places(places), experts(experts) {
    for (int64_t p = 0; p < nodes * places; ++p) {
      ArrayRef<int64_t> row = all.slice(p * (experts + nodes), experts + nodes);
      llvm::append_range(copies, row.take_front(experts));
      llvm::append_range(tokens, row.drop_front(experts));
    }
  }
  CountTable getCopies() const {
    return CountTable(copies, 1, nodes * places, experts);
  }
  /// Returns the numbers of tokens that the ranks with this place in their
  /// nodes exchange.
  SmallVector<int64_t> getTokens(int64_t place) const {
    SmallVector<int64_t> own;
    for (int64_t n = 0; n < nodes; ++n)
      llvm::append_range(
          own, ArrayRef(tokens).slice((n * places + place) * nodes, nodes));
    return own;
  }
  /// Returns the numbers of assignments that the ranks of a node exchange among
  /// themselves.
  SmallVector<int64_t> getHandedOn(int64_t node) const {
    int64_t perNode = experts / nodes;
    SmallVector<int64_t> own(places * perNode, 0);
    for (int64_t l = 0; l < places; ++l)
      for (int64_t m = 0; m < nodes; ++m)
        for (int64_t e = 0; e < perNode; ++e) {
          int64_t &sum = own[l * perNode + e];
          sum = CountTable::add(
              sum, copies[(m * places + l) * experts + node * perNode + e]);
        }
    return own;
  }

private:
  int64_t nodes, places, experts;
  SmallVector<int64_t> copies, tokens;
};

} // namespace

LogicalResult ExecutorImpl::runNodePlan(NodePlanOp op,
                                        const llvm::BitVector &active) {
  // A copy, because another call of getGroups may move the lists.
  FailureOr<const RankLists *> found = getGroups(op, op.getGroup());
  if (failed(found))
    return failure();
  RankLists across = **found;
  found = getGroups(op, op.getInside());
  if (failed(found))
    return failure();
  RankLists inside = **found, joinedGroups;
  if (GroupAttrInterface joined = op.getJoinedAttr()) {
    found = getGroups(op, joined);
    if (failed(found))
      return failure();
    joinedGroups = **found;
  }
  for (const RankLists *groups : {&across, &inside, &joinedGroups})
    if (failed(verifySameCounts(op, op.getCounts(), *groups, active)))
      return failure();
  std::vector<int64_t> nodeOf = getPositions(across, numRanks);
  std::vector<int64_t> placeOf = getPositions(inside, numRanks);
  std::vector<int64_t> outer = getPositions(joinedGroups, numRanks);
  int64_t nodes = across.front().size(), places = inside.front().size();
  int64_t numJoined = joinedGroups.empty() ? 1 : joinedGroups.front().size();
  std::vector<int64_t> keys(numRanks);
  for (int64_t rank = 0; rank < numRanks; ++rank)
    keys[rank] = (outer[rank] * nodes + nodeOf[rank]) * places + placeOf[rank];

  auto plan = [&](int64_t rank, ArrayRef<LocalTensor> operands,
                  MutableArrayRef<LocalTensor> results) -> LogicalResult {
    FailureOr<SmallVector<int64_t>> counts =
        getIntegers(op, rank, "a count", operands[0].getCells());
    if (failed(counts))
      return failure();
    ArrayRef<int64_t> shape = operands[0].getShape();
    if (failed(verifySize(op, rank, "dim 0 of the counts", shape[0],
                          op.getJoined() ? numJoined : nodes * places)) ||
        failed(verifySize(op, rank, "the ranks of the counts",
                          shape[shape.size() - 2], nodes * places)))
      return failure();
    int64_t columns = shape.back();
    int64_t experts = columns - nodes;
    for (auto [i, count] : llvm::enumerate(*counts))
      if (count < 0)
        return op.emitOpError()
               << "expected counts of at least 0, got " << count << " for "
               << (int64_t(i % columns) < experts ? "expert " : "node ")
               << (int64_t(i % columns) < experts ? i % columns
                                                  : i % columns - experts)
               << " of position " << i / columns % (nodes * places)
               << " on rank " << rank;
    SmallVector<NodeTable> tables;
    for (int64_t q = 0; q < numJoined; ++q)
      tables.emplace_back(ArrayRef(*counts).slice(q * nodes * places * columns,
                                                  nodes * places * columns),
                          nodes, places, experts);
    auto tooMany = [&](int64_t q, int64_t position, int64_t rows, int64_t limit,
                       StringRef more) {
      int64_t there = getMember(across, getMember(joinedGroups, rank, q),
                                position / places);
      return op.emitOpError()
             << "rank " << getMember(inside, there, position % places)
             << ", position " << position << " of its group, would receive "
             << rows << " rows" << more << ", more than the limit of " << limit
             << "; expected a limit of at least as many";
    };
    for (auto [q, table] : llvm::enumerate(tables)) {
      CountTable copies = table.getCopies();
      for (int64_t p = 0; p < nodes * places; ++p)
        if (int64_t rows = copies.getReceived(0, p); rows > op.getLimit())
          return tooMany(q, p, rows, op.getLimit(), "")
                 << " (moe-translate --receive-factor)";
    }
    for (auto [q, table] : llvm::enumerate(tables))
      for (int64_t p = 0; p < nodes * places; ++p) {
        SmallVector<int64_t> tokens = table.getTokens(p % places);
        CountTable between(tokens, 1, nodes, nodes);
        if (int64_t rows = between.getReceived(0, p / places);
            rows > op.getNodeLimit())
          return tooMany(q, p, rows, op.getNodeLimit(), " between nodes");
      }

    auto fill = [](const CountTable &exchanged, int64_t own, RunList &sends,
                   RunList &receives, RunList &runs) {
      for (int64_t other = 0; other < exchanged.ranks; ++other) {
        sends.add(exchanged.getSent(0, own, other));
        receives.add(exchanged.getSent(0, other, own));
        for (int64_t e = 0; e < exchanged.perRank; ++e)
          runs.add(exchanged.get(0, other, own * exchanged.perRank + e));
      }
    };
    RunList nodeSends, nodeReceives, nodeRuns, sends, receives;
    SmallVector<int64_t> tokens = tables[outer[rank]].getTokens(placeOf[rank]);
    fill(CountTable(tokens, 1, nodes, nodes), nodeOf[rank], nodeSends,
         nodeReceives, nodeRuns);
    SmallVector<int64_t> runOffsets, runSizes;
    for (auto [q, table] : llvm::enumerate(tables)) {
      SmallVector<int64_t> handedOn = table.getHandedOn(nodeOf[rank]);
      RunList otherSends, otherReceives, runs;
      bool isOwn = int64_t(q) == outer[rank];
      runs.end = q * op.getLimit();
      fill(CountTable(handedOn, 1, places, experts / nodes), placeOf[rank],
           isOwn ? sends : otherSends, isOwn ? receives : otherReceives, runs);
      llvm::append_range(runOffsets, runs.offsets);
      llvm::append_range(runSizes, runs.sizes);
    }
    for (auto [list, result] : {std::pair(&nodeSends, op.getNodeSendOffsets()),
                                std::pair(&sends, op.getSendOffsets())}) {
      unsigned width = getIntegerWidth(
          cast<RankedTensorType>(result.getType()).getElementType());
      if (!llvm::isIntN(width, list->end))
        return op.emitOpError()
               << "rank " << rank << " sends " << list->end
               << " rows, more than offsets of " << width << " bits hold";
    }
    unsigned number = 0;
    auto add = [&](ArrayRef<int64_t> values, Shape shape) -> LogicalResult {
      FailureOr<LocalTensor> tensor = allocateResult(op, number, rank, shape);
      if (failed(tensor))
        return failure();
      for (auto [cell, value] :
           llvm::zip_equal(tensor->getMutableCells(), values))
        cell = domain.getInteger(value);
      results[number++] = *tensor;
      return success();
    };
    for (RunList *list : {&nodeSends, &nodeReceives})
      if (failed(add(list->offsets, {nodes})) ||
          failed(add(list->sizes, {nodes})))
        return failure();
    for (RunList *list : {&sends, &receives})
      if (failed(add(list->offsets, {places})) ||
          failed(add(list->sizes, {places})))
        return failure();
    Shape runShape = {places, experts / (nodes * places)};
    if (op.getJoined())
      runShape.insert(runShape.begin(), numJoined);
    return success(succeeded(add(runOffsets, runShape)) &&
                   succeeded(add(runSizes, runShape)));
  };
  return forEachRank(op, active, plan, keys);
}
