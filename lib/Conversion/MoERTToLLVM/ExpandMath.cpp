// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formulas for functions without device instructions.

#include "Formulas.h"
#include "Kernels.h"
#include "LowerBodies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace moe;

using Unary = Real (Formulas::*)(Real);

static Unary findUnary(Operation *op) {
  return llvm::TypeSwitch<Operation *, Unary>(op)
      .Case([](math::AcosOp) { return &Formulas::acos; })
      .Case([](math::AcoshOp) { return &Formulas::acosh; })
      .Case([](math::AsinOp) { return &Formulas::asin; })
      .Case([](math::AsinhOp) { return &Formulas::asinh; })
      .Case([](math::AtanOp) { return &Formulas::atan; })
      .Case([](math::AtanhOp) { return &Formulas::atanh; })
      .Case([](math::CbrtOp) { return &Formulas::cbrt; })
      .Case([](math::CosOp) { return &Formulas::cos; })
      .Case([](math::CoshOp) { return &Formulas::cosh; })
      .Case([](math::ErfOp) { return &Formulas::erf; })
      .Case([](math::ErfcOp) { return &Formulas::erfc; })
      .Case([](math::Exp2Op) { return &Formulas::exp2; })
      .Case([](math::ExpM1Op) { return &Formulas::expm1; })
      .Case([](math::ExpOp) { return &Formulas::exp; })
      .Case([](math::Log10Op) { return &Formulas::log10; })
      .Case([](math::Log1pOp) { return &Formulas::log1p; })
      .Case([](math::Log2Op) { return &Formulas::log2; })
      .Case([](math::LogOp) { return &Formulas::log; })
      .Case([](math::SinOp) { return &Formulas::sin; })
      .Case([](math::SinhOp) { return &Formulas::sinh; })
      .Case([](math::TanOp) { return &Formulas::tan; })
      .Case([](math::TanhOp) { return &Formulas::tanh; })
      .Default([](Operation *) -> Unary { return nullptr; });
}

/// Returns the op's result as a formula of its operands in f64, or nullopt.
static std::optional<Real> expand(Operation *op, Formulas &formulas,
                                  ArrayRef<Real> x) {
  if (Unary unary = findUnary(op))
    return (formulas.*unary)(x[0]);
  if (isa<math::Atan2Op>(op))
    return formulas.atan2(x[0], x[1]);
  // For f64, the exponential of a product is not accurate enough.
  if (isa<math::PowFOp>(op) && !op->getResult(0).getType().isF64())
    return formulas.pow(x[0], x[1]);
  return std::nullopt;
}

void moe::expandClasses(Operation *root) {
  root->walk([](Operation *op) {
    if (!isa<math::IsInfOp, math::IsNormalOp>(op))
      return;
    auto type = dyn_cast<FloatType>(op->getOperand(0).getType());
    if (!type)
      return;
    Location loc = op->getLoc();
    OpBuilder builder(op);
    Value size = math::AbsFOp::create(builder, loc, op->getOperand(0));
    auto compare = [&](arith::CmpFPredicate predicate, llvm::APFloat bound) {
      Value constant =
          arith::ConstantOp::create(builder, loc, FloatAttr::get(type, bound));
      return arith::CmpFOp::create(builder, loc, predicate, size, constant)
          .getResult();
    };
    const llvm::fltSemantics &semantics = type.getFloatSemantics();
    llvm::APFloat infinity = llvm::APFloat::getInf(semantics);
    Value result;
    if (isa<math::IsInfOp>(op))
      result = compare(arith::CmpFPredicate::OEQ, infinity);
    else
      result = arith::AndIOp::create(
          builder, loc,
          compare(arith::CmpFPredicate::OGE,
                  llvm::APFloat::getSmallestNormalized(semantics)),
          compare(arith::CmpFPredicate::OLT, infinity));
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  });
}

void moe::expandMath(Operation *root) {
  root->walk([](Operation *op) {
    if (!isa_and_nonnull<math::MathDialect>(op->getDialect()) ||
        op->getNumResults() != 1)
      return;
    Type type = op->getResult(0).getType();
    Location loc = op->getLoc();
    OpBuilder builder(op);
    // Uses the same form as the CPU code.
    if (isa<math::RsqrtOp>(op) && isa<FloatType>(type)) {
      Value one = arith::ConstantOp::create(builder, loc,
                                            builder.getFloatAttr(type, 1.0));
      Value sqrt = math::SqrtOp::create(builder, loc, op->getOperand(0));
      op->replaceAllUsesWith(arith::DivFOp::create(builder, loc, one, sqrt));
      op->erase();
      return;
    }
    if (!type.isF32() && !type.isF64())
      return;
    for (Value operand : op->getOperands())
      if (operand.getType() != type)
        return;
    Formulas formulas(builder, loc);
    SmallVector<Real> wide;
    for (Value operand : op->getOperands())
      wide.push_back(formulas.get(
          type.isF64() ? operand
                       : Value(arith::ExtFOp::create(
                             builder, loc, builder.getF64Type(), operand))));
    std::optional<Real> result = expand(op, formulas, wide);
    if (!result)
      return;
    Value value = result->value;
    if (!type.isF64())
      value = arith::TruncFOp::create(builder, loc, type, value);
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  });
}
