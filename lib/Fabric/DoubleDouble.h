// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums with twice the precision.

#ifndef MOE_LIB_FABRIC_DOUBLEDOUBLE_H
#define MOE_LIB_FABRIC_DOUBLEDOUBLE_H

#include <cmath>

namespace moe::fabric {

/// The sum of two numbers, where the second is the accumulated rounding error
/// of the first: about 32 digits. Without it, few digits would be right in a
/// link's remaining capacity after all flows but one are subtracted.
struct DoubleDouble {
  double high = 0, low = 0;

  double get() const { return high + low; }
  void add(double value) {
    double sum = high + value;
    double part = sum - high;
    low += (high - (sum - part)) + (value - part);
    high = sum;
  }
  /// Adds a product without rounding.
  void addProduct(double a, double b) {
    double product = a * b;
    add(product);
    // Weights are usually 1, and fma is a function call if the target may lack
    // the instruction.
    if (a == 1 || a == -1)
      return;
    if (double lost = std::fma(a, b, -product))
      add(lost);
  }
};

} // namespace moe::fabric

#endif // MOE_LIB_FABRIC_DOUBLEDOUBLE_H
