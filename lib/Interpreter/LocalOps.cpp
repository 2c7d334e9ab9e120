// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes ops that every rank runs independently.

#include "ExecutorImpl.h"
#include "Gates.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "moe/Dialect/Text/Ops.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/TypeSwitch.h"
#include <map>

using namespace mlir;
using namespace moe;

/// Runs `body` for every active rank, but only once for ranks with the same
/// operand tensors; these ranks share the result. `positions` has one further
/// number per rank that the op depends on, if it is not empty.
LogicalResult ExecutorImpl::forEachRank(Operation *op,
                                        const llvm::BitVector &active,
                                        LocalBody body,
                                        ArrayRef<int64_t> positions) {
  using Key = std::vector<uint64_t>;
  std::map<Key, SmallVector<LocalTensor, 1>> done;
  std::vector<RankTensors> results(op->getNumResults(), RankTensors(numRanks));
  SmallVector<const RankTensors *> sources;
  for (Value operand : op->getOperands())
    sources.push_back(&frame->get(operand));
  Key key;
  SmallVector<LocalTensor> operands;
  for (unsigned rank : active.set_bits()) {
    key.clear();
    operands.clear();
    for (const RankTensors *source : sources) {
      const LocalTensor &tensor = (*source)[rank];
      operands.push_back(tensor);
      key.push_back(reinterpret_cast<uintptr_t>(tensor.getIdentity()));
      llvm::append_range(key, tensor.getShape());
    }
    if (!positions.empty())
      key.push_back(positions[rank]);
    auto [it, isNew] = done.try_emplace(key);
    if (isNew) {
      it->second.resize(op->getNumResults());
      if (failed(body(rank, operands, it->second)))
        return failure();
    }
    for (auto [tensors, tensor] : llvm::zip_equal(results, it->second))
      tensors[rank] = tensor;
  }
  for (auto [result, tensors] : llvm::zip_equal(op->getResults(), results))
    if (failed(setValue(op, result, std::move(tensors))))
      return failure();
  return success();
}

LogicalResult ExecutorImpl::runLocal(Operation *op,
                                     const llvm::BitVector &active) {
  return forEachRank(
      op, active,
      [&](int64_t rank, ArrayRef<LocalTensor> operands,
          MutableArrayRef<LocalTensor> results) -> LogicalResult {
        bool known = true;
        LogicalResult moved = runMovement(op, rank, operands, results, known);
        if (known)
          return moved;
        return llvm::TypeSwitch<Operation *, LogicalResult>(op)
            .Case([&](arith::ConstantOp op) {
              return runConstant(op, results[0]);
            })
            .Case([&](ub::PoisonOp op) { return runPoison(op, results[0]); })
            .Case(
                [&](GateOp op) { return runGate(op, rank, operands, results); })
            .Case([&](PermuteOp op) {
              return runPermute(op, rank, operands, results);
            })
            .Case([&](ExpertsOp op) {
              return runExperts(op, rank, operands, results);
            })
            .Case([&](ExpertCountsOp op) {
              return runExpertCounts(op, rank, operands[0], results[0]);
            })
            .Case([&](PermuteRowsOp op) {
              return runPermuteRows(op, rank, operands, results);
            })
            .Case([&](DistinctNodesOp op) {
              return runDistinctNodes(op, rank, operands[0], results[0]);
            })
            .Case([&](LimitChoicesOp op) {
              return runLimitChoices(op, rank, operands, results[0]);
            })
            .Case([&](UnpermuteOp op) {
              return runUnpermute(op, rank, operands, results[0]);
            })
            .Case([&](QuantizeOp op) {
              return domain.interpretsUnknown()
                         ? runUnknown(op, rank, operands, results)
                         : runQuantize(op, rank, operands[0], results);
            })
            .Case([&](DequantizeOp op) {
              return domain.interpretsUnknown()
                         ? runUnknown(op, rank, operands, results)
                         : runDequantize(op, rank, operands, results[0]);
            })
            .Case([&](HookOp) {
              results[0] = operands[0];
              return success();
            })
            .Default([&](Operation *op) {
              if (isMix(op))
                return runMix(op, rank, operands, results);
              if (isTrainingOp(op))
                return runTraining(op, rank, operands, results);
              if (OpTrait::hasElementwiseMappableTraits(op) &&
                  op->getNumResults() > 0 && op->getNumRegions() == 0)
                return runElementwise(op, rank, operands, results);
              return runUnknown(op, rank, operands, results);
            });
      });
}

