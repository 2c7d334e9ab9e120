// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trigonometric functions as sums and products.

#include "Formulas.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <cstdint>
#include <limits>

using namespace mlir;
using namespace moe;

static constexpr double kNoAngle = std::numeric_limits<double>::quiet_NaN();

/// The fraction 2^-8 * 2/pi in 64-bit words, the most significant first.
static constexpr uint64_t kTwoOverPi[] = {
    0xa2f9836e4e4415u,   0x29fc2757d1f534ddu, 0xc0db6295993c4390u,
    0x41fe5163abdebbc5u, 0x61b7246e3a424dd2u, 0xe006492eea09d192u,
    0x1cfe1deb1cb129a7u, 0x3ee88235f52ebb44u, 0x84e99c7026b45f7eu,
    0x413991d639835339u, 0xf49c845f8bbdf928u, 0x3b1ff897ffde0598u,
    0xfef2f118b5a0a6du,  0x1f6d367ecf27cb09u, 0xb74f463f669e5feau,
    0x2d7527bac7ebe5f1u, 0x7b3d0739f78a5292u, 0xea6bfb5fb11f8d5du,
    0x856033046fc7b6bu,  0xabf0cfbc209af436u};
/// Number of words that may contain the first required bit.
static constexpr int64_t kFirstWords = 16;

void Formulas::reduceFarAngle(Real x, Value &quadrant, Real &r) {
  // x = m 2^e with an integer m. Only x 2/pi modulo 4 matters, so the bits of
  // 2/pi that contribute multiples of 4 are skipped; the next 192 bits are
  // used.
  Type i64 = builder.getI64Type(), f64 = builder.getF64Type();
  auto constant = [&](uint64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, i64,
                                        static_cast<int64_t>(value));
  };
  auto add = [&](Value a, Value b) -> Value {
    return arith::AddIOp::create(builder, loc, a, b);
  };
  auto left = [&](Value a, Value by) -> Value {
    return arith::ShLIOp::create(builder, loc, a, by);
  };
  auto right = [&](Value a, Value by) -> Value {
    return arith::ShRUIOp::create(builder, loc, a, by);
  };
  auto both = [&](Value a, Value b) -> Value {
    return arith::AndIOp::create(builder, loc, a, b);
  };
  auto either = [&](Value a, Value b) -> Value {
    return arith::OrIOp::create(builder, loc, a, b);
  };
  Value bits = arith::BitcastOp::create(builder, loc, i64, abs(x).value);
  Value exponent = right(bits, constant(52));
  Value m = either(both(bits, constant((uint64_t(1) << 52) - 1)),
                   constant(uint64_t(1) << 52));
  // e - 2, after the 8 leading bits; in range for any x.
  Value offset = add(exponent, constant(8 - 2 - 1075));
  offset = arith::MaxSIOp::create(builder, loc, offset, constant(0));
  Value first = right(offset, constant(6)), shift = both(offset, constant(63));
  Value rest = arith::SubIOp::create(builder, loc, constant(63), shift);
  SmallVector<Value> words;
  for (int64_t i = 0; i < 4; ++i) {
    Value word = constant(kTwoOverPi[i]);
    for (int64_t k = 1; k < kFirstWords; ++k) {
      Value isThis = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::eq, first, constant(k));
      word = arith::SelectOp::create(builder, loc, isThis,
                                     constant(kTwoOverPi[k + i]), word);
    }
    words.push_back(word);
  }
  SmallVector<Value> window;
  for (int64_t i = 0; i < 3; ++i)
    window.push_back(either(left(words[i], shift),
                            right(right(words[i + 1], constant(1)), rest)));
  auto low = arith::MulUIExtendedOp::create(builder, loc, m, window[2]);
  auto middle = arith::MulUIExtendedOp::create(builder, loc, m, window[1]);
  Value top = arith::MulIOp::create(builder, loc, m, window[0]);
  Value p1 = add(middle.getLow(), low.getHigh());
  Value isCarried = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::ult, p1, low.getHigh());
  Value p0 = add(add(top, middle.getHigh()),
                 arith::ExtUIOp::create(builder, loc, i64, isCarried));
  // There are two bits before the point; a fraction above 1/2 is relative to
  // the next integer.
  Value two = constant(2), sixtyTwo = constant(62);
  Value high = either(left(p0, two), right(p1, sixtyTwo));
  Value next = either(left(p1, two), right(low.getLow(), sixtyTwo));
  quadrant = add(right(p0, sixtyTwo), right(high, constant(63)));
  Real fraction =
      fma(get(arith::UIToFPOp::create(builder, loc, f64, next)), 0x1p-128,
          get(arith::SIToFPOp::create(builder, loc, f64, high)) * 0x1p-64);
  r = fraction * 1.5707963267948966;
  // For negative x, r and the quadrant change sign.
  Real isNegative = x < 0.0;
  r = select(isNegative, get(0.0) - r, r);
  quadrant = arith::SelectOp::create(
      builder, loc, isNegative.value,
      arith::SubIOp::create(builder, loc, constant(0), quadrant), quadrant);
}

