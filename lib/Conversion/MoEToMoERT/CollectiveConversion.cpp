// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives on contiguous buffers.

#include "TaskConverter.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Dialect/MoE/ContiguousCollective.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe;

/// Whether an exchange has made a value for one reader, by whatever names.
static bool isReceivedForOne(Value value) {
  while (value.hasOneUse()) {
    auto result = dyn_cast<OpResult>(value);
    if (!result)
      return false;
    Operation *op = result.getOwner();
    if (isa<RaggedAllToAllOp>(op))
      return true;
    if (!isa<ScheduleOp, TaskOp, LayerOp>(op))
      return false;
    Operation *yield = op->getRegion(0).front().getTerminator();
    value = yield->getOperand(result.getResultNumber());
  }
  return false;
}

FailureOr<Place> TaskConverter::createReceived(RaggedAllToAllOp op) {
  // Rows of an empty tensor that nothing is written to are anything.
  if (op.getInit().getDefiningOp<tensor::EmptyOp>())
    return createResult(op.getResult());
  FailureOr<Place> init = getView(op.getInit());
  if (failed(init))
    return failure();
  // What only this exchange adds rows to is there already.
  if (isReceivedForOne(op.getInit()) && init->buffer && init->isPlain() &&
      !targets.contains(op.getResult()))
    return init;
  FailureOr<Place> result = createResult(op.getResult());
  if (succeeded(result))
    host.copy(loc, stream, *init, *result);
  return result;
}

LogicalResult TaskConverter::convertRagged(RaggedAllToAllOp op, Value comm) {
  FailureOr<Place> source = getContiguous(op.getOperand());
  FailureOr<Place> result = createReceived(op);
  if (failed(source) || failed(result))
    return failure();
  SmallVector<Place> uses{*source, *result};
  FailureOr<SmallVector<Value>> sizes = readOnHost(getHostOperands(op));
  if (failed(sizes))
    return failure();
  rt::RaggedAllToAllOp::create(host.getBuilder(), loc, comm, source->memref,
                               result->memref, (*sizes)[0], (*sizes)[1],
                               (*sizes)[2], (*sizes)[3]);
  host.addWork(stream, uses);
  places[op.getResult()] = *result;
  return success();
}

LogicalResult TaskConverter::convertCollective(CollectiveOpInterface op) {
  if (failed(verifyContiguous(op)))
    return failure();
  OpBuilder &builder = host.getBuilder();
  FailureOr<Value> comm = host.getCommunicator(op, op.getGroup(), stream);
  if (failed(comm))
    return failure();
  if (auto ragged = dyn_cast<RaggedAllToAllOp>(op.getOperation()))
    return convertRagged(ragged, *comm);

  FailureOr<Place> send = getContiguous(op->getOperand(0));
  FailureOr<Place> result = createResult(op->getResult(0));
  if (failed(send) || failed(result))
    return failure();
  places[op->getResult(0)] = *result;
  Value from = send->memref, to = result->memref;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](AllToAllOp op) {
        rt::AllToAllOp::create(builder, loc, *comm, from, to);
      })
      .Case([&](AllGatherOp op) {
        rt::AllGatherOp::create(builder, loc, *comm, from, to);
      })
      .Case([&](ReduceScatterOp op) {
        rt::ReduceScatterOp::create(builder, loc, *comm, from, to,
                                    op.getReduction());
      })
      .Case([&](AllReduceOp op) {
        rt::AllReduceOp::create(builder, loc, *comm, from, to,
                                op.getReduction());
      });
  host.addWork(stream, {*send, *result});
  return success();
}
