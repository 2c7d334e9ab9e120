//===- TrainingLowering.cpp - Gradients, mixes as C calls -------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostLowering.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe;

static MemRefType typeOf(Value buffer) {
  return cast<MemRefType>(buffer.getType());
}
static ArrayRef<int64_t> shapeOf(Value buffer) {
  return typeOf(buffer).getShape();
}
/// Rows of a buffer [..., M].
static int64_t countRows(Value buffer) {
  int64_t count = 1;
  for (int64_t size : shapeOf(buffer).drop_back())
    count *= size;
  return count;
}

bool HostLowering::isTraining(Operation *op) {
  return isa<rt::ExpertsDgradOp, rt::ExpertsWgradOp, rt::ScatterOp,
             rt::UnorderWgradOp, rt::GateGradOp, rt::DenseOp, rt::DenseWgradOp,
             rt::ExpertChoiceOp, rt::SoftGateOp, rt::SoftOrderOp,
             rt::SoftUnorderOp>(op);
}

LogicalResult HostLowering::callKernel(Operation *op, StringRef name,
                                       SmallVector<Value> members,
                                       ValueRange typedBuffers) {
  for (Value buffer : typedBuffers) {
    FailureOr<Value> type = getType(op, typeOf(buffer).getElementType());
    if (mlir::failed(type))
      return mlir::failure();
    members.push_back(*type);
  }
  call(name, {get(op->getOperand(0)), getStruct(members)});
  return success();
}

/// Members as in moert_experts_grad_args.
template <typename OpT>
LogicalResult HostLowering::lowerExpertsGrad(OpT op, StringRef name) {
  ValueRange inputs = op.getInputs(), outputs = op.getOutputs();
  bool isSwiGLU = op.getKind() == ExpertsKind::SwiGLU;
  bool ofTokens = isa<rt::ExpertsDgradOp>(op);
  ArrayRef<int64_t> tokens = shapeOf(inputs[0]);
  int64_t rows = 1;
  for (int64_t size : tokens.drop_front().drop_back())
    rows *= size;
  int64_t activation =
      static_cast<int64_t>(op.getActivation().value_or(Activation::Gelu));
  // Of the weights, or of their gradients: the middle one is swiglu's.
  auto getThree = [&](ValueRange own) -> SmallVector<Value> {
    return {get(own.front()), isSwiGLU ? get(own[1]) : null(), get(own.back())};
  };
  SmallVector<Value> members = {i32(static_cast<int64_t>(op.getKind())),
                                i32(activation),
                                i64(tokens.front()),
                                i64(rows),
                                i64(tokens.back()),
                                i64(shapeOf(inputs[1])[2]),
                                get(inputs.front())};
  llvm::append_range(members, getThree(inputs.drop_front().drop_back()));
  members.push_back(get(inputs.back()));
  members.push_back(ofTokens ? get(outputs.front()) : null());
  if (ofTokens)
    members.append(3, null());
  else
    llvm::append_range(members, getThree(outputs));
  return callKernel(op, name, std::move(members), inputs.take_front());
}

