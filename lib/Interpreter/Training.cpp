// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes gradients and non-MoE compute.
//
// The functions check sizes that the types leave dynamic, allocate the results
// and call the domain.

#include "ExecutorImpl.h"
#include "moe/Dialect/MoE/Shapes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe;

bool moe::isTrainingOp(Operation *op) {
  return isa<ExpertsDgradOp, ExpertsWgradOp, ScatterOp, UnpermuteWgradOp,
             GateGradOp, ExpertChoiceGradOp, SoftGateGradOp, SoftWgradOp,
             DenseOp, DenseDgradOp, DenseWgradOp>(op);
}

Shape ExecutorImpl::fillShape(Value result, ArrayRef<int64_t> known) {
  // A dynamic dim is not collapsed, but the dim that its size is taken from may
  // be.
  Shape shape = getShapeOf(result);
  for (auto [size, other] : llvm::zip_equal(shape, known))
    if (ShapedType::isDynamic(size))
      size = other;
  return shape;
}

Shape ExecutorImpl::getRealShape(Value value, const LocalTensor &tensor) {
  Shape shape(tensor.getShape());
  for (unsigned d = 0; d < shape.size(); ++d)
    shape[d] *= getFactor(value, d);
  return shape;
}

Shape ExecutorImpl::getBetweenShape(Value between, Value tokens,
                                    const LocalTensor &tokensTensor,
                                    Value weight,
                                    const LocalTensor &weightTensor) {
  Shape known{getShapeOf(between).front()};
  llvm::append_range(known,
                     ArrayRef(getRealShape(tokens, tokensTensor)).drop_back());
  known.push_back(getRealShape(weight, weightTensor).back());
  return fillShape(between, known);
}

LogicalResult ExecutorImpl::verifySlots(Operation *op, int64_t rank,
                                        ArrayRef<int64_t> slots, int64_t topK,
                                        int64_t numRows, bool distinct) {
  llvm::DenseSet<int64_t> seen;
  for (auto [i, slot] : llvm::enumerate(slots)) {
    auto report = [&](StringRef range) {
      return op->emitOpError()
             << "expected slots in [-1, " << numRows << ")" << range << ", got "
             << slot << " as copy " << i % topK << " of token " << i / topK
             << " on rank " << rank;
    };
    if (slot < -1 || slot >= numRows)
      return report("");
    if (distinct && slot >= 0 && !seen.insert(slot).second)
      return report(", each at most once");
  }
  return success();
}

