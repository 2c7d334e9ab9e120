// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Activations of the expert networks.

#ifndef MOERT_NCCL_KERNELS_ACTIVATIONS_CUH
#define MOERT_NCCL_KERNELS_ACTIVATIONS_CUH

#include "nccl/kernels/Elements.cuh"

// The tanh form of gelu; the factor is sqrt(2 / pi).
constexpr double kGeluScale = 0.79788456080286535588;
constexpr double kGeluCube = 0.044715;
constexpr double kQuickGeluSlope = 1.702;
/// Limit of clamped_swiglu.
constexpr int kLimit = 7;

template <typename T> __device__ T activate(int activation, T x) {
  switch (activation) {
  case MOERT_RELU:
    // This order of the operands preserves a NaN.
    return x < 0 ? T(0) : x;
  case MOERT_RELU2:
    return x < 0 ? T(0) : x * x;
  case MOERT_SILU:
    return x / (1 + exp(-x));
  case MOERT_QUICK_GELU:
    return x / (1 + exp(-T(kQuickGeluSlope) * x));
  default:
    return T(0.5) * x *
           (1 + tanh(T(kGeluScale) * (x + T(kGeluCube) * x * x * x)));
  }
}

/// Returns the derivative of `activate`; the derivative of relu at 0 is 0.
template <typename T> __device__ T differentiate(int activation, T x) {
  switch (activation) {
  case MOERT_RELU:
    return x <= 0 ? T(0) : x > 0 ? T(1) : x;
  case MOERT_RELU2:
    return x <= 0 ? T(0) : 2 * x;
  case MOERT_SILU: {
    T s = 1 / (1 + exp(-x));
    return s * (1 + x * (1 - s));
  }
  case MOERT_QUICK_GELU: {
    T s = 1 / (1 + exp(-T(kQuickGeluSlope) * x));
    return s * (1 + T(kQuickGeluSlope) * x * (1 - s));
  }
  default: {
    T t = tanh(T(kGeluScale) * (x + T(kGeluCube) * x * x * x));
    T rest = 1 - t * t, flat = T(0.5) * (1 + t);
    // For large x, the square would be infinite, but its factor is 0.
    if (rest == 0 && !isinf(x))
      return flat;
    T slope = T(kGeluScale) * (1 + T(3 * kGeluCube) * x * x);
    return flat + T(0.5) * x * rest * slope;
  }
  }
}

/// Return the activation of experts for their inner product, and the factor
/// from their second inner product.
template <typename T>
__device__ T activate(const ActivateArgs &args, T inner) {
  return activate(args.activation,
                  args.clamps && inner > kLimit ? T(kLimit) : inner);
}
template <typename T> __device__ T getFactor(const ActivateArgs &args, T up) {
  if (!args.clamps)
    return up;
  return (up > kLimit ? T(kLimit) : up < -kLimit ? T(-kLimit) : up) + 1;
}

/// Return their derivatives; the factor's is 0 or 1.
template <typename T>
__device__ T differentiate(const ActivateArgs &args, T inner) {
  return args.clamps && inner > kLimit ? T(0)
                                       : differentiate(args.activation, inner);
}
template <typename T>
__device__ bool passesFactor(const ActivateArgs &args, T up) {
  return !args.clamps || !(up > kLimit || up < -kLimit);
}

#endif // MOERT_NCCL_KERNELS_ACTIVATIONS_CUH
