// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks and allocates the operands and results of gates.

#include "Gates.h"
#include "ExecutorImpl.h"
#include "moe/Dialect/MoE/Shapes.h"

using namespace mlir;
using namespace moe;

GateOperands::GateOperands(GateOp op, ArrayRef<LocalTensor> operands)
    : biased(op.getBiased()) {
  const LocalTensor *next = operands.data();
  auto take = [&](bool isThere) { return isThere ? next++ : nullptr; };
  tokens = take(true);
  router = take(true);
  bias = take(op.getBias() != nullptr);
  noise = take(op.getNoise() != nullptr);
  projection = take(op.getProjection() != nullptr);
  seed = take(op.getSeed() != nullptr);
}

GateOperands::GateOperands(GateGradOp op, ArrayRef<LocalTensor> operands)
    : biased(op.getBiased()) {
  // The ids and their gradient follow the router.
  const LocalTensor *next = operands.data() + 4;
  auto take = [&](bool isThere) { return isThere ? next++ : nullptr; };
  tokens = &operands[0];
  router = &operands[1];
  bias = nullptr;
  noise = take(op.getNoise() != nullptr);
  projection = take(op.getProjection() != nullptr);
  seed = take(op.getSeed() != nullptr);
}

bool moe::isMix(Operation *op) {
  return isa<ExpertChoiceOp, SoftGateOp, SoftPermuteOp, SoftUnpermuteOp>(op);
}

LogicalResult ExecutorImpl::runGate(GateOp op, int64_t rank,
                                    ArrayRef<LocalTensor> operands,
                                    MutableArrayRef<LocalTensor> results) {
  GateOperands in(op, operands);
  int64_t hidden = in.tokens->getDimSize(1);
  int64_t experts = in.router->getDimSize(1);
  // The two hidden dims may be in different classes of the collapse, each
  // shrunk to one element.
  if (!collapse) {
    if (in.noise && failed(verifySize(op, rank, "the noise's hidden size",
                                      in.noise->getDimSize(0), hidden)))
      return failure();
    if (in.projection) {
      if (failed(verifySize(op, rank, "the projection's hidden size",
                            in.projection->getDimSize(0), hidden)))
        return failure();
      hidden = in.projection->getDimSize(1);
    }
    if (failed(verifySize(op, rank, "the router's hidden size",
                          in.router->getDimSize(0),
                          addBias(hidden, in.biased))))
      return failure();
  }
  if (in.bias && failed(verifySize(op, rank, "the bias's size",
                                   in.bias->getDimSize(0), experts)))
    return failure();
  if (in.noise && failed(verifySize(op, rank, "the noise's number of experts",
                                    in.noise->getDimSize(1), experts)))
    return failure();
  // Checks the memory for the scores of one token, because a router with an
  // empty hidden dim may have any number of experts.
  if (static_cast<uint64_t>(experts) >
      (budget.getLimit() - budget.getLive()) / 64)
    return outOfMemory(op, {8, experts});
  int64_t shape[] = {in.tokens->getDimSize(0),
                     static_cast<int64_t>(op.getTopK())};
  FailureOr<LocalTensor> ids = allocateResult(op, 0, rank, shape);
  if (failed(ids))
    return failure();
  FailureOr<LocalTensor> weights = allocateResult(op, 1, rank, shape);
  if (failed(weights) || failed(domain.gate(op, operands, *ids, *weights)))
    return failure();
  results[0] = *ids;
  results[1] = *weights;
  return success();
}

LogicalResult ExecutorImpl::runMix(Operation *op, int64_t rank,
                                   ArrayRef<LocalTensor> operands,
                                   MutableArrayRef<LocalTensor> results) {
  const LocalTensor &first = operands[0], &second = operands[1];
  SmallVector<Shape, 2> shapes;
  if (isa<ExpertChoiceOp, SoftGateOp>(op)) {
    if (!collapse &&
        failed(verifySize(op, rank, "the router's hidden size",
                          second.getDimSize(0), first.getDimSize(1))))
      return failure();
    Shape shape{first.getDimSize(0)};
    llvm::append_range(shape, second.getShape().drop_front());
    shapes.assign(2, shape);
  } else {
    // The buffer of `soft_permute` may have a dynamic capacity and hidden dim.
    Shape buffer(first.getShape());
    if (isa<SoftPermuteOp>(op)) {
      buffer = getShapeOf(op->getResult(0));
      for (auto [dim, size] : {std::pair(1, first.getDimSize(1)),
                               std::pair(2, second.getDimSize(2))})
        if (ShapedType::isDynamic(buffer[buffer.size() - dim]))
          buffer[buffer.size() - dim] = size;
      if (failed(verifySize(op, rank, "the number of tokens",
                            first.getDimSize(0), second.getDimSize(0))))
        return failure();
      shapes.push_back(buffer);
    } else {
      shapes.push_back({second.getDimSize(0), buffer.back()});
    }
    int64_t experts = 1;
    for (int64_t size : ArrayRef(buffer).drop_back(2))
      experts *= size;
    if (failed(verifySize(op, rank, "the weights' number of experts",
                          second.getDimSize(1), experts)) ||
        failed(verifySize(op, rank, "the weights' capacity",
                          second.getDimSize(2), buffer[buffer.size() - 2])))
      return failure();
  }
  for (auto [i, shape] : llvm::enumerate(shapes)) {
    FailureOr<LocalTensor> tensor = allocateResult(op, i, rank, shape);
    if (failed(tensor))
      return failure();
    results[i] = *tensor;
  }
  return domain.mix(op, operands, results);
}
