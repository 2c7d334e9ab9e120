//===- TrainingConversion.cpp - Gradients as kernels ------------*- C++ -*-===//
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

LogicalResult TaskConverter::convertKernel(
    Operation *op, ValueRange inputs,
    function_ref<void(ValueRange inputs, ValueRange outputs)> create) {
  SmallVector<Place> uses;
  SmallVector<Value> read, written;
  for (Value input : inputs) {
    FailureOr<Place> place = getContiguous(input);
    if (failed(place))
      return failure();
    uses.push_back(*place);
    read.push_back(place->memref);
  }
  for (Value result : op->getResults()) {
    FailureOr<Place> place = createResult(result);
    if (failed(place))
      return failure();
    uses.push_back(*place);
    written.push_back(place->memref);
    places[result] = *place;
  }
  create(read, written);
  host.addWork(stream, uses);
  return success();
}

LogicalResult TaskConverter::convertTraining(Operation *op) {
  OpBuilder &builder = host.getBuilder();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ExpertsDgradOp op) {
        return convertKernel(
            op, op->getOperands(), [&](ValueRange ins, ValueRange outs) {
              rt::ExpertsDgradOp::create(builder, loc, stream.value,
                                         op.getKindAttr(), ins, outs,
                                         op.getActivationAttr());
            });
      })
      .Case([&](ExpertsWgradOp op) {
        return convertKernel(
            op, op->getOperands(), [&](ValueRange ins, ValueRange outs) {
              rt::ExpertsWgradOp::create(builder, loc, stream.value,
                                         op.getKindAttr(), ins, outs,
                                         op.getActivationAttr());
            });
      })
      .Case([&](ScatterOp op) {
        return convertKernel(
            op, op->getOperands(), [&](ValueRange ins, ValueRange outs) {
              rt::ScatterOp::create(builder, loc, stream.value, ins, outs);
            });
      })
      .Case([&](UnorderWgradOp op) {
        return convertKernel(
            op, op->getOperands(), [&](ValueRange ins, ValueRange outs) {
              rt::UnorderWgradOp::create(builder, loc, stream.value, ins, outs);
            });
      })
      .Case([&](GateGradOp op) {
        return convertKernel(
            op, op->getOperands(), [&](ValueRange ins, ValueRange outs) {
              rt::GateGradOp::create(builder, loc, stream.value,
                                     op.getKindAttr(), ins, outs,
                                     op.getNormalizeAttr(), op.getScaleAttr());
            });
      })
      // The gradient's value does not depend on the tokens.
      .Case<DenseOp, DenseDgradOp>([&](auto op) {
        return convertKernel(op, op->getOperand(0),
                             [&](ValueRange ins, ValueRange outs) {
                               rt::DenseOp::create(builder, loc, stream.value,
                                                   ins, outs, op.getParts());
                             });
      })
      .Case([&](DenseWgradOp op) {
        return convertKernel(op, {op.getTokens(), op.getCotangent()},
                             [&](ValueRange ins, ValueRange outs) {
                               rt::DenseWgradOp::create(
                                   builder, loc, stream.value, ins, outs);
                             });
      });
}
