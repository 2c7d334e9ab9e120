// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on floats.

#include "Scalars.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "moe/Interpreter/Rounding.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace moe;

double moe::minimum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
double moe::maximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  return -minimum(-a, -b);
}

template <typename Fn> static ScalarFunction onFloats(Operation *op, Fn fn) {
  Rounder round(cast<FloatType>(getElementTypeOrSelf(op->getResult(0))));
  return [round, fn](const Cell *in, Cell &out) -> const char * {
    out = fromDouble(round(fn(toDouble(in[0]), toDouble(in[1]))));
    return nullptr;
  };
}

ScalarFunction moe::getFloatFunction(Operation *op) {
  using Result = ScalarFunction;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([](arith::AddFOp op) {
        return onFloats(op, [](double a, double b) { return a + b; });
      })
      .Case([](arith::SubFOp op) {
        return onFloats(op, [](double a, double b) { return a - b; });
      })
      .Case([](arith::MulFOp op) {
        return onFloats(op, [](double a, double b) { return a * b; });
      })
      .Case([](arith::DivFOp op) {
        return onFloats(op, [](double a, double b) { return a / b; });
      })
      .Case([](arith::RemFOp op) {
        return onFloats(op, [](double a, double b) { return std::fmod(a, b); });
      })
      .Case([](arith::MaximumFOp op) { return onFloats(op, maximum); })
      .Case([](arith::MinimumFOp op) { return onFloats(op, minimum); })
      .Case([](arith::MaxNumFOp op) {
        return onFloats(op, [](double a, double b) {
          return std::isnan(a) ? b : std::isnan(b) ? a : maximum(a, b);
        });
      })
      .Case([](arith::MinNumFOp op) {
        return onFloats(op, [](double a, double b) {
          return std::isnan(a) ? b : std::isnan(b) ? a : minimum(a, b);
        });
      })
      .Case([](arith::NegFOp) -> Result {
        return [](const Cell *in, Cell &out) -> const char * {
          double value = toDouble(in[0]);
          out = std::isnan(value) ? in[0] : fromDouble(-value);
          return nullptr;
        };
      })
      .Case([](arith::CmpFOp op) -> Result {
        arith::CmpFPredicate predicate = op.getPredicate();
        return [predicate](const Cell *in, Cell &out) -> const char * {
          out = fromInteger(-arith::applyCmpPredicate(
              predicate, llvm::APFloat(toDouble(in[0])),
              llvm::APFloat(toDouble(in[1]))));
          return nullptr;
        };
      })
      .Default([](Operation *) { return Result(); });
}
