// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes the exchanges between the ranks of a group.

#include "ExecutorImpl.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace mlir;
using namespace moe;

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

FailureOr<const RankLists *> ExecutorImpl::getGroups(Operation *op,
                                                     GroupAttrInterface group) {
  auto [it, isNew] = groups.try_emplace(group);
  if (!isNew)
    return &it->second;
  FailureOr<RankLists> lists = group.getRankLists(op);
  if (failed(lists) || lists->empty())
    return op->emitOpError()
           << "expected a group that resolves, got " << Attribute(group);
  // Without a mesh, the rank lists of different ops are independent.
  int64_t ranks = 0;
  for (const auto &members : *lists)
    ranks += members.size();
  if (ranks != numRanks)
    return op->emitOpError() << "expected groups of all " << numRanks
                             << " ranks, got groups of " << ranks;
  it->second = std::move(*lists);
  return &it->second;
}

/// Checks that either all members reach the op or none; the error names the op
/// where they diverged.
LogicalResult ExecutorImpl::verifyReached(Operation *op,
                                          ArrayRef<int64_t> members,
                                          const llvm::BitVector &active) {
  SmallVector<int64_t> here, missing;
  for (int64_t rank : members)
    (active.test(rank) ? here : missing).push_back(rank);
  if (here.empty() || missing.empty())
    return success();
  llvm::sort(here);
  llvm::sort(missing);
  InFlightDiagnostic diag = op->emitOpError();
  auto name = [](ArrayRef<int64_t> ranks) {
    return (ranks.size() == 1 ? "rank " : "ranks ") + printRanks(ranks);
  };
  diag << "is reached by " << name(here) << " but not by " << name(missing)
       << " of the same group";
  // The outermost branch that some missing rank did not take.
  for (const Way &way : ways)
    if (llvm::any_of(missing,
                     [&](int64_t rank) { return !way.ranks.test(rank); })) {
      diag.attachNote(way.op->getLoc())
          << "they parted at this '" << way.op->getName() << "'";
      break;
    }
  return diag;
}

/// Calls `body` for every group whose ranks are active. Groups with members
/// that hold the same tensors in the same order share their results.
LogicalResult ExecutorImpl::forEachGroup(Operation *op,
                                         GroupAttrInterface group,
                                         const llvm::BitVector &active,
                                         GroupBody body) {
  FailureOr<const RankLists *> lists = getGroups(op, group);
  if (failed(lists))
    return failure();
  using Key = std::vector<uint64_t>;
  std::map<Key, const SmallVector<int64_t> *> done;
  RankTensors results(numRanks);
  SmallVector<const RankTensors *> sources;
  for (Value operand : op->getOperands())
    sources.push_back(&frame->get(operand));
  Key key;
  for (const SmallVector<int64_t> &members : **lists) {
    if (failed(verifyReached(op, members, active)))
      return failure();
    if (!active.test(members.front()))
      continue;
    key.clear();
    SmallVector<SmallVector<LocalTensor>> operands(sources.size());
    for (auto [list, source] : llvm::zip_equal(operands, sources))
      for (int64_t rank : members) {
        const LocalTensor &tensor = (*source)[rank];
        list.push_back(tensor);
        key.push_back(reinterpret_cast<uintptr_t>(tensor.getIdentity()));
        llvm::append_range(key, tensor.getShape());
      }
    auto [it, isNew] = done.try_emplace(key, &members);
    if (!isNew) {
      for (auto [rank, like] : llvm::zip_equal(members, *it->second))
        results[rank] = results[like];
      continue;
    }
    SmallVector<LocalTensor> own(members.size());
    if (failed(body(members, operands, own)))
      return failure();
    for (auto [rank, tensor] : llvm::zip_equal(members, own))
      results[rank] = tensor;
  }
  return setValue(op, op->getResult(0), std::move(results));
}

