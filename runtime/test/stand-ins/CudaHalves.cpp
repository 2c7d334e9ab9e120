// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 16-bit floats of CUDA's own headers.

#include <cstdint>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// ShimTest compares the shim with these functions. This file must not include
// the shim.

namespace cudaheaders {

template <typename To, typename From> static To getBits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

float halfToFloat(uint16_t bits) { return __half2float(getBits<__half>(bits)); }
float bfloatToFloat(uint16_t bits) {
  return __bfloat162float(getBits<__nv_bfloat16>(bits));
}
uint16_t floatToHalf(float value) {
  return getBits<uint16_t>(__float2half_rn(value));
}
uint16_t floatToBFloat(float value) {
  return getBits<uint16_t>(__float2bfloat16_rn(value));
}
uint16_t doubleToHalf(double value) {
  return getBits<uint16_t>(__double2half(value));
}
uint16_t doubleToBFloat(double value) {
  return getBits<uint16_t>(__double2bfloat16(value));
}
uint32_t floatsToHalves(float x, float y) {
  return getBits<uint32_t>(__floats2half2_rn(x, y));
}
uint32_t floatsToBFloats(float x, float y) {
  return getBits<uint32_t>(__floats2bfloat162_rn(x, y));
}

} // namespace cudaheaders
