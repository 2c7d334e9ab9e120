//===- MoERTTraining.cpp - Verifiers of gradients and mixes -----*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"

using namespace mlir;
using namespace moe::rt;

/// Checks how many buffers an op reads and writes.
static LogicalResult verifyCounts(Operation *op, ValueRange inputs,
                                  size_t numInputs, ValueRange outputs,
                                  size_t numOutputs) {
  if (failed(verifySize(op, "the number of inputs", inputs.size(), numInputs)))
    return failure();
  return verifySize(op, "the number of outputs", outputs.size(), numOutputs);
}

/// Rows `[S, M]`, a buffer `[experts..., C, M]` of their element type and slots
/// `[S, k]`.
static LogicalResult verifySlots(Operation *op, Value rows, Value buffer,
                                 Value slots) {
  if (failed(verifyRank(op, "rows", rows, 2)) ||
      failed(verifyRank(op, "slots", slots, 2)) ||
      failed(verifyElementType(op, {rows, buffer})))
    return failure();
  if (shapeOf(buffer).size() < 2)
    return op->emitOpError()
           << "expected a buffer of rank 2 or more, got " << buffer.getType();
  if (failed(verifySize(op, "the number of rows", shapeOf(rows)[0],
                        shapeOf(slots)[0])))
    return failure();
  return verifySize(op, "the buffer's hidden size", shapeOf(buffer).back(),
                    shapeOf(rows)[1]);
}

template <typename OpT>
static LogicalResult verifyExpertsGrad(OpT op, size_t numOutputs) {
  size_t numWeights = op.getKind() == moe::ExpertsKind::GPT ? 2 : 3;
  if (failed(verifyCounts(op, op.getInputs(), numWeights + 2, op.getOutputs(),
                          numOutputs)) ||
      failed(verifyExpertInputs(op, op.getInputs().drop_back(), op.getKind(),
                                op.getActivation().has_value())) ||
      failed(verifyElementType(op, op->getOperands().drop_front())))
    return failure();
  return verifyShape(op, "the result's gradient", op.getInputs().back(),
                     shapeOf(op.getInputs().front()));
}

LogicalResult ExpertsDgradOp::verify() {
  if (failed(verifyExpertsGrad(*this, 1)))
    return failure();
  return verifyShape(*this, "the output", getOutputs()[0],
                     shapeOf(getInputs().front()));
}

LogicalResult ExpertsWgradOp::verify() {
  bool isGPT = getKind() == ExpertsKind::GPT;
  if (failed(verifyExpertsGrad(*this, isGPT ? 2 : 3)))
    return failure();
  for (auto [gradient, weight] :
       llvm::zip(getOutputs(), getInputs().drop_front()))
    if (failed(verifyShape(*this, "a weight's gradient", gradient,
                           shapeOf(weight))))
      return failure();
  return success();
}

LogicalResult ScatterOp::verify() {
  bool isWeighted = getInputs().size() > 2;
  if (failed(verifyCounts(*this, getInputs(), isWeighted ? 3 : 2, getOutputs(),
                          1)) ||
      failed(
          verifySlots(*this, getInputs()[0], getOutputs()[0], getInputs()[1])))
    return failure();
  return isWeighted ? verifyShape(*this, "weights", getInputs()[2],
                                  shapeOf(getInputs()[1]))
                    : success();
}

LogicalResult UnorderWgradOp::verify() {
  if (failed(verifyCounts(*this, getInputs(), 3, getOutputs(), 1)) ||
      failed(
          verifySlots(*this, getInputs()[0], getInputs()[1], getInputs()[2])))
    return failure();
  return verifyShape(*this, "the output", getOutputs()[0],
                     shapeOf(getInputs()[2]));
}

LogicalResult GateGradOp::verify() {
  if (failed(verifyCounts(*this, getInputs(), 4, getOutputs(), 2)))
    return failure();
  if (getKind() != GateKind::Softmax && getKind() != GateKind::Sigmoid)
    return emitOpError() << "expected kind 'softmax' or 'sigmoid', got '"
                         << stringifyGateKind(getKind()) << "'";
  Value tokens = getInputs()[0], router = getInputs()[1], ids = getInputs()[2];
  if (failed(verifyRank(*this, "tokens", tokens, 2)) ||
      failed(verifyRank(*this, "router", router, 2)) ||
      failed(verifyRank(*this, "ids", ids, 2)) ||
      failed(verifySize(*this, "the router's hidden size", shapeOf(router)[0],
                        shapeOf(tokens)[1])) ||
      failed(verifySize(*this, "the tokens of ids", shapeOf(ids)[0],
                        shapeOf(tokens)[0])) ||
      failed(verifyShape(*this, "the weights' gradient", getInputs()[3],
                         shapeOf(ids))))
    return failure();
  int64_t topK = shapeOf(ids)[1], experts = shapeOf(router)[1];
  if (topK < 1 || topK > experts)
    return emitOpError() << "expected 1 to " << experts
                         << " experts a token, got " << topK;
  for (auto [output, like] : llvm::zip(getOutputs(), getInputs()))
    if (failed(verifyShape(*this, "an output", output, shapeOf(like))) ||
        failed(verifyElementType(*this, {like, output})))
      return failure();
  return success();
}

