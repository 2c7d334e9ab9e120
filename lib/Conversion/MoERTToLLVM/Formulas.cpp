// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Math functions as sums and products.

#include "Formulas.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <limits>

using namespace mlir;
using namespace moe;

static constexpr double kInf = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
static constexpr double kLn2 = 0.6931471805599453;
/// ln 2 in two parts; multiples of the first one are exact.
static constexpr double kLn2High = 0.6931471803691238,
                        kLn2Low = 1.9082149292705877e-10;
static constexpr double kHalfPi = 1.5707963267948966,
                        kHalfPiLow = 6.123233995736766e-17;

namespace moe {
/// Helpers of the operators.
struct RealOps {
  template <typename Op> static Real make(Real a, Real b) {
    Formulas &f = *a.formulas;
    return {&f, Op::create(f.builder, f.loc, a.value, b.value)};
  }
  static Real compare(arith::CmpFPredicate predicate, Real a, Real b) {
    Formulas &f = *a.formulas;
    return {&f, arith::CmpFOp::create(f.builder, f.loc, predicate, a.value,
                                      b.value)};
  }
};
} // namespace moe

Real moe::operator+(Real a, Real b) {
  return RealOps::make<arith::AddFOp>(a, b);
}
Real moe::operator-(Real a, Real b) {
  return RealOps::make<arith::SubFOp>(a, b);
}
Real moe::operator*(Real a, Real b) {
  return RealOps::make<arith::MulFOp>(a, b);
}
Real moe::operator/(Real a, Real b) {
  return RealOps::make<arith::DivFOp>(a, b);
}
Real moe::operator+(Real a, double b) { return a + a.formulas->get(b); }
Real moe::operator-(Real a, double b) { return a - a.formulas->get(b); }
Real moe::operator-(double a, Real b) { return b.formulas->get(a) - b; }
Real moe::operator*(Real a, double b) { return a * a.formulas->get(b); }
Real moe::operator/(double a, Real b) { return b.formulas->get(a) / b; }
Real moe::operator<(Real a, double b) {
  return RealOps::compare(arith::CmpFPredicate::OLT, a, a.formulas->get(b));
}
Real moe::operator>(Real a, double b) {
  return RealOps::compare(arith::CmpFPredicate::OGT, a, a.formulas->get(b));
}
Real moe::operator==(Real a, Real b) {
  return RealOps::compare(arith::CmpFPredicate::OEQ, a, b);
}
Real moe::operator==(Real a, double b) { return a == a.formulas->get(b); }
Real moe::operator!=(Real a, Real b) {
  return RealOps::compare(arith::CmpFPredicate::UNE, a, b);
}
Real moe::operator&(Real a, Real b) {
  return RealOps::make<arith::AndIOp>(a, b);
}
Real moe::operator|(Real a, Real b) {
  return RealOps::make<arith::OrIOp>(a, b);
}

//===----------------------------------------------------------------------===//
// Functions with instructions
//===----------------------------------------------------------------------===//

Real Formulas::get(double value) {
  return get(
      arith::ConstantOp::create(builder, loc, builder.getF64FloatAttr(value)));
}
Real Formulas::fma(Real a, Real b, Real c) {
  return get(math::FmaOp::create(builder, loc, a.value, b.value, c.value));
}
Real Formulas::fma(Real a, double b, Real c) { return fma(a, get(b), c); }
Real Formulas::fma(Real a, Real b, double c) { return fma(a, b, get(c)); }
Real Formulas::abs(Real x) {
  return get(math::AbsFOp::create(builder, loc, x.value));
}
Real Formulas::sqrt(Real x) {
  return get(math::SqrtOp::create(builder, loc, x.value));
}
Real Formulas::trunc(Real x) {
  return get(math::TruncOp::create(builder, loc, x.value));
}
Real Formulas::nearest(Real x) {
  return get(math::RoundEvenOp::create(builder, loc, x.value));
}
Real Formulas::copySign(Real size, Real sign) {
  return get(math::CopySignOp::create(builder, loc, size.value, sign.value));
}
Real Formulas::select(Real condition, Real a, Real b) {
  return get(
      arith::SelectOp::create(builder, loc, condition.value, a.value, b.value));
}
Real Formulas::select(Real condition, double a, Real b) {
  return select(condition, get(a), b);
}

