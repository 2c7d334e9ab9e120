// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes the expected results.

#include "Oracle.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace conformance;

const std::vector<moert_type> &conformance::allTypes() {
  static const std::vector<moert_type> types = {
      MOERT_F64, MOERT_F32, MOERT_F16, MOERT_BF16,
      MOERT_I64, MOERT_I32, MOERT_I16, MOERT_I8};
  return types;
}

bool conformance::isFloat(moert_type type) { return type <= MOERT_BF16; }

std::string conformance::nameOf(moert_type type) {
  static const char *names[] = {"f64", "f32", "f16", "bf16",
                                "i64", "i32", "i16", "i8"};
  return names[type];
}

std::string conformance::nameOf(moert_reduction reduction) {
  static const char *names[] = {"sum", "prod", "min", "max"};
  return names[reduction];
}

namespace {
/// Significand bits (the hidden one included) and exponent range of a type.
struct Layout {
  int precision, minExponent, maxExponent, bits;
};
} // namespace

static Layout layoutOf(moert_type type) {
  switch (type) {
  case MOERT_F64:
    return {53, -1022, 1023, 64};
  case MOERT_F32:
    return {24, -126, 127, 32};
  case MOERT_F16:
    return {11, -14, 15, 16};
  default:
    return {8, -126, 127, 16};
  }
}

static uint64_t loadBits(size_t size, const Bytes &bytes, size_t index) {
  uint64_t bits = 0;
  for (size_t i = 0; i < size; ++i)
    bits |= static_cast<uint64_t>(bytes[index * size + i]) << (8 * i);
  return bits;
}

static void storeBits(size_t size, Bytes &bytes, size_t index, uint64_t bits) {
  for (size_t i = 0; i < size; ++i)
    bytes[index * size + i] = static_cast<uint8_t>(bits >> (8 * i));
}

double conformance::loadFloat(moert_type type, const Bytes &bytes,
                              size_t index) {
  Layout layout = layoutOf(type);
  uint64_t bits = loadBits(layout.bits / 8, bytes, index);
  int mantissaBits = layout.precision - 1;
  uint64_t mantissa = bits & ((uint64_t(1) << mantissaBits) - 1);
  int exponentBits = layout.bits - layout.precision;
  int exponent = static_cast<int>((bits >> mantissaBits) &
                                  ((uint64_t(1) << exponentBits) - 1));
  double sign = (bits >> (layout.bits - 1)) & 1 ? -1.0 : 1.0;
  if (exponent == (1 << exponentBits) - 1)
    return mantissa ? std::numeric_limits<double>::quiet_NaN()
                    : sign * std::numeric_limits<double>::infinity();
  if (exponent == 0)
    return sign * std::ldexp(static_cast<double>(mantissa),
                             layout.minExponent - mantissaBits);
  return sign * std::ldexp(static_cast<double>(mantissa |
                                               (uint64_t(1) << mantissaBits)),
                           exponent - layout.maxExponent - mantissaBits);
}

double conformance::roundFloat(moert_type type, double value) {
  Bytes bytes(moert_type_size(type));
  storeFloat(type, bytes, 0, value);
  return loadFloat(type, bytes, 0);
}

double conformance::activate(moert_activation activation, double x) {
  switch (activation) {
  case MOERT_RELU:
    return x < 0 ? 0.0 : x;
  case MOERT_RELU2:
    return x < 0 ? 0.0 : x * x;
  case MOERT_SILU:
    return x * (1 / (1 + std::exp(-x)));
  case MOERT_QUICK_GELU:
    return x * (1 / (1 + std::exp(-1.702 * x)));
  default:
    return 0.5 * x *
           (1 + std::tanh(0.79788456080286535588 * (x + 0.044715 * x * x * x)));
  }
}

int64_t conformance::loadInteger(moert_type type, const Bytes &bytes,
                                 size_t index) {
  size_t size = moert_type_size(type);
  uint64_t bits = loadBits(size, bytes, index);
  unsigned shift = 64 - 8 * static_cast<unsigned>(size);
  return static_cast<int64_t>(bits << shift) >> shift;
}

void conformance::storeFloat(moert_type type, Bytes &bytes, size_t index,
                             double value) {
  Layout layout = layoutOf(type);
  int mantissaBits = layout.precision - 1;
  uint64_t top = static_cast<uint64_t>(2 * layout.maxExponent + 1)
                 << mantissaBits;
  uint64_t sign = std::signbit(value) ? uint64_t(1) << (layout.bits - 1) : 0;
  uint64_t bits;
  if (std::isnan(value)) {
    bits = top | (uint64_t(1) << (mantissaBits - 1));
  } else if (std::isinf(value)) {
    bits = sign | top;
  } else if (value == 0) {
    bits = sign;
  } else {
    int exponent = std::max(std::ilogb(value), layout.minExponent);
    // One unit in the last place becomes 1, and nearbyint rounds ties to even.
    double units =
        std::nearbyint(std::ldexp(std::fabs(value), mantissaBits - exponent));
    if (units == std::ldexp(1.0, layout.precision)) {
      units /= 2;
      ++exponent;
    }
    auto significand = static_cast<uint64_t>(units);
    bool normal = significand >> mantissaBits;
    uint64_t biased = normal ? exponent + layout.maxExponent : 0;
    bits = exponent > layout.maxExponent
               ? sign | top
               : sign | biased << mantissaBits |
                     (significand & ((uint64_t(1) << mantissaBits) - 1));
  }
  storeBits(layout.bits / 8, bytes, index, bits);
}