LogicalResult ExecutorImpl::runTraining(Operation *op, int64_t rank,
                                        ArrayRef<LocalTensor> operands,
                                        MutableArrayRef<LocalTensor> results) {
  SmallVector<int64_t> indices;
  ExpertRows rows;
  SmallVector<Shape> shapes;
  auto sizeOf = [&](Value value, const LocalTensor &tensor, unsigned dim) {
    return tensor.getDimSize(dim) * getFactor(value, dim);
  };
  // A matrix may have a bias after its rows.
  auto verify = [&](StringRef what, unsigned a, unsigned dimA, unsigned b,
                    unsigned dimB, bool biased = false) {
    return verifySize(
        op, rank, what, sizeOf(op->getOperand(a), operands[a], dimA),
        addBias(sizeOf(op->getOperand(b), operands[b], dimB), biased));
  };
  auto readIndices = [&](StringRef what, unsigned operand) -> LogicalResult {
    FailureOr<SmallVector<int64_t>> read =
        getIntegers(op, rank, what, operands[operand].getCells());
    if (succeeded(read))
      indices = std::move(*read);
    return read;
  };
  auto countRows = [&](ArrayRef<int64_t> shape) {
    return countElements(shape.drop_back())
        .value_or(std::numeric_limits<int64_t>::max());
  };

  // A gradient has the shape of its operand.
  auto fillLike = [&](ArrayRef<unsigned> numbers) {
    shapes.clear();
    for (auto [r, i] : llvm::enumerate(numbers))
      shapes.push_back(fillShape(op->getResult(r),
                                 getRealShape(op->getOperand(i), operands[i])));
  };

  LogicalResult prepared =
      llvm::TypeSwitch<Operation *, LogicalResult>(op)
          .Case<ExpertsDgradOp, ExpertsWgradOp>(
              [&](auto experts) -> LogicalResult {
                unsigned cotangent =
                    experts.getCotangentMutable().getOperandNumber();
                bool hasRuns = experts.getRunSizes() != nullptr;
                unsigned numDims = operands[0].getShape().size();
                for (unsigned d = 0; d < numDims; ++d)
                  if (failed(verify("dim " + std::to_string(d) + " of dy",
                                    cotangent, d, 0, d)))
                    return failure();
                for (unsigned i = 1; i < cotangent; ++i) {
                  std::string what = "weight " + std::to_string(i - 1) + "'s ";
                  bool last = i + 1 == cotangent, biased = experts.getBiased();
                  LogicalResult sameNumber =
                      hasRuns
                          ? verify(
                                what + "number of experts", i, 0, cotangent + 2,
                                operands[cotangent + 2].getShape().size() - 1)
                          : verify(what + "number of experts", i, 0, 0, 0);
                  if (failed(sameNumber) ||
                      failed(verify(what + "hidden size", i, last ? 2 : 1, 0,
                                    numDims - 1, biased && !last)) ||
                      failed(verify(what + "FFN hidden size", i, last ? 1 : 2,
                                    1, 2, biased && last)))
                    return failure();
                }
                bool handsOn = false;
                if constexpr (std::is_same_v<decltype(experts), ExpertsDgradOp>)
                  handsOn = experts.getHanded() != nullptr;
                for (unsigned r = 0; r < op->getNumResults() - handsOn; ++r) {
                  unsigned like =
                      isa<ExpertsDgradOp>(experts.getOperation()) ? 0 : r + 1;
                  shapes.push_back(fillShape(
                      op->getResult(r),
                      getRealShape(op->getOperand(like), operands[like])));
                }
                if (handsOn)
                  shapes.push_back(getBetweenShape(
                      op->getResult(1), op->getOperand(0), operands[0],
                      op->getOperand(1), operands[1]));
                FailureOr<ExpertRows> own =
                    getExpertRows(op, rank, operands[0], operands[1],
                                  hasRuns ? &operands[cotangent + 1] : nullptr,
                                  hasRuns ? &operands[cotangent + 2] : nullptr);
                if (failed(own))
                  return failure();
                rows = std::move(*own);
                return success();
              })
          .Case([&](ScatterOp scatter) -> LogicalResult {
            shapes.push_back(
                fillShape(scatter.getResult(),
                          Shape(scatter.getResult().getType().getRank(),
                                sizeOf(scatter.getRows(), operands[0], 1))));
            if (failed(verify("the tokens of slots", 1, 0, 0, 0)) ||
                failed(readIndices("a slot", 1)))
              return failure();
            if (operands.size() > 2 &&
                (failed(verify("the tokens of weights", 2, 0, 1, 0)) ||
                 failed(verify("the weights of a token", 2, 1, 1, 1))))
              return failure();
            return verifySlots(op, rank, indices, operands[1].getDimSize(1),
                               countRows(shapes.front()), /*distinct=*/true);
          })
          .Case([&](UnpermuteWgradOp wgrad) -> LogicalResult {
            if (failed(verify("the tokens of slots", 2, 0, 0, 0)) ||
                failed(verify("the hidden size of dy", 0, 1, 1,
                              operands[1].getShape().size() - 1)) ||
                failed(readIndices("a slot", 2)))
              return failure();
            shapes.push_back(Shape(operands[2].getShape()));
            return verifySlots(op, rank, indices, operands[2].getDimSize(1),
                               countRows(operands[1].getShape()),
                               /*distinct=*/false);
          })
          .Case([&](GateGradOp grad) -> LogicalResult {
            unsigned further = 4;
            if (grad.getProjection() &&
                (failed(verify("the projection's hidden size", further, 0, 0,
                               1)) ||
                 failed(verify("the router's hidden size", 1, 0, further, 1))))
              return failure();
            if (!grad.getProjection() &&
                failed(verify("the router's hidden size", 1, 0, 0, 1,
                              grad.getBiased())))
              return failure();
            if (grad.getNoise() &&
                (failed(verify("the noise's hidden size", further, 0, 0, 1)) ||
                 failed(verify("the noise's number of experts", further, 1, 1,
                               1))))
              return failure();
            if (failed(verify("the tokens of ids", 2, 0, 0, 0)) ||
                failed(verify("the tokens of dw", 3, 0, 2, 0)) ||
                failed(verify("the weights of a token", 3, 1, 2, 1)) ||
                failed(readIndices("an expert number", 2)))
              return failure();
            int64_t topK = operands[2].getDimSize(1);
            for (int64_t i = 0; i < int64_t(indices.size()); ++i) {
              ArrayRef<int64_t> before =
                  ArrayRef(indices).slice(i - i % topK, i % topK);
              int64_t numExperts = operands[1].getDimSize(1);
              if (indices[i] < 0 || indices[i] >= numExperts ||
                  llvm::is_contained(before, indices[i]))
                return op->emitOpError()
                       << "expected expert numbers in [0, " << numExperts
                       << "), distinct for a token, got " << indices[i]
                       << " as choice " << i % topK << " of token " << i / topK
                       << " on rank " << rank;
            }
            fillLike({0, 1});
            if (grad.getFurtherGradient())
              fillLike({0, 1, further});
            return success();
          })
          .Case<ExpertChoiceGradOp, SoftGateGradOp>(
              [&](Operation *gate) -> LogicalResult {
                if (failed(verify("the router's hidden size", 1, 0, 0, 1)))
                  return failure();
                unsigned numDims = operands[1].getShape().size();
                for (unsigned i : {2u, 3u}) {
                  std::string what = "operand " + std::to_string(i) + "'s ";
                  if (failed(verify(what + "tokens", i, 0, 0, 0)))
                    return failure();
                  for (unsigned d = 1; d < numDims; ++d)
                    if (failed(verify(what + "dim " + std::to_string(d), i, d,
                                      1, d)))
                      return failure();
                }
                fillLike({0, 1});
                return isa<SoftGateGradOp>(gate) ? success()
                                                 : readIndices("a slot", 2);
              })
          .Case([&](SoftWgradOp wgrad) -> LogicalResult {
            unsigned hidden = operands[1].getShape().size() - 1;
            if (failed(verify("the hidden size of rows", 0, 1, 1, hidden)))
              return failure();
            int64_t experts = 1;
            for (int64_t size : operands[1].getShape().drop_back(2))
              experts *= size;
            shapes.push_back(fillShape(
                wgrad.getResult(),
                {sizeOf(wgrad.getRows(), operands[0], 0), experts,
                 sizeOf(wgrad.getBuffer(), operands[1], hidden - 1)}));
            return success();
          })
          .Default([&](Operation *dense) -> LogicalResult {
            auto getCount = [&](StringRef name) {
              auto count = dense->getAttrOfType<IntegerAttr>(name);
              return count ? count.getInt() : 1;
            };
            int64_t pieces = getCount("sequences") * getCount("shards");
            if (int64_t rows = sizeOf(dense->getOperand(0), operands[0], 0);
                rows % pieces != 0)
              return op->emitOpError()
                     << "expected sequences times shards, " << pieces
                     << ", to divide the number of rows, got " << rows
                     << " on rank " << rank;
            if (operands.size() > 1)
              for (unsigned d : {0u, 1u})
                if (failed(verify("dim " + std::to_string(d) + " of dy", 0, d,
                                  1, d)))
                  return failure();
            shapes.push_back(getShapeOf(op->getResult(0)));
            if (!isa<DenseWgradOp>(dense))
              shapes.back() =
                  fillShape(op->getResult(0),
                            getRealShape(op->getOperand(0), operands[0]));
            else if (ShapedType::isDynamic(shapes.back().front()))
              return op->emitOpError()
                     << "has no reference semantics: expected a static number "
                        "of parameters, got "
                     << op->getResult(0).getType();
            return success();
          });
  if (failed(prepared))
    return failure();
  for (auto [i, shape] : llvm::enumerate(shapes)) {
    FailureOr<LocalTensor> tensor = allocateResult(op, i, rank, shape);
    if (failed(tensor))
      return failure();
    if (isa<ExpertsDgradOp>(op))
      fillUnwritten(op->getResult(i), *tensor);
    results[i] = *tensor;
  }
  return domain.gradient(op, operands, indices, rows, results);
}
