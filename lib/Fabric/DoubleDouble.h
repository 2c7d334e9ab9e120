// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums that do not round.

#ifndef MOE_LIB_FABRIC_DOUBLEDOUBLE_H
#define MOE_LIB_FABRIC_DOUBLEDOUBLE_H

#include <cmath>

namespace moe::fabric {

/// The sum of two numbers, of which the second is what the first has rounded
/// off so far: about 32 digits. What is left of a link when all flows but one
/// are taken away would else have few that are right.
struct DoubleDouble {
  double high = 0, low = 0;

  double get() const { return high + low; }
  void add(double value) {
    double sum = high + value;
    double part = sum - high;
    low += (high - (sum - part)) + (value - part);
    high = sum;
  }
  /// Adds a product that is not rounded.
  void addProduct(double a, double b) {
    double product = a * b;
    add(product);
    // The usual weights are 1; a fused product is a call where the machine that
    // is compiled for may lack one.
    if (a == 1 || a == -1)
      return;
    if (double lost = std::fma(a, b, -product))
      add(lost);
  }
};

} // namespace moe::fabric

#endif // MOE_LIB_FABRIC_DOUBLEDOUBLE_H
