// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element types of the interface.

#ifndef MOERT_CORE_TYPES_H
#define MOERT_CORE_TYPES_H

#include "moert.h"
#include <cstring>
#include <limits>

namespace moert {

const char *getTypeName(moert_type type);
const char *getReductionName(moert_reduction reduction);
inline bool isFloatType(moert_type type) { return type <= MOERT_BF16; }
inline bool isIntegerType(moert_type type) {
  return type >= MOERT_I64 && type <= MOERT_I8;
}

template <typename To, typename From> To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

/// 16-bit floats, stored as bits. Conversions round to nearest with ties to
/// even; every NaN becomes the positive quiet NaN.
struct Half {
  uint16_t bits;
};
struct BFloat {
  uint16_t bits;
};

inline float toFloat(float value) { return value; }
inline float toFloat(BFloat value) {
  return bitCast<float>(static_cast<uint32_t>(value.bits) << 16);
}
inline float toFloat(Half value) {
  uint32_t sign = static_cast<uint32_t>(value.bits & 0x8000) << 16;
  uint32_t rest = static_cast<uint32_t>(value.bits & 0x7fff) << 13;
  // Multiply to move the exponent from bias 15 to 127. This also works for
  // subnormal numbers and is exact.
  float scaled = bitCast<float>(rest) * 0x1p112f;
  uint32_t bits =
      rest >= 0x0f800000 ? rest | 0x7f800000 : bitCast<uint32_t>(scaled);
  return bitCast<float>(sign | bits);
}

inline BFloat toBFloat(float value) {
  uint32_t bits = bitCast<uint32_t>(value);
  uint32_t rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
  bool isNaN = (bits & 0x7fffffff) > 0x7f800000;
  return {static_cast<uint16_t>(isNaN ? 0x7fc0 : rounded)};
}
inline Half toHalf(float value) {
  uint32_t bits = bitCast<uint32_t>(value);
  uint32_t sign = (bits >> 16) & 0x8000;
  uint32_t magnitude = bits & 0x7fffffff;
  // Normal results: change the bias and round the 13 bits that are removed.
  uint32_t normal =
      (magnitude - (112u << 23) + 0xfff + ((magnitude >> 13) & 1)) >> 13;
  // Subnormal results: the addition rounds at the right bit.
  float shifted = bitCast<float>(magnitude) + 0.5f;
  uint32_t subnormal = bitCast<uint32_t>(shifted) - bitCast<uint32_t>(0.5f);
  uint32_t result = magnitude < (113u << 23) ? subnormal : normal;
  result = magnitude >= (143u << 23) ? 0x7c00 : result;
  uint32_t all = magnitude > 0x7f800000 ? 0x7e00 : (sign | result);
  return {static_cast<uint16_t>(all)};
}

/// Rounds a double to a float so that rounding the float further gives the same
/// result as rounding the double directly: lost bits set the last bit ("round
/// to odd").
inline float toFloatOdd(double value) {
  float nearest = static_cast<float>(value);
  if (static_cast<double>(nearest) == value || value != value ||
      (bitCast<uint32_t>(nearest) & 0x7fffffff) == 0x7f800000)
    return nearest;
  uint32_t bits = bitCast<uint32_t>(nearest);
  bool tooFar = nearest < 0 ? static_cast<double>(nearest) < value
                            : static_cast<double>(nearest) > value;
  if (value < 0 && nearest == 0)
    tooFar = false;
  return bitCast<float>((bits - (tooFar ? 1 : 0)) | 1);
}

/// Loads and stores one element as the widest type of its kind.
template <moert_type> struct Element;
template <> struct Element<MOERT_F64> {
  using Storage = double;
  static double load(Storage v) { return v; }
  static Storage round(double v) {
    return v != v ? std::numeric_limits<double>::quiet_NaN() : v;
  }
};
template <> struct Element<MOERT_F32> {
  using Storage = float;
  static double load(Storage v) { return v; }
  static Storage round(double v) {
    return v != v ? std::numeric_limits<float>::quiet_NaN()
                  : static_cast<float>(v);
  }
};
template <> struct Element<MOERT_F16> {
  using Storage = Half;
  static double load(Storage v) { return toFloat(v); }
  static Storage round(double v) { return toHalf(toFloatOdd(v)); }
};
template <> struct Element<MOERT_BF16> {
  using Storage = BFloat;
  static double load(Storage v) { return toFloat(v); }
  static Storage round(double v) { return toBFloat(toFloatOdd(v)); }
};

/// Reads `count` floats of any float type as doubles.
void loadRow(moert_type type, const void *source, int64_t count,
             double *target);
/// Writes doubles, each rounded to the type.
void storeRow(moert_type type, const double *source, int64_t count,
              void *target);
/// Rounds doubles in place to the type.
void roundRow(moert_type type, double *values, int64_t count);
int64_t loadInteger(moert_type type, const void *source, int64_t index);
void storeInteger(moert_type type, void *target, int64_t index, int64_t value);
int64_t getLargestInteger(moert_type type);

} // namespace moert

#endif // MOERT_CORE_TYPES_H
