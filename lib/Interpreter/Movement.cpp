// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves data within a rank.

#include "ExecutorImpl.h"
#include "moe/Dialect/Text/StableHLO/Ops.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace moe;

//===----------------------------------------------------------------------===//
// Ops that depend on the rank's position
//===----------------------------------------------------------------------===//

std::vector<int64_t> moe::getPositions(const RankLists &groups,
                                       int64_t numRanks) {
  std::vector<int64_t> positions(numRanks);
  for (const auto &members : groups)
    for (auto [position, rank] : llvm::enumerate(members))
      positions[rank] = position;
  return positions;
}

LogicalResult ExecutorImpl::runDrop(DropOp op, const llvm::BitVector &active) {
  FailureOr<const RankLists *> lists = getGroups(op, op.getGroup());
  if (failed(lists))
    return failure();
  int64_t groupSize = (*lists)->front().size();
  std::vector<int64_t> positions = getPositions(**lists, numRanks);
  unsigned dim = op.getDim();
  return forEachRank(
      op, active,
      [&](int64_t rank, ArrayRef<LocalTensor> operands,
          MutableArrayRef<LocalTensor> results) -> LogicalResult {
        const LocalTensor &source = operands[0];
        Shape shape(source.getShape());
        if (shape[dim] % groupSize != 0)
          return op.emitOpError()
                 << "expected dim " << dim << " to divide by the " << groupSize
                 << " ranks of the group, got " << printShape(shape)
                 << " on rank " << rank;
        shape[dim] /= groupSize;
        FailureOr<LocalTensor> tensor = allocateResult(op, 0, rank, shape);
        if (failed(tensor))
          return failure();
        results[0] = *tensor;
        // The strides of an empty tensor are meaningless.
        if (source.getCells().empty())
          return success();
        auto strides = rowMajorStrides(source.getShape());
        copyStrided(source.getCells().data() +
                        positions[rank] * shape[dim] * strides[dim],
                    strides, tensor->getMutableCells().data(),
                    rowMajorStrides(shape), shape);
        return success();
      },
      positions);
}

LogicalResult ExecutorImpl::runGroupRank(GroupRankOp op,
                                         const llvm::BitVector &active) {
  FailureOr<const RankLists *> lists = getGroups(op, op.getGroup());
  if (failed(lists))
    return failure();
  std::vector<int64_t> positions = getPositions(**lists, numRanks);
  return forEachRank(
      op, active,
      [&](int64_t rank, ArrayRef<LocalTensor>,
          MutableArrayRef<LocalTensor> results) -> LogicalResult {
        FailureOr<LocalTensor> tensor = allocate(op, {});
        if (failed(tensor))
          return failure();
        tensor->getMutableCells()[0] = domain.getInteger(positions[rank]);
        results[0] = *tensor;
        return success();
      },
      positions);
}

//===----------------------------------------------------------------------===//
// Joins and reshapes
//===----------------------------------------------------------------------===//

LogicalResult ExecutorImpl::runAssemble(Operation *op, unsigned dim,
                                        int64_t rank,
                                        ArrayRef<LocalTensor> parts,
                                        LocalTensor &result) {
  Shape shape(parts.front().getShape());
  shape[dim] = 0;
  for (const LocalTensor &part : parts) {
    for (unsigned d = 0; d < shape.size(); ++d)
      if (d != dim && part.getDimSize(d) != shape[d])
        return op->emitOpError()
               << "expected parts that agree in all dims but " << dim
               << ", got " << printShape(parts.front().getShape()) << " and "
               << printShape(part.getShape()) << " on rank " << rank;
    if (llvm::AddOverflow(shape[dim], part.getDimSize(dim), shape[dim]))
      return op->emitOpError() << "sizes of the parts overflow in dim " << dim;
  }
  FailureOr<LocalTensor> tensor = allocateResult(op, 0, rank, shape);
  if (failed(tensor))
    return failure();
  result = *tensor;
  if (result.getCells().empty())
    return success();
  auto strides = rowMajorStrides(shape);
  Cell *target = tensor->getMutableCells().data();
  for (const LocalTensor &part : parts) {
    copyStrided(part.getCells().data(), rowMajorStrides(part.getShape()),
                target, strides, part.getShape());
    target += part.getDimSize(dim) * strides[dim];
  }
  return success();
}

