// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces CUDA's header for half.

// The conversions and pairs of CUDA's header that kernels use, bit for bit like
// its host functions (ShimTest compares them if CUDA is installed).

#ifndef MOERT_STANDINS_SHIM_CUDA_FP16_H
#define MOERT_STANDINS_SHIM_CUDA_FP16_H

#include "core/Types.h"
#include "shim/Device.h"

struct __half {
  unsigned short bits;
};
struct alignas(4) __half2 {
  __half x, y;
};
using half = __half;
using half2 = __half2;

inline unsigned short __half_as_ushort(__half value) { return value.bits; }
inline __half __ushort_as_half(unsigned short bits) { return {bits}; }

inline float __half2float(__half value) {
  return moert::toFloat(moert::Half{value.bits});
}
/// Rounds to nearest even. Every NaN becomes the NaN that devices produce.
inline __half __float2half_rn(float value) {
  if (value != value)
    return {0x7fff};
  return {moert::toHalf(value).bits};
}
inline __half __float2half(float value) { return __float2half_rn(value); }
inline __half __double2half(double value) {
  return __float2half_rn(moert::toFloatOdd(value));
}

inline float __low2float(__half2 pair) { return __half2float(pair.x); }
inline float __high2float(__half2 pair) { return __half2float(pair.y); }
inline float2 __half22float2(__half2 pair) {
  return {__half2float(pair.x), __half2float(pair.y)};
}
inline __half2 __halves2half2(__half x, __half y) { return {x, y}; }
inline __half2 __floats2half2_rn(float x, float y) {
  return {__float2half_rn(x), __float2half_rn(y)};
}
inline __half2 __float22half2_rn(float2 pair) {
  return __floats2half2_rn(pair.x, pair.y);
}

#endif // MOERT_STANDINS_SHIM_CUDA_FP16_H
