//===- ExpertMath.h - What experts compute, on doubles ----------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_LIB_INTERPRETER_EXPERTMATH_H
#define MOE_LIB_INTERPRETER_EXPERTMATH_H

#include "Scalars.h"
#include "moe/Interpreter/Rounding.h"
#include <cmath>

namespace moe {

inline double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

/// sqrt(2 / pi), of the tanh form of gelu.
constexpr double kGeluScale = 0.79788456080286535588;
constexpr double kGeluCube = 0.044715;

inline double activate(Activation activation, double x) {
  switch (activation) {
  case Activation::Relu:
    // Written so that a NaN stays one.
    return x < 0 ? 0.0 : x;
  case Activation::Silu:
    return x * sigmoid(x);
  case Activation::Gelu:
    return 0.5 * x *
           (1.0 + std::tanh(kGeluScale * (x + kGeluCube * x * x * x)));
  }
  llvm_unreachable("unknown activation");
}

/// The derivative of `activate`; that of relu at 0 is 0.
inline double differentiate(Activation activation, double x) {
  switch (activation) {
  case Activation::Relu:
    return x <= 0 ? 0.0 : x > 0 ? 1.0 : x;
  case Activation::Silu: {
    double s = sigmoid(x);
    return s * (1.0 + x * (1.0 - s));
  }
  case Activation::Gelu: {
    double t = std::tanh(kGeluScale * (x + kGeluCube * x * x * x));
    double slope = kGeluScale * (1.0 + 3.0 * kGeluCube * x * x);
    return 0.5 * (1.0 + t) + 0.5 * x * (1.0 - t * t) * slope;
  }
  }
  llvm_unreachable("unknown activation");
}

/// The numbers of a row that starts at `cells`.
inline void readRow(const Cell *cells, llvm::MutableArrayRef<double> row) {
  for (double &value : row)
    value = toDouble(*cells++);
}

/// Writes sums, rounded once.
inline void writeRounded(const Rounder &round, llvm::ArrayRef<double> sums,
                         Cell *target) {
  for (double sum : sums)
    *target++ = fromDouble(round(sum));
}

/// Adds `a[m] * b[n]` to `sums[m, n]`.
inline void addOuter(llvm::ArrayRef<double> a, llvm::ArrayRef<double> b,
                     llvm::MutableArrayRef<double> sums) {
  double *sum = sums.data();
  for (double left : a)
    for (double right : b)
      *sum++ += left * right;
}

/// `result[h] = sum over m of row[m] * matrix[m, h]`, m ascending.
inline void multiplyRow(llvm::ArrayRef<double> row, const Cell *matrix,
                        llvm::MutableArrayRef<double> result) {
  std::fill(result.begin(), result.end(), 0.0);
  for (double factor : row)
    for (double &sum : result)
      sum += factor * toDouble(*matrix++);
}

/// Adds `sum over h of row[h] * matrix[m, h]` to `result[m]`.
inline void addTransposedProduct(llvm::ArrayRef<double> row, const Cell *matrix,
                                 llvm::MutableArrayRef<double> result) {
  for (double &sum : result)
    for (double factor : row)
      sum += factor * toDouble(*matrix++);
}

} // namespace moe

#endif // MOE_LIB_INTERPRETER_EXPERTMATH_H