LogicalResult DenseOp::verify() {
  if (failed(verifyCounts(*this, getInputs(), 1, getOutputs(), 1)) ||
      failed(verifyElementType(*this, {getInputs()[0], getOutputs()[0]})) ||
      failed(verifyShape(*this, "the output", getOutputs()[0],
                         shapeOf(getInputs()[0]))))
    return failure();
  if (getParts() < 1)
    return emitOpError() << "expected at least 1 part, got " << getParts();
  return success();
}

LogicalResult DenseWgradOp::verify() {
  if (failed(verifyCounts(*this, getInputs(), 2, getOutputs(), 1)) ||
      failed(verifyRank(*this, "rows", getInputs()[0], 2)) ||
      failed(verifyElementType(*this, getInputs())) ||
      failed(verifyShape(*this, "the gradient", getInputs()[1],
                         shapeOf(getInputs()[0]))))
    return failure();
  return verifyRank(*this, "the output", getOutputs()[0], 1);
}

LogicalResult ExpertChoiceOp::verify() {
  if (failed(verifyCounts(*this, getInputs(), 2, getOutputs(), 2)) ||
      failed(verifyRank(*this, "tokens", getInputs()[0], 2)) ||
      failed(verifyRank(*this, "router", getInputs()[1], 2)))
    return failure();
  if (getCapacity() < 0)
    return emitOpError() << "expected a capacity of at least 0, got "
                         << getCapacity();
  ArrayRef<int64_t> tokens = shapeOf(getInputs()[0]),
                    router = shapeOf(getInputs()[1]);
  if (failed(
          verifySize(*this, "the router's hidden size", router[0], tokens[1])))
    return failure();
  for (Value output : getOutputs())
    if (failed(verifyShape(*this, "an output", output, {tokens[0], router[1]})))
      return failure();
  return success();
}

LogicalResult SoftGateOp::verify() {
  if (failed(verifyCounts(*this, getInputs(), 2, getOutputs(), 2)) ||
      failed(verifyRank(*this, "tokens", getInputs()[0], 2)) ||
      failed(verifyRank(*this, "router", getInputs()[1], 3)))
    return failure();
  ArrayRef<int64_t> tokens = shapeOf(getInputs()[0]),
                    router = shapeOf(getInputs()[1]);
  if (failed(
          verifySize(*this, "the router's hidden size", router[0], tokens[1])))
    return failure();
  for (Value output : getOutputs())
    if (failed(verifyShape(*this, "an output", output,
                           {tokens[0], router[1], router[2]})))
      return failure();
  return success();
}

/// Tokens `[S, M]`, weights `[S, E, C]` and a buffer `[experts..., C, M]`.
static LogicalResult verifyMix(Operation *op, Value tokens, Value weights,
                               Value buffer) {
  if (failed(verifyRank(op, "tokens", tokens, 2)) ||
      failed(verifyRank(op, "weights", weights, 3)) ||
      failed(verifyElementType(op, {tokens, buffer})))
    return failure();
  ArrayRef<int64_t> shape = shapeOf(buffer), own = shapeOf(weights);
  if (shape.size() < 3)
    return op->emitOpError()
           << "expected a buffer of rank 3 or more, got " << buffer.getType();
  int64_t experts = 1;
  for (int64_t size : shape.drop_back(2))
    experts *= size;
  if (failed(verifySize(op, "the weights' number of tokens", own[0],
                        shapeOf(tokens)[0])) ||
      failed(
          verifySize(op, "the weights' number of experts", own[1], experts)) ||
      failed(verifySize(op, "the weights' capacity", own[2],
                        shape[shape.size() - 2])))
    return failure();
  return verifySize(op, "the buffer's hidden size", shape.back(),
                    shapeOf(tokens)[1]);
}

LogicalResult SoftOrderOp::verify() {
  if (failed(verifyCounts(*this, getInputs(), 2, getOutputs(), 1)))
    return failure();
  return verifyMix(*this, getInputs()[0], getInputs()[1], getOutputs()[0]);
}

LogicalResult SoftUnorderOp::verify() {
  if (failed(verifyCounts(*this, getInputs(), 2, getOutputs(), 1)))
    return failure();
  return verifyMix(*this, getOutputs()[0], getInputs()[1], getInputs()[0]);
}
