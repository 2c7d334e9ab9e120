// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes rank capacities: assignments beyond them are dropped.

#include "ExecutorImpl.h"
#include "moe/Interpreter/Rounding.h"

using namespace mlir;
using namespace moe;

LogicalResult ExecutorImpl::runLimitChoices(LimitChoicesOp op, int64_t rank,
                                            ArrayRef<LocalTensor> operands,
                                            LocalTensor &result) {
  const LocalTensor &ids = operands[0];
  FailureOr<SmallVector<int64_t>> experts =
      getIntegers(op, rank, "an expert number", ids.getCells());
  FailureOr<SmallVector<int64_t>> left =
      getIntegers(op, rank, "a limit", operands[1].getCells());
  if (failed(experts) || failed(left))
    return failure();
  for (auto [i, limit] : llvm::enumerate(*left))
    if (limit < 0)
      return op.emitOpError()
             << "expected limits of at least 0, got " << limit << " as number "
             << i << " of " << left->size() << " on rank " << rank;
  FailureOr<LocalTensor> tensor = allocateResult(op, 0, rank, ids.getShape());
  if (failed(tensor))
    return failure();
  MutableArrayRef<Cell> cells = tensor->getMutableCells();
  llvm::fill(cells, domain.getInteger(-1));
  int64_t numTokens = ids.getDimSize(0), topK = ids.getDimSize(1);
  int64_t perLimit = op.getExperts() / int64_t(left->size());
  bool byChoice = op.getKind() == OrderKind::Choice;
  for (int64_t place = 0; place < numTokens * topK; ++place) {
    int64_t copy =
        byChoice ? place % numTokens * topK + place / numTokens : place;
    int64_t expert = (*experts)[copy];
    if (failed(verifyExpert(op, rank, expert, op.getExperts(), copy, topK)))
      return failure();
    if (expert < 0 || (*left)[expert / perLimit] == 0)
      continue;
    --(*left)[expert / perLimit];
    cells[copy] = domain.getInteger(expert);
  }
  result = *tensor;
  return success();
}
