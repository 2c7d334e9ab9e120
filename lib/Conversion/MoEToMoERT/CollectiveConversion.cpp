//===- CollectiveConversion.cpp - Collectives on contiguous buffers -------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bodies.h"
#include "TaskConverter.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Dialect/MoE/ContiguousCollective.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe;

FailureOr<Value> TaskConverter::computeOnHost(Value value) {
  Value &buffer = hostBuffers[value];
  if (buffer)
    return buffer;
  MemRefType type = getBufferType(loc, value.getType());
  if (!type)
    return failure();
  std::string symbol = host.getFunction().getSymName().str() + "_numbers";
  FailureOr<OutlinedBody> body =
      outline(host.getFunction(), symbol, loc, /*ops=*/{}, value);
  if (failed(body))
    return failure();
  symbols.insert(body->function);
  OpBuilder &builder = host.getBuilder();
  buffer = rt::HostBufferOp::create(builder, loc, type);
  SmallVector<Value> inputs;
  for (GroupAttrInterface group : body->groups)
    inputs.push_back(host.getGroupRank(loc, group));
  rt::CallOp::create(builder, loc, body->function.getSymName(), inputs, buffer);
  return buffer;
}

LogicalResult TaskConverter::convertRagged(RaggedAllToAllOp op, Value comm) {
  FailureOr<Place> source = getContiguous(op.getOperand());
  FailureOr<Place> result = createResult(op.getResult());
  if (failed(source) || failed(result))
    return failure();
  SmallVector<Place> uses{*source, *result};
  SmallVector<Value> counts;
  bool waits = false;
  for (Value value : {op.getSendOffsets(), op.getSendSizes(),
                      op.getRecvOffsets(), op.getRecvSizes()}) {
    if (isHostValue(value)) {
      FailureOr<Value> buffer = computeOnHost(value);
      if (failed(buffer))
        return failure();
      counts.push_back(*buffer);
      continue;
    }
    FailureOr<Place> place = getView(value);
    if (failed(place))
      return failure();
    Place buffer = host.createHostBuffer(
        loc, MemRefType::get(place->getType().getShape(),
                             place->getType().getElementType()));
    host.copy(loc, stream, *place, buffer);
    counts.push_back(buffer.memref);
    waits = true;
  }
  // Rows of an empty tensor that nothing is written to are anything.
  if (!op.getInit().getDefiningOp<tensor::EmptyOp>()) {
    FailureOr<Place> init = getView(op.getInit());
    if (failed(init))
      return failure();
    host.copy(loc, stream, *init, *result);
  }
  // Counts that a stream has computed are where it works, which may be a
  // device: the host reads the copy when it is there.
  if (waits)
    host.synchronize(loc, stream);
  rt::RaggedAllToAllOp::create(host.getBuilder(), loc, comm, source->memref,
                               result->memref, counts[0], counts[1], counts[2],
                               counts[3]);
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