Real Formulas::evaluate(Real x, ArrayRef<double> coefficients) {
  Real sum = get(coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    sum = fma(sum, x, coefficient);
  return sum;
}

//===----------------------------------------------------------------------===//
// Powers of e
//===----------------------------------------------------------------------===//

Real Formulas::makePower(Real n) {
  Type i64 = builder.getI64Type();
  auto constant = [&](int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, i64, value);
  };
  Value whole = arith::FPToSIOp::create(builder, loc, i64, n.value);
  Value exponent = arith::AddIOp::create(builder, loc, whole, constant(1023));
  Value bits = arith::ShLIOp::create(builder, loc, exponent, constant(52));
  return get(
      arith::BitcastOp::create(builder, loc, builder.getF64Type(), bits));
}

Real Formulas::scale(Real x, Real n) {
  // Multiplies in two steps; only the second one can leave the normal range.
  Real half = trunc(n * 0.5);
  return x * makePower(half) * makePower(n - half);
}

void Formulas::reduce(Real x, Real &n, Real &r) {
  n = nearest(x * (1 / kLn2));
  r = fma(n, -kLn2Low, fma(n, -kLn2High, x));
}

/// Returns 1/n! starting at n = first.
static SmallVector<double> getInverseFactorials(int first, int count) {
  SmallVector<double> values;
  double factorial = 1;
  for (int n = 1; n < first + count; ++n) {
    if (n - 1 >= first)
      values.push_back(1 / factorial);
    factorial *= n;
  }
  values.push_back(1 / factorial);
  return values;
}

Real Formulas::expm1Small(Real r) {
  // r + r^2 (1/2 + r/6 + ...)
  return fma(r * r, evaluate(r, getInverseFactorials(2, 13)), r);
}

Real Formulas::expSmall(Real r) { return expm1Small(r) + 1.0; }

Real Formulas::exp(Real x) {
  // Beyond these bounds, the result is 0 or infinite.
  constexpr double kLeast = -746, kMost = 710;
  Real isInside = (x > kLeast) & (x < kMost);
  Real n{}, r{};
  reduce(select(isInside, x, get(0.0)), n, r);
  Real result = select(isInside, scale(expSmall(r), n), x + kInf);
  return select((x < kLeast) | (x == kLeast), 0.0, result);
}

Real Formulas::exp2(Real x) {
  Real isInside = (x > -1076) & (x < 1025);
  Real inside = select(isInside, x, get(0.0));
  Real n = nearest(inside);
  Real result = scale(expSmall((inside - n) * kLn2), n);
  result = select(isInside, result, x + kInf);
  return select((x < -1076) | (x == -1076), 0.0, result);
}

Real Formulas::expm1(Real x) {
  constexpr double kLeast = -40, kMost = 710;
  Real isInside = (x > kLeast) & (x < kMost);
  Real n{}, r{};
  reduce(select(isInside, x, get(0.0)), n, r);
  // 2^n (e^r - 1) + (2^n - 1), scaled because 2^1024 is not representable.
  Real half = makePower(n - 1.0);
  Real sum = fma(expm1Small(r), half, half - 0.5) * 2.0;
  Real result = select(n == 0.0, expm1Small(r), sum);
  result = select(isInside, result, x + kInf);
  result = select((x < kLeast) | (x == kLeast), -1.0, result);
  // Preserves the sign of zeros.
  return select(x == 0.0, x, result);
}

//===----------------------------------------------------------------------===//
// Logarithms
//===----------------------------------------------------------------------===//

void Formulas::split(Real x, Real &k, Real &logM) {
  Type i64 = builder.getI64Type(), f64 = builder.getF64Type();
  auto constant = [&](int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, i64, value);
  };
  // Scales subnormal numbers into the normal range.
  constexpr double kNormal = 2.2250738585072014e-308, kTwo54 = 0x1p54;
  Real isSmall = x < kNormal;
  Value bits = arith::BitcastOp::create(builder, loc, i64,
                                        select(isSmall, x * kTwo54, x).value);
  // m is in [sqrt(1/2), sqrt(2)); larger mantissas are halved.
  constexpr int64_t kRootHalf = 0x3fe6a09e667f3bcd, kOne = int64_t(1023) << 52;
  Value offset =
      arith::AddIOp::create(builder, loc, bits, constant(kOne - kRootHalf));
  Value exponent = arith::SubIOp::create(
      builder, loc, arith::ShRSIOp::create(builder, loc, offset, constant(52)),
      constant(1023));
  Value mantissa = arith::SubIOp::create(
      builder, loc, bits,
      arith::ShLIOp::create(builder, loc, exponent, constant(52)));
  Real m = get(arith::BitcastOp::create(builder, loc, f64, mantissa));
  k = get(arith::SIToFPOp::create(builder, loc, f64, exponent)) -
      select(isSmall, 54.0, get(0.0));
  // log(1 + f) = 2 atanh(s) with s = f / (2 + f), in a form with f as a
  // separate term.
  Real f = m - 1.0;
  Real s = f / (f + 2.0);
  Real z = s * s;
  SmallVector<double> series;
  for (int i = 1; i <= 11; ++i)
    series.push_back(2.0 / (2 * i + 1));
  Real rest = z * evaluate(z, series), half = f * f * 0.5;
  logM = f - (half - s * (half + rest));
}