LogicalResult ExecutorImpl::runConstant(arith::ConstantOp op,
                                        LocalTensor &result) {
  auto cellOf = [&](auto value) -> Cell {
    if constexpr (std::is_same_v<decltype(value), APFloat>) {
      bool lossy = false;
      value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                    &lossy);
      return domain.getFloat(value.isNaN()
                                 ? std::numeric_limits<double>::quiet_NaN()
                                 : value.convertToDouble());
    } else {
      return domain.getInteger(value.getSExtValue());
    }
  };
  FailureOr<LocalTensor> tensor = failure();
  auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!dense) {
    if (!isa<IntegerAttr, FloatAttr>(op.getValue()))
      return op.emitOpError()
             << "has no reference semantics: expected a number or dense "
                "elements, got "
             << op.getValue();
    tensor = allocateResult(op, 0, 0, {});
    if (failed(tensor))
      return failure();
    auto integer = dyn_cast<IntegerAttr>(op.getValue());
    tensor->getMutableCells()[0] =
        integer ? cellOf(integer.getValue())
                : cellOf(cast<FloatAttr>(op.getValue()).getValue());
    result = *tensor;
    return success();
  }
  // Only a splat may be collapsed.
  tensor = allocateResult(op, 0, 0, getShapeOf(op.getResult()));
  if (failed(tensor))
    return failure();
  MutableArrayRef<Cell> cells = tensor->getMutableCells();
  bool isFloat = isa<FloatType>(dense.getElementType());
  if (dense.isSplat()) {
    std::fill(cells.begin(), cells.end(),
              isFloat ? cellOf(dense.getSplatValue<APFloat>())
                      : cellOf(dense.getSplatValue<APInt>()));
  } else if (isFloat) {
    for (auto [cell, value] : llvm::zip(cells, dense.getValues<APFloat>()))
      cell = cellOf(APFloat(value));
  } else {
    for (auto [cell, value] : llvm::zip(cells, dense.getValues<APInt>()))
      cell = cellOf(APInt(value));
  }
  result = *tensor;
  return success();
}

/// Poison is an undefined value that may be moved, like an element that no op
/// has written.
LogicalResult ExecutorImpl::runPoison(ub::PoisonOp op, LocalTensor &result) {
  Type type = op.getType();
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    type = tensor.getElementType();
    if (!tensor.hasStaticShape())
      return op.emitOpError() << "has no reference semantics: expected a "
                                 "static shape, got "
                              << tensor;
  }
  FailureOr<LocalTensor> made =
      allocateResult(op, 0, 0, getShapeOf(op.getResult()));
  if (failed(made))
    return failure();
  llvm::fill(made->getMutableCells(), domain.getUndefined(type));
  result = *made;
  return success();
}

LogicalResult
ExecutorImpl::runElementwise(Operation *op, int64_t rank,
                             ArrayRef<LocalTensor> operands,
                             MutableArrayRef<LocalTensor> results) {
  const LocalTensor *first = nullptr;
  SmallVector<ArrayRef<Cell>> cells;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    cells.push_back(operand.getCells());
    if (!isa<RankedTensorType>(op->getOperand(i).getType()))
      continue;
    if (!first)
      first = &operand;
    else if (first->getShape() != operand.getShape())
      return op->emitOpError()
             << "expected operands of one shape, got "
             << printShape(first->getShape()) << " and "
             << printShape(operand.getShape()) << " on rank " << rank;
  }
  for (auto [i, result] : llvm::enumerate(results)) {
    FailureOr<LocalTensor> tensor = allocateResult(
        op, i, rank, first ? first->getShape() : ArrayRef<int64_t>());
    if (failed(tensor) ||
        failed(domain.elementwise(op, i, cells, tensor->getMutableCells())))
      return failure();
    result = *tensor;
  }
  return success();
}

namespace {

/// Parts of an op that it processes independently: linked dims are cut
/// together, one slice at a time.
class Parts {
public:
  Parts(const DimMap &map, ArrayRef<LocalTensor> operands,
        ArrayRef<LocalTensor> results) {
    for (const LocalTensor &tensor : operands)
      classes.emplace_back(tensor.getShape().size(), -1);
    for (const LocalTensor &tensor : results)
      classes.emplace_back(tensor.getShape().size(), -1);
    // Each link takes over the class of its other side, because few dims are
    // linked.
    for (const DimLink &link : map.links) {
      int &a = classes[link.operand][link.operandDim];
      int &b = classes[operands.size() + link.result][link.resultDim];
      int64_t size = operands[link.operand].getDimSize(link.operandDim);
      isConsistent &= size == results[link.result].getDimSize(link.resultDim);
      if (a < 0 && b < 0) {
        a = b = sizes.size();
        sizes.push_back(size);
      } else if (a < 0 || b < 0) {
        a = b = std::max(a, b);
        isConsistent &= sizes[a] == size;
      } else if (a != b) {
        isConsistent &= sizes[a] == sizes[b];
        int from = b, to = a;
        sizes[from] = 1;
        for (auto &dims : classes)
          llvm::replace(dims, from, to);
      }
    }
  }

  /// Linked dims have equal sizes.
  bool isConsistent = true;
  /// The size of each class of dims that are cut together.
  SmallVector<int64_t> sizes;
  /// The class of each dim of the operands and then of the results; -1 for dims
  /// that are not cut.
  SmallVector<SmallVector<int>> classes;

