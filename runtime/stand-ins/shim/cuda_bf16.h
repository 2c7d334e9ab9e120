// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces CUDA's header for bfloat16.

// The conversions and pairs of CUDA's header that kernels use, bit for bit like
// its host functions (ShimTest compares them if CUDA is installed).

#ifndef MOERT_STANDINS_SHIM_CUDA_BF16_H
#define MOERT_STANDINS_SHIM_CUDA_BF16_H

#include "core/Types.h"
#include "shim/Device.h"

struct __nv_bfloat16 {
  unsigned short bits;
};
struct alignas(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
};

inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 value) {
  return value.bits;
}
inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
  return {bits};
}

inline float __bfloat162float(__nv_bfloat16 value) {
  return moert::toFloat(moert::BFloat{value.bits});
}
/// Rounds to nearest even. Every NaN becomes the NaN that devices produce.
inline __nv_bfloat16 __float2bfloat16_rn(float value) {
  if (value != value)
    return {0x7fff};
  return {moert::toBFloat(value).bits};
}
inline __nv_bfloat16 __float2bfloat16(float value) {
  return __float2bfloat16_rn(value);
}
inline __nv_bfloat16 __double2bfloat16(double value) {
  return __float2bfloat16_rn(moert::toFloatOdd(value));
}

inline float __low2float(__nv_bfloat162 pair) {
  return __bfloat162float(pair.x);
}
inline float __high2float(__nv_bfloat162 pair) {
  return __bfloat162float(pair.y);
}
inline float2 __bfloat1622float2(__nv_bfloat162 pair) {
  return {__bfloat162float(pair.x), __bfloat162float(pair.y)};
}
inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
  return {x, y};
}
inline __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
  return {__float2bfloat16_rn(x), __float2bfloat16_rn(y)};
}
inline __nv_bfloat162 __float22bfloat162_rn(float2 pair) {
  return __floats2bfloat162_rn(pair.x, pair.y);
}

#endif // MOERT_STANDINS_SHIM_CUDA_BF16_H