Real Formulas::finishLog(Real x, Real result) {
  result = select(x == kInf, x, result);
  result = select(x == 0.0, -kInf, result);
  return select((x < 0.0) | (x != x), kNaN, result);
}

Real Formulas::log(Real x) {
  Real k{}, logM{};
  split(x, k, logM);
  return finishLog(x, fma(k, kLn2High, fma(k, kLn2Low, logM)));
}

Real Formulas::log2(Real x) {
  Real k{}, logM{};
  split(x, k, logM);
  return finishLog(x, fma(logM, 1 / kLn2, k));
}

Real Formulas::log10(Real x) {
  Real k{}, logM{};
  split(x, k, logM);
  return finishLog(x, fma(k, 0.3010299956639812, logM * 0.4342944819032518));
}

Real Formulas::log1p(Real x) {
  Real sum = x + 1.0;
  // The rounding error of the sum.
  Real isLarge = x > 1.0;
  Real lost = select(isLarge, 1.0 - (sum - x), x - (sum - 1.0));
  Real result = log(sum) + lost / sum;
  result = select(sum == 1.0, x, result);
  result = select(x == kInf, x, result);
  return select(x == -1.0, -kInf, result);
}

Real Formulas::pow(Real x, Real y) {
  Real size = exp(y * log(abs(x)));
  Real isWhole = trunc(y) == y;
  Real half = y * 0.5;
  Real isOdd = isWhole & (trunc(half) != half);
  Real isNegative = copySign(get(1.0), x) < 0.0;
  Real isInfinite = abs(y) == kInf;
  Real result = select(isOdd & isNegative, copySign(size, get(-1.0)), size);
  // Roots of negative finite numbers are NaN.
  result = select((x < 0.0) & (x > -kInf) & (trunc(y) != y), kNaN, result);
  result = select(isInfinite & (abs(x) == 1.0), 1.0, result);
  return select((y == 0.0) | (x == 1.0), 1.0, result);
}

Real Formulas::cbrt(Real x) {
  Real size = abs(x);
  Real root = exp(log(size) * (1.0 / 3));
  // A Newton step removes the error of the exponential.
  Real better = root - (root - size / (root * root)) * (1.0 / 3);
  Real isPlain = (size > 0.0) & (size < kInf);
  return copySign(select(isPlain, better, size), x);
}

//===----------------------------------------------------------------------===//
// Hyperbolic functions
//===----------------------------------------------------------------------===//

Real Formulas::sinh(Real x) {
  // If e^a overflows, its square root does not.
  Real a = abs(x);
  Real t = expm1(a);
  Real plain = (t + t / (t + 1.0)) * 0.5;
  Real root = exp(a * 0.5);
  Real large = root * 0.5 * root;
  return copySign(select(a > 40, large, plain), x);
}

Real Formulas::cosh(Real x) {
  Real a = abs(x);
  Real root = exp(a * 0.5);
  Real e = root * root;
  return select(a > 40, root * 0.5 * root, (e + 1.0 / e) * 0.5);
}

Real Formulas::tanh(Real x) {
  Real a = abs(x);
  Real t = expm1(a * 2.0);
  return copySign(select(a > 22, 1.0, t / (t + 2.0)), x);
}

Real Formulas::asinh(Real x) {
  Real a = abs(x);
  Real square = a * a;
  Real plain = log1p(a + square / (sqrt(square + 1.0) + 1.0));
  return copySign(select(a > 0x1p28, log(a) + kLn2, plain), x);
}

Real Formulas::acosh(Real x) {
  Real t = x - 1.0;
  Real plain = log1p(t + sqrt(t * 2.0 + t * t));
  // For a large negative number, 1 + t + sqrt(...) rounds to 0 or above.
  return select(x < 1.0, kNaN, select(x > 0x1p28, log(x) + kLn2, plain));
}

Real Formulas::atanh(Real x) {
  Real a = abs(x);
  return copySign(log1p(a * 2.0 / (1.0 - a)) * 0.5, x);
}

//===----------------------------------------------------------------------===//
// Angles
//===----------------------------------------------------------------------===//