LogicalResult HostLowering::lowerTraining(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](rt::ExpertsDgradOp op) {
        return lowerExpertsGrad(op, "moert_experts_dgrad");
      })
      .Case([&](rt::ExpertsWgradOp op) {
        return lowerExpertsGrad(op, "moert_experts_wgrad");
      })
      .Case([&](rt::ScatterOp op) {
        Value rows = op.getInputs()[0], slots = op.getInputs()[1],
              buffer = op.getOutputs()[0];
        bool isWeighted = op.getInputs().size() > 2;
        // Without weights their type is not looked at.
        Value weights = isWeighted ? op.getInputs()[2] : rows;
        return callKernel(op, "moert_scatter",
                          {i64(shapeOf(rows)[0]), i64(shapeOf(rows)[1]),
                           i64(shapeOf(slots)[1]), i64(countRows(buffer)),
                           get(rows), get(slots),
                           isWeighted ? get(weights) : null(), get(buffer)},
                          {rows, slots, weights});
      })
      .Case([&](rt::UnorderWgradOp op) {
        Value dy = op.getInputs()[0], buffer = op.getInputs()[1],
              slots = op.getInputs()[2], result = op.getOutputs()[0];
        return callKernel(op, "moert_unorder_wgrad",
                          {i64(shapeOf(dy)[0]), i64(shapeOf(dy)[1]),
                           i64(shapeOf(slots)[1]), i64(countRows(buffer)),
                           get(dy), get(buffer), get(slots), get(result)},
                          {dy, slots, result});
      })
      .Case([&](rt::GateGradOp op) {
        Value tokens = op.getInputs()[0], router = op.getInputs()[1],
              ids = op.getInputs()[2], dw = op.getInputs()[3];
        Value scale = LLVM::ConstantOp::create(
            builder, loc, builder.getF64Type(), op.getScaleAttr());
        return callKernel(op, "moert_gate_grad",
                          {i32(static_cast<int64_t>(op.getKind())),
                           i64(shapeOf(tokens)[0]), i64(shapeOf(tokens)[1]),
                           i64(shapeOf(router)[1]), i64(shapeOf(ids)[1]),
                           i32(op.getNormalize()), scale, get(tokens),
                           get(router), get(ids), get(dw),
                           get(op.getOutputs()[0]), get(op.getOutputs()[1])},
                          {tokens, router, ids, dw});
      })
      .Case([&](rt::DenseOp op) {
        Value operand = op.getInputs()[0];
        return callKernel(op, "moert_dense",
                          {i64(typeOf(operand).getNumElements()),
                           i64(op.getParts()), get(operand),
                           get(op.getOutputs()[0])},
                          operand);
      })
      .Case([&](rt::ExpertChoiceOp op) {
        Value tokens = op.getInputs()[0], router = op.getInputs()[1],
              slots = op.getOutputs()[0], weights = op.getOutputs()[1];
        return callKernel(op, "moert_expert_choice",
                          {i32(static_cast<int64_t>(op.getScores())),
                           i64(shapeOf(tokens)[0]), i64(shapeOf(tokens)[1]),
                           i64(shapeOf(router)[1]), i64(op.getCapacity()),
                           get(tokens), get(router), get(slots), get(weights)},
                          {tokens, router, slots, weights});
      })
      .Case([&](rt::SoftGateOp op) {
        Value tokens = op.getInputs()[0], router = op.getInputs()[1],
              dispatch = op.getOutputs()[0], combine = op.getOutputs()[1];
        return callKernel(op, "moert_soft_gate",
                          {i64(shapeOf(tokens)[0]), i64(shapeOf(tokens)[1]),
                           i64(shapeOf(router)[1] * shapeOf(router)[2]),
                           get(tokens), get(router), get(dispatch),
                           get(combine)},
                          {tokens, router, dispatch, combine});
      })
      .Case<rt::SoftOrderOp, rt::SoftUnorderOp>([&](auto op) {
        Value rows = op.getInputs()[0], weights = op.getInputs()[1];
        ArrayRef<int64_t> mix = shapeOf(weights);
        return callKernel(op,
                          isa<rt::SoftOrderOp>(op) ? "moert_soft_order"
                                                   : "moert_soft_unorder",
                          {i64(mix[0]), i64(shapeOf(rows).back()),
                           i64(mix[1] * mix[2]), get(rows), get(weights),
                           get(op.getOutputs()[0])},
                          {rows, weights});
      })
      .Case([&](rt::DenseWgradOp op) {
        Value tokens = op.getInputs()[0], result = op.getOutputs()[0];
        return callKernel(op, "moert_dense_wgrad",
                          {i64(shapeOf(tokens)[0]), i64(shapeOf(tokens)[1]),
                           i64(shapeOf(result)[0]), get(tokens),
                           get(op.getInputs()[1]), get(result)},
                          {tokens, result});
      });
}