void Formulas::reduceAngle(Real x, Value &quadrant, Real &r) {
  // pi/2 in three parts. Up to `kFar`, subtracting the first product is exact.
  constexpr double kFar = 0x1p50;
  constexpr double kHigh = 1.5707963267948966, kMiddle = 6.123233995736766e-17,
                   kLow = -1.4973849048591698e-33;
  Real isNear = abs(x) < kFar;
  Real near = select(isNear, x, get(0.0));
  Real n = nearest(near * 0.6366197723675814);
  Real nearR = fma(n, -kLow, fma(n, -kMiddle, fma(n, -kHigh, near)));
  Value nearQuadrant =
      arith::FPToSIOp::create(builder, loc, builder.getI64Type(), n.value);
  Value farQuadrant;
  Real farR{};
  reduceFarAngle(x, farQuadrant, farR);
  r = select(isNear, nearR, farR);
  // Trigonometric functions of infinity are NaN.
  r = select(abs(x) < std::numeric_limits<double>::infinity(), r,
             get(kNoAngle));
  quadrant = arith::SelectOp::create(builder, loc, isNear.value, nearQuadrant,
                                     farQuadrant);
}

Real Formulas::getWave(Real r, Value quadrant) {
  Real z = r * r;
  // Computes the sine with r as a separate term, and the cosine with a
  // correction for the rounding of 1 - z/2.
  static constexpr double kSine[] = {-1.0 / 6,
                                     1.0 / 120,
                                     -1.0 / 5040,
                                     1.0 / 362880,
                                     -1.0 / 39916800,
                                     1.0 / 6227020800,
                                     -1.0 / 1307674368000,
                                     1.0 / 355687428096000};
  static constexpr double kCosine[] = {1.0 / 24,
                                       -1.0 / 720,
                                       1.0 / 40320,
                                       -1.0 / 3628800,
                                       1.0 / 479001600,
                                       -1.0 / 87178291200,
                                       1.0 / 20922789888000,
                                       -1.0 / 6402373705728000};
  Real sine = fma(r * z, evaluate(z, kSine), r);
  Real half = z * 0.5, rough = 1.0 - half;
  Real cosine = rough + fma(z * z, evaluate(z, kCosine), 1.0 - rough - half);
  Type i64 = builder.getI64Type();
  auto hasBit = [&](int64_t bit) -> Real {
    Value mask = arith::ConstantIntOp::create(builder, loc, i64, bit);
    return get(arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq,
        arith::AndIOp::create(builder, loc, quadrant, mask), mask));
  };
  Real size = select(hasBit(1), cosine, sine);
  return select(hasBit(2), get(0.0) - size, size);
}

Real Formulas::sin(Real x) {
  Value quadrant;
  Real r{};
  reduceAngle(x, quadrant, r);
  return select(x == 0.0, x, getWave(r, quadrant));
}

Real Formulas::cos(Real x) {
  Value quadrant;
  Real r{};
  reduceAngle(x, quadrant, r);
  Value one =
      arith::ConstantIntOp::create(builder, loc, builder.getI64Type(), 1);
  return getWave(r, arith::AddIOp::create(builder, loc, quadrant, one));
}

Real Formulas::tan(Real x) { return sin(x) / cos(x); }