Real Formulas::atan(Real x) {
  // For z from 0 to (sqrt(2) - 1)^2: atan(sqrt(z)) / sqrt(z).
  static constexpr double kAtan[] = {1.0,
                                     -0.33333333333333326,
                                     0.19999999999997015,
                                     -0.1428571428532971,
                                     0.11111111085322109,
                                     -0.09090908059031191,
                                     0.07692281099937744,
                                     -0.06666205259976526,
                                     0.05876834004614161,
                                     -0.05217312574061591,
                                     0.04499500728984032,
                                     -0.03338782450121195,
                                     0.015113765096600925};
  Real a = abs(x);
  Real isLarge = a > 2.414213562373095, isMiddle = a > 0.41421356237309503;
  Real t = select(isMiddle, (a - 1.0) / (a + 1.0), a);
  t = select(isLarge, -1.0 / a, t);
  Real start = select(isMiddle, kHalfPi / 2, get(0.0));
  start = select(isLarge, kHalfPi, start);
  Real low = select(isMiddle, kHalfPiLow / 2, get(0.0));
  low = select(isLarge, kHalfPiLow, low);
  Real small = t * evaluate(t * t, kAtan);
  return copySign(start + (small + low), x);
}

Real Formulas::atan2(Real y, Real x) {
  Real a = abs(y), b = abs(x);
  // The quotient of two infinities or two zeros is undefined.
  Real isDiagonal = (a == kInf) & (b == kInf);
  Real isNothing = (a == 0.0) & (b == 0.0);
  Real quotient = select(isDiagonal, 1.0, a / b);
  Real angle = atan(select(isNothing, 0.0, quotient));
  Real isLeft = copySign(get(1.0), x) < 0.0;
  Real other = kHalfPi * 2 - (angle - 2 * kHalfPiLow);
  angle = select(isLeft, other, angle);
  angle = copySign(angle, y);
  return select((x != x) | (y != y), kNaN, angle);
}

Real Formulas::asin(Real x) { return atan2(x, sqrt((1.0 - x) * (x + 1.0))); }

Real Formulas::acos(Real x) {
  return atan2(sqrt(1.0 - x), sqrt(x + 1.0)) * 2.0;
}

//===----------------------------------------------------------------------===//
// The error function
//===----------------------------------------------------------------------===//

Real Formulas::erfcTail(Real a) {
  // (1 + 2a) e^(a a) erfc(a) by t = (a - 4) / (a + 4), for a from 1/2 to 28.
  static constexpr double kTail[] = {
      1.2329951186255526,     -0.13962111684056253,    0.015379652102619027,
      0.0680970542546948,     -0.10103906603625375,    0.09373283499828751,
      -0.06633036581360713,   0.03716751553818893,     -0.01619773403826592,
      0.0050319699756138135,  -0.0007577734486762808,  -0.00019925671345040716,
      0.00015062249512264785, -2.4398983809134553e-05, -1.12247322473501e-05,
      5.7086428044048145e-06, 2.9955790685567077e-07,  -8.22559563206072e-07,
      6.702452833728971e-08,  1.0568025135820959e-07,  -1.2224048303152388e-08,
      -1.0476718674668371e-08};
  Real t = (a - 4.0) / (a + 4.0);
  Real square = a * a;
  Real low = fma(a, a, get(0.0) - square);
  Real e = exp(get(0.0) - square);
  e = e - e * low;
  return select(a > 27.5, 0.0, evaluate(t, kTail) / (a * 2.0 + 1.0) * e);
}

Real Formulas::erf(Real x) {
  // For z from 0 to 1: erf(sqrt(z)) / sqrt(z).
  static constexpr double kErf[] = {
      1.1283791670955126,      -0.3761263890318375,     0.11283791670954879,
      -0.026866170645076792,   0.0052239776248180145,   -0.000854832698083379,
      0.0001205533111164271,   -1.4925595266831182e-05, 1.6461000484121368e-06,
      -1.6350312701054695e-07, 1.4659775274047436e-08,  -1.1372848856791674e-09,
      5.957176147748911e-11};
  Real a = abs(x);
  Real small = a * evaluate(a * a, kErf);
  Real result = select(a < 1.0, small, 1.0 - erfcTail(a));
  result = select(a > 6.0, 1.0, result);
  return copySign(select(x != x, x, result), x);
}

Real Formulas::erfc(Real x) {
  Real tail = erfcTail(select(abs(x) < 0.5, get(1.0), abs(x)));
  Real result = select(x < 0.0, 2.0 - tail, tail);
  result = select(abs(x) < 0.5, 1.0 - erf(x), result);
  return select(x != x, x, result);
}