void conformance::storeInteger(moert_type type, Bytes &bytes, size_t index,
                               int64_t value) {
  storeBits(moert_type_size(type), bytes, index, static_cast<uint64_t>(value));
}

uint64_t conformance::mix(std::initializer_list<uint64_t> words) {
  uint64_t hash = 0x243f6a8885a308d3;
  for (uint64_t word : words) {
    hash ^= word;
    hash *= 0xff51afd7ed558ccd;
    hash ^= hash >> 32;
    hash *= 0xc4ceb9fe1a85ec53;
    hash ^= hash >> 29;
  }
  return hash;
}

Bytes conformance::randomBits(moert_type type, size_t count, uint64_t seed) {
  Bytes bytes(count * moert_type_size(type));
  for (size_t i = 0; i < bytes.size(); i += 8) {
    uint64_t word = mix({seed, i});
    std::memcpy(bytes.data() + i, &word, std::min<size_t>(8, bytes.size() - i));
  }
  return bytes;
}

Bytes conformance::randomNumbers(moert_type type, size_t count, uint64_t seed,
                                 Numbers numbers) {
  Bytes bytes(count * moert_type_size(type));
  for (size_t i = 0; i < count; ++i) {
    uint64_t hash = mix({seed, i, 7});
    if (!isFloat(type)) {
      storeInteger(type, bytes, i, static_cast<int64_t>(hash));
      continue;
    }
    double value = std::ldexp(static_cast<double>(hash % 4096) - 2047.5,
                              static_cast<int>(hash >> 16) % 8 - 11);
    static const double odd[] = {0.0,
                                 -0.0,
                                 std::numeric_limits<double>::infinity(),
                                 -std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::quiet_NaN(),
                                 1e-7,
                                 60000,
                                 -3e38};
    if (numbers == Numbers::Tame)
      value = 1 + (static_cast<double>(hash % 513) - 256) / 1024;
    if (numbers == Numbers::Special && (hash >> 40) % 3 == 0)
      value = odd[(hash >> 48) % 8];
    storeFloat(type, bytes, i, value);
  }
  return bytes;
}

static double reduceFloats(moert_reduction reduction, double a, double b,
                           bool passesNaN) {
  switch (reduction) {
  case MOERT_SUM:
    return a + b;
  case MOERT_PROD:
    return a * b;
  default:
    break;
  }
  if (passesNaN && (std::isnan(a) || std::isnan(b)))
    return std::isnan(a) ? b : a;
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  bool aIsLess = a < b || (a == b && std::signbit(a));
  return aIsLess == (reduction == MOERT_MIN) ? a : b;
}

static int64_t reduceIntegers(moert_reduction reduction, int64_t a, int64_t b) {
  switch (reduction) {
  case MOERT_SUM:
    return static_cast<int64_t>(static_cast<uint64_t>(a) +
                                static_cast<uint64_t>(b));
  case MOERT_PROD:
    return static_cast<int64_t>(static_cast<uint64_t>(a) *
                                static_cast<uint64_t>(b));
  case MOERT_MIN:
    return std::min(a, b);
  default:
    return std::max(a, b);
  }
}

Bytes conformance::reduce(moert_type type, moert_reduction reduction,
                          const std::vector<Bytes> &members, bool passesNaN) {
  Bytes result = members.front();
  size_t count = result.size() / moert_type_size(type);
  for (size_t m = 1; m < members.size(); ++m)
    for (size_t i = 0; i < count; ++i) {
      if (isFloat(type))
        storeFloat(type, result, i,
                   reduceFloats(reduction, loadFloat(type, result, i),
                                loadFloat(type, members[m], i), passesNaN));
      else
        storeInteger(type, result, i,
                     reduceIntegers(reduction, loadInteger(type, result, i),
                                    loadInteger(type, members[m], i)));
    }
  return result;
}

std::string conformance::compare(moert_type type, const Bytes &expected,
                                 const Bytes &got, double tolerance) {
  if (expected.size() != got.size())
    return "expected " + std::to_string(expected.size()) + " bytes, got " +
           std::to_string(got.size());
  size_t size = moert_type_size(type);
  double largest = 0;
  if (tolerance > 0 && isFloat(type))
    for (size_t i = 0; i < expected.size() / size; ++i)
      if (double v = std::fabs(loadFloat(type, expected, i)); std::isfinite(v))
        largest = std::max(largest, v);
  for (size_t i = 0; i < expected.size() / size; ++i) {
    if (std::memcmp(&expected[i * size], &got[i * size], size) == 0)
      continue;
    if (!isFloat(type))
      return "element " + std::to_string(i) + ": expected " +
             std::to_string(loadInteger(type, expected, i)) + ", got " +
             std::to_string(loadInteger(type, got, i));
    double want = loadFloat(type, expected, i), have = loadFloat(type, got, i);
    bool bothNaN = std::isnan(want) && std::isnan(have);
    if (tolerance > 0 && (bothNaN || want == have ||
                          std::fabs(want - have) <= tolerance * largest))
      continue;
    return "element " + std::to_string(i) + ": expected " +
           std::to_string(want) + ", got " + std::to_string(have) +
           " (other bits)";
  }
  return "";
}
