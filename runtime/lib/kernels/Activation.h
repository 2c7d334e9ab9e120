// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Activations of the expert networks.

#ifndef MOERT_KERNELS_ACTIVATION_H
#define MOERT_KERNELS_ACTIVATION_H

#include "moert.h"
#include <cmath>

namespace moert {

// The tanh form of gelu; the factor is sqrt(2 / pi).
constexpr double kGeluScale = 0.79788456080286535588;
constexpr double kGeluCube = 0.044715;
constexpr double kQuickGeluSlope = 1.702;

inline double activate(moert_activation activation, double x) {
  switch (activation) {
  case MOERT_RELU:
    // This order of the operands preserves a NaN.
    return x < 0 ? 0.0 : x;
  case MOERT_RELU2:
    return x < 0 ? 0.0 : x * x;
  case MOERT_SILU:
    return x * (1.0 / (1.0 + std::exp(-x)));
  case MOERT_QUICK_GELU:
    return x * (1.0 / (1.0 + std::exp(-(kQuickGeluSlope * x))));
  default:
    return 0.5 * x *
           (1.0 + std::tanh(kGeluScale * (x + kGeluCube * x * x * x)));
  }
}

/// Returns the derivative of `activate`; the derivative of relu at 0 is 0.
inline double differentiate(moert_activation activation, double x) {
  switch (activation) {
  case MOERT_RELU:
    return x <= 0 ? 0.0 : x > 0 ? 1.0 : x;
  case MOERT_RELU2:
    return x <= 0 ? 0.0 : 2.0 * x;
  case MOERT_SILU: {
    double s = 1.0 / (1.0 + std::exp(-x));
    return s * (1.0 + x * (1.0 - s));
  }
  case MOERT_QUICK_GELU: {
    double s = 1.0 / (1.0 + std::exp(-(kQuickGeluSlope * x)));
    return s * (1.0 + kQuickGeluSlope * x * (1.0 - s));
  }
  default: {
    double t = std::tanh(kGeluScale * (x + kGeluCube * x * x * x));
    double slope = kGeluScale * (1.0 + 3.0 * kGeluCube * x * x);
    return 0.5 * (1.0 + t) + 0.5 * x * (1.0 - t * t) * slope;
  }
  }
}

/// Returns the activation of a kind of experts; gpt uses `stated`.
inline moert_activation getActivation(moert_experts_kind kind,
                                      moert_activation stated) {
  switch (kind) {
  case MOERT_EXPERTS_SWIGLU:
    return MOERT_SILU;
  case MOERT_EXPERTS_GEGLU:
    return MOERT_GELU;
  case MOERT_EXPERTS_CLAMPED_SWIGLU:
    return MOERT_QUICK_GELU;
  default:
    return stated;
  }
}

/// The function between the products of experts of a kind: the activation of
/// the inner product, times a factor from the second inner product if there is
/// one.
class Gating {
public:
  Gating(moert_experts_kind kind, moert_activation stated)
      : isGated(kind != MOERT_EXPERTS_GPT),
        clamps(kind == MOERT_EXPERTS_CLAMPED_SWIGLU),
        activation(getActivation(kind, stated)) {}

  /// Returns true if there are two inner products.
  bool hasFactor() const { return isGated; }
  double activate(double inner) const {
    return moert::activate(activation,
                           clamps && inner > kLimit ? kLimit : inner);
  }
  double getFactor(double up) const {
    if (!clamps)
      return up;
    return (up > kLimit ? kLimit : up < -kLimit ? -kLimit : up) + 1.0;
  }
  /// Return the derivatives of the activation, and of the factor (0 or 1).
  double differentiate(double inner) const {
    return clamps && inner > kLimit ? 0.0
                                    : moert::differentiate(activation, inner);
  }
  bool passesFactor(double up) const {
    return !clamps || !(up > kLimit || up < -kLimit);
  }

private:
  static constexpr double kLimit = 7.0;
  bool isGated, clamps;
  moert_activation activation;
};

} // namespace moert

#endif // MOERT_KERNELS_ACTIVATION_H
