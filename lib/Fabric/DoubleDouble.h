//===- DoubleDouble.h - Sums that do not round ---------------- -*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_LIB_FABRIC_DOUBLEDOUBLE_H
#define MOE_LIB_FABRIC_DOUBLEDOUBLE_H

#include <cmath>

namespace moe::fabric {

/// The sum of two numbers, of which the second is what the first rounds off:
/// about 32 digits. What is left of a link when all flows but one are taken
/// away would else have few that are right.
struct DoubleDouble {
  double high = 0, low = 0;

  void add(double value) {
    double sum = high + value;
    double part = sum - high;
    double lost = (high - (sum - part)) + (value - part);
    low += lost;
    high = sum + low;
    low -= high - sum;
  }
  /// Adds a product that is not rounded.
  void addProduct(double a, double b) {
    double product = a * b;
    add(product);
    // Nothing for the usual weight of 1.
    if (double lost = std::fma(a, b, -product))
      add(lost);
  }
  /// The quotient, rounded once or twice.
  double over(const DoubleDouble &divisor) const {
    double quotient = high / divisor.high;
    double rest =
        std::fma(-quotient, divisor.high, high) + low - quotient * divisor.low;
    return quotient + rest / divisor.high;
  }
};

} // namespace moe::fabric

#endif // MOE_LIB_FABRIC_DOUBLEDOUBLE_H
