// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 8-bit floats with scales.

#ifndef MOERT_KERNELS_E4M3_H
#define MOERT_KERNELS_E4M3_H

#include "kernels/Scores.h"
#include <cstring>

// CPUs and devices share this code, so that both compute the same bits. An e4m3
// number has four bits of exponent and three of significand, and no infinity;
// NaN has all seven bits set.

namespace moert {

constexpr uint8_t kNaNE4M3 = 0x7f;

MOERT_ANYWHERE inline uint32_t getFloatBits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}
MOERT_ANYWHERE inline float makeFloat(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}
constexpr uint32_t kNaNFloat = 0x7fc00000;

/// Returns the bits of a float without its sign. They are ordered like
/// magnitudes, and larger for infinity and NaN than for all numbers.
MOERT_ANYWHERE inline uint32_t getMagnitude(float value) {
  return getFloatBits(value) & 0x7fffffff;
}

/// Returns the scale of a block from its largest magnitude; NaN for infinity
/// and NaN.
MOERT_ANYWHERE inline float getE4M3Scale(uint32_t largest) {
  if (largest >= 0x7f800000)
    return makeFloat(kNaNFloat);
  float scale = makeFloat(largest) / 448.0f, least = 0x1p-126f;
  return scale < least ? least : scale;
}

/// Returns `value / scale`, rounded to nearest with ties to even and clamped to
/// a magnitude of 448.
MOERT_ANYWHERE inline uint8_t toE4M3(float value, float scale) {
  float quotient = value / scale;
  uint32_t bits = getFloatBits(quotient), magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000)
    return kNaNE4M3;
  uint32_t sign = (bits >> 24) & 0x80;
  if (magnitude > getFloatBits(448.0f))
    magnitude = getFloatBits(448.0f);
  // Normal results: change the bias and round the 20 bits that are removed.
  if (magnitude >= (121u << 23))
    return static_cast<uint8_t>(
        sign |
        ((magnitude - (120u << 23) + 0x7ffff + ((magnitude >> 20) & 1)) >> 20));
  // Subnormal results: the addition rounds at the right bit, 2^-9.
  float shifted = makeFloat(magnitude) + 0x1p14f;
  return static_cast<uint8_t>(sign |
                              (getFloatBits(shifted) - getFloatBits(0x1p14f)));
}

MOERT_ANYWHERE inline float fromE4M3(uint8_t bits) {
  uint32_t sign = static_cast<uint32_t>(bits & 0x80) << 24, rest = bits & 0x7f;
  if (rest == kNaNE4M3)
    return makeFloat(kNaNFloat);
  // Multiply to move the exponent from bias 7 to 127. This also works for
  // subnormal numbers and is exact.
  float scaled = makeFloat(rest << 20) * 0x1p120f;
  return makeFloat(sign | getFloatBits(scaled));
}

} // namespace moert

#endif // MOERT_KERNELS_E4M3_H