LogicalResult ExecutorImpl::runReshape(Operation *op, int64_t rank,
                                       ArrayRef<LocalTensor> operands,
                                       LocalTensor &result) {
  const LocalTensor &source = operands[0];
  Shape shape;
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    shape = getShapeOf(expand.getResult());
    unsigned next = 1;
    for (int64_t &size : shape) {
      if (!ShapedType::isDynamic(size))
        continue;
      FailureOr<int64_t> given =
          getInteger(op, rank, "a size", operands[next++].getScalar());
      if (failed(given))
        return failure();
      size = *given;
    }
  } else {
    auto collapseOp = cast<tensor::CollapseShapeOp>(op);
    for (const ReassociationIndices &group :
         collapseOp.getReassociationIndices()) {
      Shape sizes;
      for (int64_t d : group)
        sizes.push_back(source.getDimSize(d));
      std::optional<int64_t> size = countElements(sizes);
      if (!size)
        return op->emitOpError() << "expected sizes that fit 64 bits, got "
                                 << printShape(source.getShape());
      shape.push_back(*size);
    }
  }
  std::optional<int64_t> count =
      llvm::any_of(shape, [](int64_t size) { return size < 0; })
          ? std::nullopt
          : countElements(shape);
  if (count != static_cast<int64_t>(source.getCells().size()))
    return op->emitOpError() << "expected as many elements as the operand "
                             << printShape(source.getShape()) << " has, got "
                             << printShape(shape) << " on rank " << rank;
  if (failed(verifyShape(op, 0, rank, shape)))
    return failure();
  result = source.withShape(shape);
  return success();
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

namespace {
/// The position of a slice in the whole tensor.
struct Slice {
  Shape offsets, sizes, strides;
};
} // namespace

/// Resolves the offsets, sizes and strides of a slice of `whole`, shrunk like
/// `whole`, and checks that the slice is inside.
template <typename OpT, typename GetIntegersFn, typename FactorFn>
static FailureOr<Slice>
resolveSlice(OpT op, int64_t rank, ArrayRef<int64_t> whole,
             ArrayRef<LocalTensor> dynamic, GetIntegersFn getIntegers,
             FactorFn getFactor) {
  Slice slice;
  size_t next = 0;
  auto resolve = [&](ArrayRef<int64_t> statics, Shape &out) -> LogicalResult {
    for (int64_t value : statics) {
      if (ShapedType::isDynamic(value)) {
        FailureOr<int64_t> given = getIntegers(dynamic[next++].getScalar());
        if (failed(given))
          return failure();
        value = *given;
      }
      out.push_back(value);
    }
    return success();
  };
  if (failed(resolve(op.getStaticOffsets(), slice.offsets)) ||
      failed(resolve(op.getStaticSizes(), slice.sizes)) ||
      failed(resolve(op.getStaticStrides(), slice.strides)))
    return failure();
  for (unsigned d = 0; d < whole.size(); ++d) {
    // All sizes and offsets of a class that is shrunk are multiples of the
    // factor.
    int64_t factor = getFactor(d);
    slice.offsets[d] /= factor;
    slice.sizes[d] /= factor;
    int64_t offset = slice.offsets[d], size = slice.sizes[d],
            stride = slice.strides[d], last = 0;
    bool inside = offset >= 0 && size >= 0;
    if (inside && size > 0)
      inside = !llvm::MulOverflow(size - 1, stride, last) &&
               !llvm::AddOverflow(last, offset, last) && offset < whole[d] &&
               last >= 0 && last < whole[d];
    else if (inside)
      inside = offset <= whole[d];
    if (!inside)
      return op.emitOpError()
             << "expected a slice inside " << printShape(whole) << ", got "
             << "offset " << offset << ", size " << size << ", stride "
             << stride << " in dim " << d << " on rank " << rank;
  }
  return slice;
}

/// Returns the strides of the slice's elements in the whole tensor, and sets
/// its start.
static Shape stepsOf(const Slice &slice, ArrayRef<int64_t> wholeStrides,
                     int64_t &start) {
  Shape steps;
  start = 0;
  // An empty slice addresses no elements.
  if (llvm::is_contained(slice.sizes, 0))
    return Shape(wholeStrides);
  for (size_t d = 0; d < wholeStrides.size(); ++d) {
    start += slice.offsets[d] * wholeStrides[d];
    steps.push_back(slice.sizes[d] == 1 ? 0
                                        : slice.strides[d] * wholeStrides[d]);
  }
  return steps;
}

