//===- ModuleConversion.cpp - Gate, order, experts and unorder as kernels -*-
// C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TaskConverter.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe;

LogicalResult TaskConverter::convertGate(GateOp op) {
  GateKind kind = op.getKind();
  // The best expert by its softmax over all.
  if (kind == GateKind::Switch)
    kind = GateKind::Softmax;
  // Optional operands that are there follow each other.
  SmallVector<Place> uses;
  auto read = [&](Value operand) -> FailureOr<Value> {
    if (!operand)
      return Value();
    FailureOr<Place> place = getContiguous(operand);
    if (failed(place))
      return failure();
    uses.push_back(*place);
    return Value(place->memref);
  };
  FailureOr<Value> tokens = read(op.getTokens()), router = read(op.getRouter()),
                   bias = read(op.getBias()), noise = read(op.getNoise()),
                   projection = read(op.getProjection()),
                   seed = read(op.getSeed());
  if (failed(tokens) || failed(router) || failed(bias) || failed(noise) ||
      failed(projection) || failed(seed))
    return failure();
  FailureOr<Place> ids = createResult(op.getIds()),
                   weights = createResult(op.getWeights());
  if (failed(ids) || failed(weights))
    return failure();
  uses.append({*ids, *weights});
  places[op.getIds()] = *ids;
  places[op.getWeights()] = *weights;
  OpBuilder &builder = host.getBuilder();
  rt::GateOp::create(builder, loc, stream.value,
                     GateKindAttr::get(builder.getContext(), kind), *tokens,
                     *router, *bias, *noise, *projection, *seed, ids->memref,
                     weights->memref, builder.getI64IntegerAttr(op.getTopK()),
                     builder.getI64IntegerAttr(op.getTopGroups().value_or(1)),
                     builder.getI64IntegerAttr(op.getNumGroups().value_or(1)),
                     op.getNormalizeAttr(), op.getScaleAttr(),
                     op.getJitterAttr(), op.getTemperatureAttr());
  host.addWork(stream, uses);
  return success();
}

LogicalResult TaskConverter::convertMix(Operation *op) {
  OpBuilder &builder = host.getBuilder();
  return convertKernel(
      op, op->getOperands(), [&](ValueRange ins, ValueRange outs) {
        llvm::TypeSwitch<Operation *>(op)
            .Case([&](ExpertChoiceOp op) {
              rt::ExpertChoiceOp::create(
                  builder, loc, stream.value, op.getScoresAttr(), ins, outs,
                  builder.getI64IntegerAttr(op.getCapacity()));
            })
            .Case([&](SoftGateOp) {
              rt::SoftGateOp::create(builder, loc, stream.value, ins, outs);
            })
            .Case([&](SoftOrderOp) {
              rt::SoftOrderOp::create(builder, loc, stream.value, ins, outs);
            })
            .Case([&](SoftUnorderOp) {
              rt::SoftUnorderOp::create(builder, loc, stream.value, ins, outs);
            });
      });
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
