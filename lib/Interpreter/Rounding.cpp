// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounding of doubles to an element type.

#include "moe/Interpreter/Rounding.h"
#include "llvm/ADT/APFloat.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace moe;

bool moe::isInterpretedElementType(Type type) {
  if (type.isIndex())
    return true;
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() >= 1 && integer.getWidth() <= 64;
  if (auto floating = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floating.getFloatSemantics();
    return llvm::APFloat::semanticsPrecision(semantics) <= 53 &&
           llvm::APFloat::semanticsMaxExponent(semantics) <= 1023 &&
           llvm::APFloat::semanticsMinExponent(semantics) >= -1022;
  }
  return false;
}

Rounder::Rounder(FloatType type)
    : semantics(&type.getFloatSemantics()),
      precision(llvm::APFloat::semanticsPrecision(*semantics)),
      minExponent(llvm::APFloat::semanticsMinExponent(*semantics)),
      isIEEE(type.isBF16() || type.isF16()), isF64(type.isF64()),
      isF32(type.isF32()) {
  llvm::APFloat top = llvm::APFloat::getLargest(*semantics);
  bool lossy = false;
  top.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
              &lossy);
  largest = top.convertToDouble();
}

double Rounder::operator()(double value) const {
  if (std::isnan(value))
    return std::numeric_limits<double>::quiet_NaN();
  if (isF64)
    return value;
  if (isF32)
    return static_cast<float>(value);
  if (!isIEEE) {
    // APFloat handles the small types, which differ in zeros, infinities and
    // saturation.
    llvm::APFloat rounded(value);
    bool lossy = false;
    rounded.convert(*semantics, llvm::APFloat::rmNearestTiesToEven, &lossy);
    rounded.convert(llvm::APFloat::IEEEdouble(),
                    llvm::APFloat::rmNearestTiesToEven, &lossy);
    return rounded.isNaN() ? std::numeric_limits<double>::quiet_NaN()
                           : rounded.convertToDouble();
  }
  if (value == 0 || std::isinf(value))
    return value;
  // Scales the value so that one unit in the last place is 1. The scaling is
  // exact, and nearbyint rounds ties to even. Converting through float would
  // round twice.
  int exponent = std::max(std::ilogb(value), minExponent) - precision + 1;
  double rounded =
      std::ldexp(std::nearbyint(std::ldexp(value, -exponent)), exponent);
  if (std::fabs(rounded) > largest)
    return std::copysign(std::numeric_limits<double>::infinity(), value);
  return rounded;
}

int64_t moe::wrapInteger(int64_t value, unsigned width) {
  if (width >= 64)
    return value;
  unsigned shift = 64 - width;
  return static_cast<int64_t>(static_cast<uint64_t>(value) << shift) >> shift;
}

unsigned moe::getIntegerWidth(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer ? integer.getWidth() : 64;
}
