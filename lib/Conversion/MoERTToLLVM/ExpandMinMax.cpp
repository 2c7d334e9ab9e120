// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Minima and maxima that respect the signs of zeros.

#include "LowerBodies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace {
/// The maximum or minimum of two f64 or f32 values.
struct Choice {
  OpBuilder builder;
  Location loc;
  Value a, b;

  Type getType(Type element) {
    if (auto shaped = dyn_cast<ShapedType>(a.getType()))
      return shaped.clone(element);
    return element;
  }
  Value compare(arith::CmpFPredicate predicate, Value x, Value y) {
    return arith::CmpFOp::create(builder, loc, predicate, x, y);
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(builder, loc, condition, x, y);
  }

  /// Chooses between two numbers. Equal ones differ at most in the sign of
  /// zeros, so AND of their bits gives the maximum, and OR the minimum.
  Value choose(bool isMaximum) {
    unsigned width = getElementTypeOrSelf(a.getType()).getIntOrFloatBitWidth();
    Type bits = getType(builder.getIntegerType(width));
    Value x = arith::BitcastOp::create(builder, loc, bits, a);
    Value y = arith::BitcastOp::create(builder, loc, bits, b);
    Value both = isMaximum
                     ? arith::AndIOp::create(builder, loc, x, y).getResult()
                     : arith::OrIOp::create(builder, loc, x, y).getResult();
    Value same = arith::BitcastOp::create(builder, loc, a.getType(), both);
    Value takesA = compare(isMaximum ? arith::CmpFPredicate::OGT
                                     : arith::CmpFPredicate::OLT,
                           a, b);
    return select(compare(arith::CmpFPredicate::OEQ, a, b), same,
                  select(takesA, a, b));
  }
};
} // namespace

void moe::expandMinMax(Operation *root) {
  root->walk([](Operation *op) {
    if (!isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
             arith::MinNumFOp>(op))
      return;
    Choice choice{OpBuilder(op), op->getLoc(), op->getOperand(0),
                  op->getOperand(1)};
    Value number = choice.choose(isa<arith::MaximumFOp, arith::MaxNumFOp>(op));
    auto isNaN = [&](Value value) {
      return choice.compare(arith::CmpFPredicate::UNO, value, value);
    };
    // A NaN is the result, or is ignored by maxnum and minnum.
    bool passesOver = isa<arith::MaxNumFOp, arith::MinNumFOp>(op);
    Value a = choice.a, b = choice.b;
    Value result = choice.select(isNaN(b), passesOver ? a : b, number);
    result = choice.select(isNaN(a), passesOver ? b : a, result);
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  });
}
