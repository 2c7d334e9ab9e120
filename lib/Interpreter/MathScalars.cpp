// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the math dialect.
//
// libm computes f64 with its functions of doubles and f32 with its functions
// of floats. Smaller types are computed as f32 and then rounded, as in
// upstream's folders and in compiled code. libm is exact for roots and
// roundings, and within about one unit in the last place for the other
// functions.

#include "Scalars.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "moe/Interpreter/Rounding.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>
#include <utility>

using namespace mlir;
using namespace moe;

static FloatType getFloatType(Value value) {
  return cast<FloatType>(getElementTypeOrSelf(value));
}

/// Applies `fn` to the operands, which have one float type, in the precision of
/// libm.
template <unsigned arity = 1, typename Fn>
static ScalarFunction callLibm(Operation *op, Fn fn) {
  FloatType type = getFloatType(op->getResult(0));
  Rounder round(type);
  bool isDouble = type.isF64();
  return [=](const Cell *in, Cell &out) -> const char * {
    auto call = [&]<typename T, size_t... i>(T, std::index_sequence<i...>) {
      return static_cast<double>(fn(static_cast<T>(toDouble(in[i]))...));
    };
    std::make_index_sequence<arity> operands;
    out = fromDouble(
        round(isDouble ? call(double(), operands) : call(float(), operands)));
    return nullptr;
  };
}

/// Tests a float in its own type.
static ScalarFunction classify(Operation *op,
                               bool (*holds)(const llvm::APFloat &)) {
  FloatType type = getFloatType(op->getOperand(0));
  return [=](const Cell *in, Cell &out) -> const char * {
    llvm::APFloat value(toDouble(in[0]));
    bool lossy = false;
    value.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                  &lossy);
    out = fromInteger(-static_cast<int64_t>(holds(value)));
    return nullptr;
  };
}

static ScalarFunction onBits(Operation *op,
                             llvm::APInt (*fn)(const llvm::APInt &)) {
  unsigned width = getIntegerWidth(getElementTypeOrSelf(op->getResult(0)));
  return [=](const Cell *in, Cell &out) -> const char * {
    llvm::APInt bits(width, toUnsigned(in[0], width));
    out = fromInteger(fn(bits).getSExtValue());
    return nullptr;
  };
}

/// Returns a number of bits as an integer of the operand's width.
static llvm::APInt count(const llvm::APInt &bits, unsigned number) {
  return llvm::APInt(64, number).trunc(bits.getBitWidth());
}

/// Computes an integer power, wrapped; fractions are truncated.
static ScalarFunction integerPower(Operation *op) {
  unsigned width = getIntegerWidth(getElementTypeOrSelf(op->getResult(0)));
  return [=](const Cell *in, Cell &out) -> const char * {
    int64_t base = toInteger(in[0]), exponent = toInteger(in[1]);
    if (exponent < 0 && base == 0)
      return "division by zero";
    // 1 / b^n is 0 unless b is 1 or -1, which are their own inverses.
    bool isUnit =
        wrapInteger(base, width) == wrapInteger(1, width) || base == -1;
    if (exponent < 0 && !isUnit) {
      out = fromInteger(0);
      return nullptr;
    }
    auto left = exponent < 0 ? -static_cast<uint64_t>(exponent)
                             : static_cast<uint64_t>(exponent);
    uint64_t power = 1, square = static_cast<uint64_t>(base);
    for (; left; left >>= 1, square *= square)
      if (left & 1)
        power *= square;
    out = fromInteger(wrapInteger(static_cast<int64_t>(power), width));
    return nullptr;
  };
}

#define MOE_CASE(Op, arity, call)                                              \
  .Case([](math::Op op) {                                                      \
    return callLibm<arity>(op, [](auto... x) { return call; });                \
  })
#define MOE_LIBM(Op, function) MOE_CASE(Op, 1, std::function(x...))

ScalarFunction moe::getMathFunction(Operation *op, unsigned result) {
  using llvm::APFloat;
  using llvm::APInt;
  // clang-format off
  return llvm::TypeSwitch<Operation *, ScalarFunction>(op)
      MOE_LIBM(AbsFOp, fabs)
      MOE_LIBM(AcosOp, acos)
      MOE_LIBM(AcoshOp, acosh)
      MOE_LIBM(AsinOp, asin)
      MOE_LIBM(AsinhOp, asinh)
      MOE_LIBM(AtanOp, atan)
      MOE_LIBM(AtanhOp, atanh)
      MOE_LIBM(CbrtOp, cbrt)
      MOE_LIBM(CeilOp, ceil)
      MOE_LIBM(CosOp, cos)
      MOE_LIBM(CoshOp, cosh)
      MOE_LIBM(ErfOp, erf)
      MOE_LIBM(ErfcOp, erfc)
      MOE_LIBM(ExpOp, exp)
      MOE_LIBM(Exp2Op, exp2)
      MOE_LIBM(ExpM1Op, expm1)
      MOE_LIBM(FloorOp, floor)
      MOE_LIBM(LogOp, log)
      MOE_LIBM(Log10Op, log10)
      MOE_LIBM(Log1pOp, log1p)
      MOE_LIBM(Log2Op, log2)
      MOE_LIBM(RoundOp, round)
      // This rounds ties to even, because this process never changes its
      // rounding mode.
      MOE_LIBM(RoundEvenOp, nearbyint)
      MOE_LIBM(SinOp, sin)
      MOE_LIBM(SinhOp, sinh)
      MOE_LIBM(SqrtOp, sqrt)
      MOE_LIBM(TanOp, tan)
      MOE_LIBM(TanhOp, tanh)
      MOE_LIBM(TruncOp, trunc)
      MOE_CASE(Atan2Op, 2, std::atan2(x...))
      MOE_CASE(CopySignOp, 2, std::copysign(x...))
      MOE_CASE(PowFOp, 2, std::pow(x...))
      MOE_CASE(FmaOp, 3, std::fma(x...))
                  // clang-format on
                  .Case([](math::RsqrtOp op) {
                    return callLibm(op,
                                    [](auto x) { return 1 / std::sqrt(x); });
                  })
                  .Case([=](math::SincosOp op) {
                    return callLibm(op, [=](auto x) {
                      return result ? std::cos(x) : std::sin(x);
                    });
                  })
                  .Case([](math::IsFiniteOp op) {
                    return classify(
                        op, [](const APFloat &x) { return x.isFinite(); });
                  })
                  .Case([](math::IsInfOp op) {
                    return classify(
                        op, [](const APFloat &x) { return x.isInfinity(); });
                  })
                  .Case([](math::IsNaNOp op) {
                    return classify(op,
                                    [](const APFloat &x) { return x.isNaN(); });
                  })
                  .Case([](math::IsNormalOp op) {
                    return classify(
                        op, [](const APFloat &x) { return x.isNormal(); });
                  })
                  .Case([](math::AbsIOp op) {
                    return onBits(op, [](const APInt &x) { return x.abs(); });
                  })
                  .Case([](math::CountLeadingZerosOp op) {
                    return onBits(op, [](const APInt &x) {
                      return count(x, x.countl_zero());
                    });
                  })
                  .Case([](math::CountTrailingZerosOp op) {
                    return onBits(op, [](const APInt &x) {
                      return count(x, x.countr_zero());
                    });
                  })
                  .Case([](math::CtPopOp op) {
                    return onBits(op, [](const APInt &x) {
                      return count(x, x.popcount());
                    });
                  })
                  .Case([](math::IPowIOp op) { return integerPower(op); })
                  .Default([](Operation *) { return ScalarFunction(); });
}
