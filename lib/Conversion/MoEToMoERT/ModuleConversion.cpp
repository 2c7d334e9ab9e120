//===- ModuleConversion.cpp - Gate, order, experts and unorder as kernels -*-
// C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TaskConverter.h"

using namespace mlir;
using namespace moe;

/// Says that nothing at run time does what an op says.
static LogicalResult refuse(Operation *op, const Twine &what) {
  return op->emitOpError() << "has no kernel for " << what
                           << ": the runtime has gates of kind softmax, "
                              "sigmoid and switch, without jitter; moe-run "
                              "executes this one with --backend=interp";
}

LogicalResult TaskConverter::refuseGate(Operation *op) {
  return refuse(op, isa<SoftOrderOp, SoftUnorderOp>(op)
                        ? "what a soft gate mixes"
                        : "gates of this result");
}

LogicalResult TaskConverter::convertGate(GateOp op) {
  if (op.getJitter())
    return refuse(op, "jitter");
  GateKind kind = op.getKind();
  // The best expert by its softmax over all.
  if (kind == GateKind::Switch)
    kind = GateKind::Softmax;
  if (kind != GateKind::Softmax && kind != GateKind::Sigmoid)
    return refuse(op, "kind '" + stringifyGateKind(kind) + "'");
  SmallVector<Place> uses;
  for (Value operand : op->getOperands()) {
    FailureOr<Place> place = getContiguous(operand);
    if (failed(place))
      return failure();
    uses.push_back(*place);
  }
  Value bias = op.getBias() ? Value(uses[2].memref) : Value();
  for (Value result : op->getResults()) {
    FailureOr<Place> place = createResult(result);
    if (failed(place))
      return failure();
    uses.push_back(*place);
    places[result] = *place;
  }
  size_t ids = uses.size() - 2;
  rt::GateOp::create(
      host.getBuilder(), loc, stream.value, kind, uses[0].memref,
      uses[1].memref, bias, uses[ids].memref, uses[ids + 1].memref,
      op.getTopK(), op.getTopGroups().value_or(1),
      op.getNumGroups().value_or(1), op.getNormalize(), op.getScale());
  host.addWork(stream, uses);
  return success();
}

LogicalResult TaskConverter::convertOrder(OrderOp op) {
  FailureOr<Place> tokens = getContiguous(op.getTokens());
  FailureOr<Place> ids = getContiguous(op.getIds());
  FailureOr<Place> buffer = createResult(op.getBuffer());
  FailureOr<Place> slots = createResult(op.getSlots());
  if (failed(tokens) || failed(ids) || failed(buffer) || failed(slots))
    return failure();
  ids = makePlain(*ids);
  rt::OrderOp::create(host.getBuilder(), loc, stream.value, op.getKind(),
                      tokens->memref, ids->memref, buffer->memref,
                      slots->memref);
  host.addWork(stream, {*tokens, *ids, *buffer, *slots});
  places[op.getBuffer()] = *buffer;
  places[op.getSlots()] = *slots;
  return success();
}

LogicalResult TaskConverter::convertExperts(ExpertsOp op) {
  SmallVector<Place> uses;
  SmallVector<Value> inputs;
  for (Value operand : op->getOperands()) {
    FailureOr<Place> place = getContiguous(operand);
    if (failed(place))
      return failure();
    uses.push_back(*place);
    inputs.push_back(place->memref);
  }
  FailureOr<Place> result = createResult(op.getResult());
  if (failed(result))
    return failure();
  uses.push_back(*result);
  rt::ExpertsOp::create(host.getBuilder(), loc, stream.value, op.getKindAttr(),
                        inputs, result->memref, op.getActivationAttr());
  host.addWork(stream, uses);
  places[op.getResult()] = *result;
  return success();
}

LogicalResult TaskConverter::convertUnorder(UnorderOp op) {
  FailureOr<Place> buffer = getContiguous(op.getBuffer());
  FailureOr<Place> slots = getContiguous(op.getSlots());
  FailureOr<Place> weights = getContiguous(op.getWeights());
  FailureOr<Place> result = createResult(op.getResult());
  if (failed(buffer) || failed(slots) || failed(weights) || failed(result))
    return failure();
  rt::UnorderOp::create(host.getBuilder(), loc, stream.value, buffer->memref,
                        slots->memref, weights->memref, result->memref);
  host.addWork(stream, {*buffer, *slots, *weights, *result});
  places[op.getResult()] = *result;
  return success();
}