LogicalResult ExecutorImpl::runExtractSlice(tensor::ExtractSliceOp op,
                                            int64_t rank,
                                            ArrayRef<LocalTensor> operands,
                                            LocalTensor &result) {
  const LocalTensor &source = operands[0];
  FailureOr<Slice> slice = resolveSlice(
      op, rank, source.getShape(), operands.drop_front(),
      [&](Cell cell) { return getInteger(op, rank, "a slice", cell); },
      [&](unsigned d) { return getFactor(op.getSource(), d); });
  if (failed(slice))
    return failure();
  llvm::SmallBitVector dropped = op.getDroppedDims();
  Shape shape;
  for (unsigned d = 0; d < slice->sizes.size(); ++d)
    if (!dropped.test(d))
      shape.push_back(slice->sizes[d]);
  FailureOr<LocalTensor> tensor = allocateResult(op, 0, rank, shape);
  if (failed(tensor))
    return failure();
  int64_t start;
  Shape steps = stepsOf(*slice, rowMajorStrides(source.getShape()), start);
  copyStrided(source.getCells().data() + start, steps,
              tensor->getMutableCells().data(), rowMajorStrides(slice->sizes),
              slice->sizes);
  result = *tensor;
  return success();
}

LogicalResult ExecutorImpl::runInsertSlice(tensor::InsertSliceOp op,
                                           int64_t rank,
                                           ArrayRef<LocalTensor> operands,
                                           LocalTensor &result) {
  const LocalTensor &source = operands[0], &dest = operands[1];
  FailureOr<Slice> slice = resolveSlice(
      op, rank, dest.getShape(), operands.drop_front(2),
      [&](Cell cell) { return getInteger(op, rank, "a slice", cell); },
      [&](unsigned d) { return getFactor(op.getDest(), d); });
  if (failed(slice))
    return failure();
  llvm::SmallBitVector dropped = op.getDroppedDims();
  Shape expected;
  for (unsigned d = 0; d < slice->sizes.size(); ++d)
    if (!dropped.test(d))
      expected.push_back(slice->sizes[d]);
  if (source.getShape() != ArrayRef<int64_t>(expected))
    return op.emitOpError()
           << "expected a source of " << printShape(expected) << ", got "
           << printShape(source.getShape()) << " on rank " << rank;
  FailureOr<LocalTensor> tensor = allocateResult(op, 0, rank, dest.getShape());
  if (failed(tensor))
    return failure();
  llvm::copy(dest.getCells(), tensor->getMutableCells().begin());
  int64_t start;
  Shape steps = stepsOf(*slice, rowMajorStrides(dest.getShape()), start);
  copyStrided(source.getCells().data(), rowMajorStrides(slice->sizes),
              tensor->getMutableCells().data() + start, steps, slice->sizes);
  result = *tensor;
  return success();
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

FailureOr<int64_t> ExecutorImpl::getElement(Operation *op, int64_t rank,
                                            ArrayRef<int64_t> shape,
                                            ArrayRef<LocalTensor> indices) {
  int64_t flat = 0;
  for (auto [d, size] : llvm::enumerate(shape)) {
    FailureOr<int64_t> index =
        getInteger(op, rank, "an index", indices[d].getScalar());
    if (failed(index))
      return failure();
    if (*index < 0 || *index >= size)
      return op->emitOpError()
             << "expected an index in [0, " << size << ") in dim " << d
             << ", got " << *index << " on rank " << rank;
    flat = flat * size + *index;
  }
  return flat;
}

LogicalResult ExecutorImpl::runMovement(Operation *op, int64_t rank,
                                        ArrayRef<LocalTensor> operands,
                                        MutableArrayRef<LocalTensor> results,
                                        bool &known) {
  auto make =
      [&](ArrayRef<int64_t> shape,
          function_ref<void(MutableArrayRef<Cell>)> fill) -> LogicalResult {
    FailureOr<LocalTensor> tensor = allocateResult(op, 0, rank, shape);
    if (failed(tensor))
      return failure();
    fill(tensor->getMutableCells());
    results[0] = *tensor;
    return success();
  };
  /// Returns the result's shape with its dynamic sizes taken from index
  /// operands.
  auto shapeWith = [&](ArrayRef<LocalTensor> sizes) -> FailureOr<Shape> {
    Shape shape = getShapeOf(op->getResult(0));
    size_t next = 0;
    for (int64_t &size : shape) {
      if (!ShapedType::isDynamic(size))
        continue;
      FailureOr<int64_t> given =
          getInteger(op, rank, "a size", sizes[next++].getScalar());
      if (failed(given))
        return failure();
      if (*given < 0)
        return op->emitOpError() << "expected sizes that are not negative, got "
                                 << *given << " on rank " << rank;
      size = *given;
    }
    return shape;
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](AssembleOp op) {
        return runAssemble(op, op.getDim(), rank, operands, results[0]);
      })
      .Case([&](TransposeOp op) -> LogicalResult {
        auto sourceStrides = rowMajorStrides(operands[0].getShape());
        Shape shape, steps;
        for (int64_t d : op.getPermutation()) {
          shape.push_back(operands[0].getDimSize(d));
          steps.push_back(sourceStrides[d]);
        }
        return make(shape, [&](MutableArrayRef<Cell> cells) {
          copyStrided(operands[0].getCells().data(), steps, cells.data(),
                      rowMajorStrides(shape), shape);
        });
      })
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>([&](Operation *op) {
        return runReshape(op, rank, operands, results[0]);
      })
      .Case([&](tensor::ExtractSliceOp op) {
        return runExtractSlice(op, rank, operands, results[0]);
      })
      .Case([&](tensor::InsertSliceOp op) {
        return runInsertSlice(op, rank, operands, results[0]);
      })
      .Case([&](tensor::CastOp op) -> LogicalResult {
        if (!isa<RankedTensorType>(op.getSource().getType()))
          return op.emitOpError() << "has no reference semantics: expected a "
                                     "ranked tensor, got "
                                  << op.getSource().getType();
        results[0] = operands[0];
        return verifyShape(op, 0, rank, operands[0].getShape());
      })
      .Case([&](tensor::EmptyOp op) -> LogicalResult {
        FailureOr<Shape> shape = shapeWith(operands);
        if (failed(shape))
          return failure();
        Cell cell = domain.getUndefined(op.getType().getElementType());
        return make(*shape, [&](MutableArrayRef<Cell> cells) {
          std::fill(cells.begin(), cells.end(), cell);
        });
      })
      .Case([&](tensor::SplatOp op) -> LogicalResult {
        FailureOr<Shape> shape = shapeWith(operands.drop_front());
        if (failed(shape))
          return failure();
        return make(*shape, [&](MutableArrayRef<Cell> cells) {
          std::fill(cells.begin(), cells.end(), operands[0].getScalar());
        });
      })
      .Case([&](tensor::FromElementsOp op) {
        return make(getShapeOf(op.getResult()),
                    [&](MutableArrayRef<Cell> cells) {
                      for (auto [cell, operand] : llvm::zip(cells, operands))
                        cell = operand.getScalar();
                    });
      })
      .Case([&](tensor::ExtractOp op) -> LogicalResult {
        FailureOr<int64_t> flat =
            getElement(op, rank, operands[0].getShape(), operands.drop_front());
        if (failed(flat))
          return failure();
        return make({}, [&](MutableArrayRef<Cell> cells) {
          cells[0] = operands[0].getCells()[*flat];
        });
      })
      .Case([&](tensor::InsertOp op) -> LogicalResult {
        FailureOr<int64_t> flat = getElement(op, rank, operands[1].getShape(),
                                             operands.drop_front(2));
        if (failed(flat))
          return failure();
        return make(operands[1].getShape(), [&](MutableArrayRef<Cell> cells) {
          llvm::copy(operands[1].getCells(), cells.begin());
          cells[*flat] = operands[0].getScalar();
        });
      })
      .Case([&](tensor::DimOp op) -> LogicalResult {
        FailureOr<int64_t> dim =
            getInteger(op, rank, "a dim", operands[1].getScalar());
        if (failed(dim))
          return failure();
        int64_t dims = operands[0].getShape().size();
        if (*dim < 0 || *dim >= dims)
          return op.emitOpError() << "expected a dim in [0, " << dims
                                  << "), got " << *dim << " on rank " << rank;
        return make({}, [&](MutableArrayRef<Cell> cells) {
          cells[0] = domain.getInteger(operands[0].getDimSize(*dim));
        });
      })
      .Default([&](Operation *op) -> LogicalResult {
        if (std::optional<unsigned> dim = getStableHLOConcatDim(op))
          return runAssemble(op, *dim, rank, operands, results[0]);
        std::optional<StableHLOSlice> slice = getStableHLOSlice(op);
        // The attributes count whole dims.
        if (!slice ||
            operands[0].getShape() !=
                cast<RankedTensorType>(op->getOperand(0).getType())
                    .getShape()) {
          known = false;
          return success();
        }
        Shape source = rowMajorStrides(operands[0].getShape()), shape, steps;
        int64_t start = 0;
        for (size_t d = 0; d < source.size(); ++d) {
          shape.push_back(llvm::divideCeil(slice->limits[d] - slice->starts[d],
                                           slice->strides[d]));
          steps.push_back(source[d] * slice->strides[d]);
          start += source[d] * slice->starts[d];
        }
        return make(shape, [&](MutableArrayRef<Cell> cells) {
          if (!cells.empty())
            copyStrided(operands[0].getCells().data() + start, steps,
                        cells.data(), rowMajorStrides(shape), shape);
        });
      });
}
