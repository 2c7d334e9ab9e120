// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes permute, experts and unpermute.

#include "ExecutorImpl.h"
#include "moe/Dialect/MoE/Shapes.h"

using namespace mlir;
using namespace moe;

LogicalResult ExecutorImpl::runPermute(PermuteOp op, int64_t rank,
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
  Shape shape = getShapeOf(op.getBuffer());
  int64_t capacity = shape[shape.size() - 2];
  if (ShapedType::isDynamic(capacity))
    return op.emitOpError() << "has no reference semantics: expected a static "
                               "capacity, got "
                            << op.getBuffer().getType();
  if (ShapedType::isDynamic(shape.back()))
    shape.back() = hidden;
  std::optional<int64_t> numExperts =
      countElements(ArrayRef(shape).drop_back(2));
  if (!numExperts)
    return op.emitOpError() << "expected a number of experts that fits 64 "
                               "bits, got "
                            << op.getBuffer().getType();
  FailureOr<LocalTensor> buffer = allocateResult(op, 0, rank, shape);
  if (failed(buffer))
    return failure();
  FailureOr<LocalTensor> slots = allocateResult(op, 1, rank, {numTokens, topK});
  if (failed(slots))
    return failure();
  if (buffer->getDimSize(shape.size() - 1) != hidden)
    return op.emitOpError()
           << "expected rows of " << hidden << " elements, got a buffer of "
           << printShape(shape) << " on rank " << rank;
  Type elementType =
      cast<RankedTensorType>(op.getBuffer().getType()).getElementType();
  MutableArrayRef<Cell> rows = buffer->getMutableCells();
  std::fill(rows.begin(), rows.end(), domain.getZero(elementType));

  if (static_cast<uint64_t>(*numExperts) >
      (budget.getLimit() - budget.getLive()) / sizeof(int64_t))
    return outOfMemory(op, {*numExperts});
  SmallVector<int64_t> used(*numExperts, 0);
  auto place = [&](int64_t token, int64_t copy) -> LogicalResult {
    int64_t expert = (*experts)[token * topK + copy];
    if (expert < 0 || expert >= *numExperts)
      return op.emitOpError()
             << "expected expert numbers in [0, " << *numExperts << "), got "
             << expert << " as choice " << copy << " of token " << token
             << " on rank " << rank;
    int64_t slot = -1;
    if (used[expert] < capacity) {
      slot = expert * capacity + used[expert]++;
      llvm::copy(tokens.getCells().slice(token * hidden, hidden),
                 rows.begin() + slot * hidden);
    }
    slots->getMutableCells()[token * topK + copy] = domain.getInteger(slot);
    return success();
  };
  bool byChoice = op.getKind() == OrderKind::Choice;
  int64_t outer = byChoice ? topK : numTokens;
  int64_t inner = byChoice ? numTokens : topK;
  for (int64_t i = 0; i < outer; ++i)
    for (int64_t j = 0; j < inner; ++j)
      if (failed(byChoice ? place(j, i) : place(i, j)))
        return failure();
  results[0] = *buffer;
  results[1] = *slots;
  return success();
}

LogicalResult ExecutorImpl::runExperts(ExpertsOp op, int64_t rank,
                                       ArrayRef<LocalTensor> operands,
                                       MutableArrayRef<LocalTensor> results) {
  const LocalTensor &tokens = operands[0];
  ArrayRef<LocalTensor> weights =
      operands.slice(1, op.getExpertsWeights().size());
  bool hasRuns = op.getRunSizes() != nullptr;
  ArrayRef<LocalTensor> runs = operands.drop_front(1 + weights.size());
  int64_t numExperts =
      hasRuns ? runs[1].getShape().back() : tokens.getDimSize(0);
  // Checks sizes that may be dynamic in the types. Collapsed sizes have been
  // checked by the types.
  int64_t hidden = tokens.getShape().back();
  int64_t ffn = weights.front().getDimSize(2);
  for (auto [i, weight] : llvm::enumerate(weights)) {
    bool last = i + 1 == weights.size();
    std::string what = "weight " + std::to_string(i) + "'s ";
    if (failed(verifySize(op, rank, what + "number of experts",
                          weight.getDimSize(0), numExperts)))
      return failure();
    if (!collapse &&
        (failed(verifySize(op, rank, what + "hidden size",
                           weight.getDimSize(last ? 2 : 1),
                           last ? hidden : addBias(hidden, op.getBiased()))) ||
         failed(verifySize(op, rank, what + "FFN hidden size",
                           weight.getDimSize(last ? 1 : 2),
                           last ? addBias(ffn, op.getBiased()) : ffn))))
      return failure();
  }
  // The result may have another collapse factor along the hidden dim than the
  // tokens.
  Shape shape(tokens.getShape());
  int64_t own = getShapeOf(op.getResult()).back();
  shape.back() = ShapedType::isDynamic(own)
                     ? hidden * getFactor(op.getTokens(), shape.size() - 1)
                     : own;
  FailureOr<ExpertRows> rows =
      getExpertRows(op, rank, tokens, weights.front(),
                    hasRuns ? &runs[0] : nullptr, hasRuns ? &runs[1] : nullptr);
  if (failed(rows))
    return failure();
  FailureOr<LocalTensor> tensor = allocateResult(op, 0, rank, shape);
  if (failed(tensor))
    return failure();
  if (hasRuns)
    fillUnwritten(op.getResult(), *tensor);
  results[0] = *tensor;
  if (op.getKept()) {
    FailureOr<LocalTensor> kept = allocateResult(
        op, 1, rank,
        getBetweenShape(op.getKept(), op.getTokens(), tokens,
                        op.getExpertsWeights().front(), weights.front()));
    if (failed(kept))
      return failure();
    fillUnwritten(op.getKept(), *kept);
    results[1] = *kept;
  }
  return domain.experts(op, tokens, weights, *rows, results);
}

void ExecutorImpl::fillUnwritten(Value result, LocalTensor &tensor) {
  llvm::fill(tensor.getMutableCells(),
             domain.getUndefined(
                 cast<RankedTensorType>(result.getType()).getElementType()));
}

LogicalResult ExecutorImpl::runUnpermute(UnpermuteOp op, int64_t rank,
                                         ArrayRef<LocalTensor> operands,
                                         LocalTensor &result) {
  const LocalTensor &buffer = operands[0], &slots = operands[1],
                    &weights = operands[2];
  if (slots.getShape() != weights.getShape())
    return op.emitOpError()
           << "expected slots and weights of one shape, got "
           << printShape(slots.getShape()) << " and "
           << printShape(weights.getShape()) << " on rank " << rank;
  FailureOr<SmallVector<int64_t>> rows =
      getIntegers(op, rank, "a slot", slots.getCells());
  if (failed(rows))
    return failure();
  int64_t numRows = countElements(buffer.getShape().drop_back())
                        .value_or(std::numeric_limits<int64_t>::max());
  for (auto [i, row] : llvm::enumerate(*rows))
    if (row < -1 || row >= numRows)
      return op.emitOpError()
             << "expected slots in [-1, " << numRows << "), got " << row
             << " as copy " << i % slots.getDimSize(1) << " of token "
             << i / slots.getDimSize(1) << " on rank " << rank;
  FailureOr<LocalTensor> tensor = allocateResult(
      op, 0, rank, {slots.getDimSize(0), buffer.getShape().back()});
  if (failed(tensor) ||
      failed(domain.unpermute(op, buffer, *rows, weights, *tensor)))
    return failure();
  result = *tensor;
  return success();
}
