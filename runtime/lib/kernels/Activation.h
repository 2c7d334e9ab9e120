//===- Activation.h - Activations of the expert networks --------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_KERNELS_ACTIVATION_H
#define MOERT_KERNELS_ACTIVATION_H

#include "moert.h"
#include <cmath>

namespace moert {

// The tanh form of gelu; the factor is sqrt(2 / pi).
constexpr double kGeluScale = 0.79788456080286535588;
constexpr double kGeluCube = 0.044715;

inline double activate(moert_activation activation, double x) {
  switch (activation) {
  case MOERT_RELU:
    // Written so that a NaN stays one.
    return x < 0 ? 0.0 : x;
  case MOERT_SILU:
    return x * (1.0 / (1.0 + std::exp(-x)));
  default:
    return 0.5 * x *
           (1.0 + std::tanh(kGeluScale * (x + kGeluCube * x * x * x)));
  }
}

/// The derivative of `activate`; that of relu at 0 is 0.
inline double differentiate(moert_activation activation, double x) {
  switch (activation) {
  case MOERT_RELU:
    return x <= 0 ? 0.0 : x > 0 ? 1.0 : x;
  case MOERT_SILU: {
    double s = 1.0 / (1.0 + std::exp(-x));
    return s * (1.0 + x * (1.0 - s));
  }
  default: {
    double t = std::tanh(kGeluScale * (x + kGeluCube * x * x * x));
    double slope = kGeluScale * (1.0 + 3.0 * kGeluCube * x * x);
    return 0.5 * (1.0 + t) + 0.5 * x * (1.0 - t * t) * slope;
  }
  }
}

} // namespace moert

#endif // MOERT_KERNELS_ACTIVATION_H