  /// Returns the shape and the offset of the slice of a tensor at a place.
  std::pair<Shape, int64_t> getSlice(unsigned tensor, ArrayRef<int64_t> shape,
                                     ArrayRef<int64_t> place) const {
    Shape part(shape.begin(), shape.end());
    auto strides = rowMajorStrides(shape);
    int64_t offset = 0;
    for (auto [d, id] : llvm::enumerate(classes[tensor]))
      if (id >= 0) {
        part[d] = 1;
        offset += place[id] * strides[d];
      }
    return {part, offset};
  }
};

} // namespace

/// Returns true for functions that may process each part of their linked dims
/// independently.
static bool mayBePartwise(Operation *op) {
  return isTextFunction(op) || isa<QuantizeOp, DequantizeOp>(op) ||
         isStructuredOfParts(op);
}

/// Executes such functions part by part, so that the terms of chunks, and of
/// data gathered later, equal the terms of the whole.
LogicalResult ExecutorImpl::runParts(Operation *op, int64_t rank,
                                     ArrayRef<LocalTensor> operands,
                                     MutableArrayRef<LocalTensor> results,
                                     bool &known) {
  known = false;
  if (isTextReshape(op) &&
      operands[0].getCells().size() == results[0].getCells().size()) {
    llvm::copy(operands[0].getCells(), results[0].getMutableCells().begin());
    known = true;
    return success();
  }
  if (!mayBePartwise(op))
    return success();
  std::optional<DimMap> map = moe::getDimMap(op);
  if (!map || !map->isPartwise || map->links.empty())
    return success();
  Parts parts(*map, operands, results);
  if (!parts.isConsistent)
    return success();
  known = true;
  if (llvm::is_contained(parts.sizes, 0))
    return success();
  SmallVector<int64_t> place(parts.sizes.size());
  for (bool more = true; more;) {
    SmallVector<LocalTensor> from, to;
    for (auto [i, tensor] : llvm::enumerate(operands)) {
      auto [shape, offset] = parts.getSlice(i, tensor.getShape(), place);
      FailureOr<LocalTensor> part = allocate(op, shape);
      if (failed(part))
        return failure();
      copyStrided(
          tensor.getCells().data() + offset, rowMajorStrides(tensor.getShape()),
          part->getMutableCells().data(), rowMajorStrides(shape), shape);
      from.push_back(*part);
    }
    for (auto [i, tensor] : llvm::enumerate(results)) {
      FailureOr<LocalTensor> part = allocate(
          op,
          parts.getSlice(operands.size() + i, tensor.getShape(), place).first);
      if (failed(part))
        return failure();
      to.push_back(*part);
    }
    if (failed(domain.unknown(op, from, to)) || failed(domain.check(op)))
      return failure();
    for (auto [i, tensor] : llvm::enumerate(results)) {
      auto [shape, offset] =
          parts.getSlice(operands.size() + i, tensor.getShape(), place);
      copyStrided(to[i].getCells().data(), rowMajorStrides(shape),
                  tensor.getMutableCells().data() + offset,
                  rowMajorStrides(tensor.getShape()), shape);
    }
    more = false;
    for (size_t i = place.size(); i-- > 0 && !more;) {
      more = ++place[i] < parts.sizes[i];
      if (!more)
        place[i] = 0;
    }
  }
  return success();
}

/// Fills the sizes of a chunk, which are dynamic in the types, from the linked
/// dims of operands.
static void closeShape(Operation *op, ArrayRef<LocalTensor> operands,
                       unsigned result, Shape &shape) {
  if (!llvm::any_of(shape, ShapedType::isDynamic) || !mayBePartwise(op))
    return;
  std::optional<DimMap> map = moe::getDimMap(op);
  if (!map || !map->isPartwise)
    return;
  for (const DimLink &link : map->links)
    if (link.result == result && ShapedType::isDynamic(shape[link.resultDim]))
      shape[link.resultDim] =
          operands[link.operand].getDimSize(link.operandDim);
}

LogicalResult ExecutorImpl::runUnknown(Operation *op, int64_t rank,
                                       ArrayRef<LocalTensor> operands,
                                       MutableArrayRef<LocalTensor> results) {
  if (op->getNumRegions() != 0 && !isTextFunction(op) &&
      !isStructuredOfParts(op))
    return op->emitOpError()
           << "has no reference semantics: it has regions, and only "
              "those of the moe dialect, scf.if, scf.index_switch, scf.for "
              "and scf.while are executed";
  if (domain.interpretsUnknown())
    for (auto [i, result] : llvm::enumerate(results)) {
      Shape shape = getShapeOf(op->getResult(i));
      closeShape(op, operands, i, shape);
      if (llvm::any_of(shape, ShapedType::isDynamic))
        return op->emitOpError()
               << "has no reference semantics: expected a static shape of "
                  "result "
               << i << ", got " << op->getResult(i).getType();
      FailureOr<LocalTensor> tensor = allocateResult(op, i, rank, shape);
      if (failed(tensor))
        return failure();
      result = *tensor;
    }
  bool known = false;
  LogicalResult done = success();
  if (domain.interpretsUnknown())
    done = runParts(op, rank, operands, results, known);
  if (failed(done) || known)
    return done;
  return domain.unknown(op, operands, results);
}