LogicalResult ExecutorImpl::verifySameShape(Operation *op,
                                            ArrayRef<int64_t> members,
                                            ArrayRef<LocalTensor> tensors,
                                            std::optional<unsigned> exceptDim) {
  for (auto [rank, tensor] : llvm::zip_equal(members, tensors)) {
    bool agrees = true;
    for (unsigned d = 0; d < tensor.getShape().size(); ++d)
      agrees &= d == exceptDim ||
                tensor.getDimSize(d) == tensors.front().getDimSize(d);
    if (!agrees)
      return op->emitOpError()
             << "expected one shape on all ranks of a group"
             << (exceptDim ? " but for dim " + std::to_string(*exceptDim) : "")
             << ", got " << printShape(tensors.front().getShape())
             << " on rank " << members.front() << " and "
             << printShape(tensor.getShape()) << " on rank " << rank;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Ragged all-to-all
//===----------------------------------------------------------------------===//

namespace {
/// Rows `offset` to `offset + size` of a buffer.
struct Run {
  int64_t offset, size;
};
} // namespace

LogicalResult ExecutorImpl::runRagged(RaggedAllToAllOp op,
                                      ArrayRef<int64_t> members,
                                      ArrayRef<SmallVector<LocalTensor>> in,
                                      MutableArrayRef<LocalTensor> results) {
  size_t count = members.size();
  ArrayRef<LocalTensor> buffers = in[0], inits = in[1];
  // Rows must have the same shape across ranks, and in operand and init.
  SmallVector<LocalTensor> all(buffers);
  llvm::append_range(all, inits);
  SmallVector<int64_t> owners(members);
  llvm::append_range(owners, members);
  if (failed(verifySameShape(op, owners, all, /*exceptDim=*/0)))
    return failure();

  // Collects the runs of every rank and checks them against its buffer.
  auto getRuns = [&](unsigned firstOperand, bool sending,
                     ArrayRef<LocalTensor> tensors,
                     SmallVector<SmallVector<Run>> &runs) -> LogicalResult {
    for (size_t i = 0; i < count; ++i) {
      int64_t rank = members[i];
      FailureOr<SmallVector<int64_t>> offsets =
          getIntegers(op, rank, "an offset", in[firstOperand][i].getCells());
      FailureOr<SmallVector<int64_t>> sizes =
          getIntegers(op, rank, "a size", in[firstOperand + 1][i].getCells());
      if (failed(offsets) || failed(sizes))
        return failure();
      if (offsets->size() != count || sizes->size() != count)
        return op.emitOpError()
               << "expected " << count << " offsets and sizes, one per rank of "
               << "the group, got " << offsets->size() << " and "
               << sizes->size() << " on rank " << rank;
      int64_t rows = tensors[i].getDimSize(0);
      SmallVector<Run> &own = runs.emplace_back();
      for (size_t j = 0; j < count; ++j) {
        Run run{(*offsets)[j], (*sizes)[j]};
        if (run.offset < 0 || run.size < 0 || run.size > rows ||
            run.offset > rows - run.size)
          return op.emitOpError()
                 << "rank " << rank << (sending ? " sends " : " receives ")
                 << run.size << " rows at row " << run.offset
                 << (sending ? " to rank " : " from rank ") << members[j]
                 << ", beyond its buffer of " << rows << " rows";
        own.push_back(run);
      }
    }
    return success();
  };
  SmallVector<SmallVector<Run>> sends, receives;
  if (failed(getRuns(2, /*sending=*/true, buffers, sends)) ||
      failed(getRuns(4, /*sending=*/false, inits, receives)))
    return failure();

  for (size_t i = 0; i < count; ++i) {
    for (size_t j = 0; j < count; ++j)
      if (sends[j][i].size != receives[i][j].size)
        return op.emitOpError()
               << "rank " << members[j] << " sends " << sends[j][i].size
               << " rows to rank " << members[i] << ", which expects "
               << receives[i][j].size;
    SmallVector<size_t> order;
    for (size_t j = 0; j < count; ++j)
      if (receives[i][j].size > 0)
        order.push_back(j);
    llvm::sort(order, [&](size_t a, size_t b) {
      return std::pair(receives[i][a].offset, a) <
             std::pair(receives[i][b].offset, b);
    });
    for (size_t k = 1; k < order.size(); ++k) {
      Run before = receives[i][order[k - 1]], run = receives[i][order[k]];
      if (run.offset < before.offset + before.size)
        return op.emitOpError()
               << "rank " << members[i] << " receives rows " << before.offset
               << " to " << before.offset + before.size << " from rank "
               << members[order[k - 1]] << " and rows " << run.offset << " to "
               << run.offset + run.size << " from rank " << members[order[k]]
               << ", which overlap";
    }
  }

  for (size_t i = 0; i < count; ++i) {
    FailureOr<LocalTensor> tensor =
        allocateResult(op, 0, members[i], inits[i].getShape());
    if (failed(tensor))
      return failure();
    MutableArrayRef<Cell> cells = tensor->getMutableCells();
    llvm::copy(inits[i].getCells(), cells.begin());
    int64_t row = rowMajorStrides(inits[i].getShape())[0];
    // A buffer without cells has nothing to copy, even if its runs are not
    // empty.
    if (!cells.empty())
      for (size_t j = 0; j < count; ++j)
        if (receives[i][j].size > 0)
          llvm::copy(buffers[j].getCells().slice(sends[j][i].offset * row,
                                                 sends[j][i].size * row),
                     cells.begin() + receives[i][j].offset * row);
    results[i] = *tensor;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Other collectives
//===----------------------------------------------------------------------===//

/// Returns the start of block `index` of blocks of `size` along a dim.
static const Cell *blockAt(const LocalTensor &tensor, unsigned dim,
                           int64_t index, int64_t size) {
  // The strides of an empty tensor are meaningless.
  if (tensor.getCells().empty())
    return tensor.getCells().data();
  return tensor.getCells().data() +
         index * size * rowMajorStrides(tensor.getShape())[dim];
}

static Cell *blockAt(LocalTensor &tensor, unsigned dim, int64_t index,
                     int64_t size) {
  return const_cast<Cell *>(blockAt(std::as_const(tensor), dim, index, size));
}

LogicalResult ExecutorImpl::runCollective(Operation *op,
                                          const llvm::BitVector &active) {
  auto cut = [&](const LocalTensor &tensor, unsigned dim,
                 size_t count) -> FailureOr<int64_t> {
    if (tensor.getDimSize(dim) % count == 0)
      return tensor.getDimSize(dim) / static_cast<int64_t>(count);
    return op->emitOpError()
           << "expected dim " << dim << " to divide by the " << count
           << " ranks of the group, got " << printShape(tensor.getShape());
  };
  auto multiply = [&](int64_t &size, size_t by) -> LogicalResult {
    if (llvm::MulOverflow(size, static_cast<int64_t>(by), size))
      return op->emitOpError() << "expected a size that fits 64 bits";
    return success();
  };
  using Operands = ArrayRef<SmallVector<LocalTensor>>;
  using Results = MutableArrayRef<LocalTensor>;

  auto allToAll = [&](AllToAllOp op) {
    unsigned split = op.getSplitDim(), concat = op.getConcatDim();
    return forEachGroup(
        op, op.getGroup(), active,
        [&](ArrayRef<int64_t> members, Operands in,
            Results results) -> LogicalResult {
          ArrayRef<LocalTensor> tensors = in[0];
          if (failed(verifySameShape(op, members, tensors)))
            return failure();
          FailureOr<int64_t> part = cut(tensors[0], split, members.size());
          if (failed(part))
            return failure();
          Shape block(tensors[0].getShape());
          block[split] = *part;
          Shape shape = block;
          if (failed(multiply(shape[concat], members.size())))
            return failure();
          auto sourceStrides = rowMajorStrides(tensors[0].getShape());
          auto strides = rowMajorStrides(shape);
          for (size_t i = 0; i < members.size(); ++i) {
            FailureOr<LocalTensor> tensor =
                allocateResult(op, 0, members[i], shape);
            if (failed(tensor))
              return failure();
            for (size_t j = 0; j < members.size(); ++j)
              copyStrided(blockAt(tensors[j], split, i, *part), sourceStrides,
                          blockAt(*tensor, concat, j, block[concat]), strides,
                          block);
            results[i] = *tensor;
          }
          return success();
        });
  };
  auto allGather = [&](AllGatherOp op) {
    unsigned dim = op.getDim();
    return forEachGroup(
        op, op.getGroup(), active,
        [&](ArrayRef<int64_t> members, Operands in,
            Results results) -> LogicalResult {
          ArrayRef<LocalTensor> tensors = in[0];
          if (failed(verifySameShape(op, members, tensors)))
            return failure();
          Shape block(tensors[0].getShape()), shape = block;
          if (failed(multiply(shape[dim], members.size())))
            return failure();
          FailureOr<LocalTensor> tensor =
              allocateResult(op, 0, members[0], shape);
          if (failed(tensor))
            return failure();
          auto strides = rowMajorStrides(shape);
          for (size_t j = 0; j < members.size(); ++j)
            copyStrided(tensors[j].getCells().data(), rowMajorStrides(block),
                        blockAt(*tensor, dim, j, block[dim]), strides, block);
          std::fill(results.begin(), results.end(), *tensor);
          return success();
        });
  };
  auto cellsOf = [](ArrayRef<LocalTensor> tensors) {
    SmallVector<ArrayRef<Cell>> cells;
    for (const LocalTensor &tensor : tensors)
      cells.push_back(tensor.getCells());
    return cells;
  };
  auto elementTypeOf = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getElementType();
  };
  auto allReduce = [&](AllReduceOp op) {
    return forEachGroup(
        op, op.getGroup(), active,
        [&](ArrayRef<int64_t> members, Operands in,
            Results results) -> LogicalResult {
          if (failed(verifySameShape(op, members, in[0])))
            return failure();
          FailureOr<LocalTensor> tensor =
              allocateResult(op, 0, members[0], in[0][0].getShape());
          if (failed(tensor))
            return failure();
          domain.reduce(op.getReduction(), elementTypeOf(op.getOperand()),
                        cellsOf(in[0]), tensor->getMutableCells());
          std::fill(results.begin(), results.end(), *tensor);
          return success();
        });
  };
  auto reduceScatter = [&](ReduceScatterOp op) {
    unsigned dim = op.getDim();
    return forEachGroup(
        op, op.getGroup(), active,
        [&](ArrayRef<int64_t> members, Operands in,
            Results results) -> LogicalResult {
          ArrayRef<LocalTensor> tensors = in[0];
          if (failed(verifySameShape(op, members, tensors)))
            return failure();
          FailureOr<int64_t> part = cut(tensors[0], dim, members.size());
          if (failed(part))
            return failure();
          // Reduces the whole tensor before cutting it, so the numbers are
          // equal to all_reduce's.
          FailureOr<LocalTensor> whole = allocate(op, tensors[0].getShape());
          if (failed(whole))
            return failure();
          domain.reduce(op.getReduction(), elementTypeOf(op.getOperand()),
                        cellsOf(tensors), whole->getMutableCells());
          Shape shape(tensors[0].getShape());
          shape[dim] = *part;
          for (size_t i = 0; i < members.size(); ++i) {
            FailureOr<LocalTensor> tensor =
                allocateResult(op, 0, members[i], shape);
            if (failed(tensor))
              return failure();
            copyStrided(blockAt(*whole, dim, i, *part),
                        rowMajorStrides(whole->getShape()),
                        tensor->getMutableCells().data(),
                        rowMajorStrides(shape), shape);
            results[i] = *tensor;
          }
          return success();
        });
  };
  auto permute = [&](CollectivePermuteOp op) {
    return forEachGroup(
        op, op.getGroup(), active,
        [&](ArrayRef<int64_t> members, Operands in,
            Results results) -> LogicalResult {
          if (failed(verifySameShape(op, members, in[0])))
            return failure();
          for (auto [from, to] : llvm::zip_equal(op.getFrom(), op.getTo()))
            results[to] = in[0][from];
          for (auto [i, result] : llvm::enumerate(results)) {
            if (llvm::is_contained(op.getTo(), static_cast<int64_t>(i)))
              continue;
            FailureOr<LocalTensor> zeros =
                allocateResult(op, 0, members[i], in[0][i].getShape());
            if (failed(zeros))
              return failure();
            llvm::fill(zeros->getMutableCells(),
                       domain.getZero(elementTypeOf(op.getResult())));
            result = *zeros;
          }
          return success();
        });
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](CollectivePermuteOp op) { return permute(op); })
      .Case([&](AllToAllOp op) { return allToAll(op); })
      .Case([&](AllGatherOp op) { return allGather(op); })
      .Case([&](AllReduceOp op) { return allReduce(op); })
      .Case([&](ReduceScatterOp op) { return reduceScatter(op); })
      .Case([&](RaggedAllToAllOp op) {
        return forEachGroup(
            op, op.getGroup(), active,
            [&](ArrayRef<int64_t> members, Operands in, Results results) {
              return runRagged(op, members, in, results);
            });
      })
      .Default([](Operation *op) {
        return op->emitOpError() << "has no reference semantics";
      });
}
