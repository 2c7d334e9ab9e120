// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives gradients of weights f32 elements.
//
// The pass changes the types of results, so all ops from a gradient to the
// results of the function must accept both types.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Transforms/Passes.h"
#include "moe/Transforms/Remarks.h"
#include "llvm/ADT/SetVector.h"

namespace moe {
#define GEN_PASS_DEF_WIDENGRADIENTS
#include "moe/Transforms/Passes.h.inc"
} // namespace moe

using namespace mlir;
using namespace moe;

static bool isNarrow(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return isa<FloatType>(type.getElementType()) &&
         type.getElementTypeBitWidth() < 32;
}

/// Returns the gradients of weights among the results of an op.
static SmallVector<Value> getWeightGradients(Operation *op) {
  if (isa<ExpertsWgradOp, DenseWgradOp>(op))
    return llvm::to_vector_of<Value>(op->getResults());
  if (auto gate = dyn_cast<GateGradOp>(op))
    return llvm::to_vector_of<Value>(gate->getResults().drop_front());
  return {};
}

/// Collects all values that must have the element type of `value`. Returns an
/// op that prevents this, or null.
static Operation *findSameType(Value value, SetVector<Value> &found) {
  if (!found.insert(value))
    return nullptr;
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner(), *refused = nullptr;
    auto layer = dyn_cast_or_null<LayerOp>(user->getParentOp());
    if (isa<func::ReturnOp>(user))
      continue;
    if (isa<AllReduceOp, AllGatherOp, ReduceScatterOp>(user))
      refused = findSameType(user->getResult(0), found);
    else if (isa<YieldOp>(user) && layer)
      refused = findSameType(layer.getResult(use.getOperandNumber()), found);
    else
      refused = user;
    if (refused)
      return refused;
  }
  return nullptr;
}

static Type widen(OpBuilder &b, Type type) {
  return cast<RankedTensorType>(type).clone(b.getF32Type());
}

/// Widens the weights of a gate, which the op requires to have the type of
/// their gradients. This keeps their values.
static void widenWeights(GateGradOp gate) {
  OpBuilder b(gate);
  auto widenOperand = [&](OpOperand &operand) {
    if (isNarrow(operand.get()))
      operand.set(arith::ExtFOp::create(b, gate.getLoc(),
                                        widen(b, operand.get().getType()),
                                        operand.get()));
  };
  widenOperand(gate.getRouterMutable());
  for (MutableOperandRange range :
       {gate.getNoiseMutable(), gate.getProjectionMutable()})
    for (OpOperand &operand : range)
      widenOperand(operand);
}

namespace {
struct WidenGradients : public moe::impl::WidenGradientsBase<WidenGradients> {
  using WidenGradientsBase::WidenGradientsBase;

  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) { run(op); });
    getOperation()->walk([](func::ReturnOp end) {
      auto func = cast<func::FuncOp>(end->getParentOp());
      func.setType(FunctionType::get(func.getContext(), func.getArgumentTypes(),
                                     end.getOperandTypes()));
    });
  }

private:
  void run(Operation *op) {
    SmallVector<Value> gradients = getWeightGradients(op);
    if (gradients.empty() || !llvm::all_of(gradients, isNarrow))
      return;
    remark::RemarkOpts options = getRemarkOptions(op, "widen", getArgument());
    SetVector<Value> found;
    for (Value gradient : gradients)
      if (Operation *refused = findSameType(gradient, found)) {
        moe::missed(op->getLoc(), options)
            << remark::reason("expected sums over ranks and returns as the only "
                              "readers of gradients, got {0}",
                              refused->getName().getStringRef());
        return;
      }
    if (auto gate = dyn_cast<GateGradOp>(op))
      widenWeights(gate);
    OpBuilder b(op);
    for (Value value : found)
      value.setType(widen(b, value.getType()));
    moe::passed(op->getLoc(), options)
        << remark::add("gives gradients of weights f32 elements");
  }
};
} // namespace
