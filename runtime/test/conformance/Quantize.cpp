// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests rows of fewer bits.

#include "Operands.h"
#include <cmath>
#include <limits>

using namespace conformance;

/// Returns the number that a byte of e4m3 represents.
static double decode(uint8_t bits) {
  int exponent = bits >> 3 & 15, rest = bits & 7;
  if (exponent == 15 && rest == 7)
    return std::numeric_limits<double>::quiet_NaN();
  double magnitude = exponent == 0 ? std::ldexp(rest, -9)
                                   : std::ldexp(8 + rest, exponent - 10);
  return bits & 0x80 ? -magnitude : magnitude;
}

/// Returns the nearest number of e4m3, ties to even.
static uint8_t encode(float value) {
  if (std::isnan(value))
    return 0x7f;
  uint8_t best = 0;
  double magnitude = std::fabs(value);
  for (uint8_t bits = 1; bits < 0x7f; ++bits) {
    double near = std::fabs(decode(best) - magnitude);
    double own = std::fabs(decode(bits) - magnitude);
    if (own < near || (own == near && bits % 2 == 0))
      best = bits;
  }
  return best | (std::signbit(value) ? 0x80 : 0);
}

/// Returns numbers of many magnitudes, ties between numbers of e4m3, and zeros.
static std::vector<double> drawNumbers(size_t count, size_t hidden,
                                       uint64_t seed) {
  std::vector<double> numbers(count);
  for (size_t i = 0; i < count; ++i) {
    uint64_t hash = mix({seed, i});
    // Each row has its own magnitude; some magnitudes are small.
    int power = static_cast<int>(mix({seed, i / hidden}) % 40) - 30;
    double number = static_cast<double>(hash % 4096) / 2048 - 1;
    numbers[i] = hash >> 32 & 7 ? std::ldexp(number, power) : 0.0;
    if ((hash >> 40 & 3) == 0)
      numbers[i] = std::ldexp(number, power - 9);
    // 448 in a row makes the scale 1, so that ties remain ties.
    if (i / hidden % 4 == 1)
      numbers[i] = i % hidden == 0 ? 448 : std::ldexp(hash % 65, -10);
  }
  return numbers;
}

static void testRows(Rank &rank, Stream &stream, moert_type type, size_t rows,
                     size_t hidden, size_t block, uint64_t seed,
                     bool hasSpecial = false) {
  std::vector<double> numbers = drawNumbers(rows * hidden, hidden, seed);
  if (hasSpecial) {
    numbers[1] = std::numeric_limits<double>::infinity();
    numbers[hidden] = std::numeric_limits<double>::quiet_NaN();
    numbers[2 * hidden] = 0x1p-140;
  }
  Operand x(rank, stream, type, numbers);
  size_t perRow = (hidden + block - 1) / block;
  Bytes values(rows * hidden), scales(rows * perRow * sizeof(float));
  std::vector<float> own(rows * perRow);
  for (size_t row = 0; row < rows; ++row)
    for (size_t b = 0; b < perRow; ++b) {
      float most = 0;
      size_t begin = row * hidden + b * block;
      size_t end = row * hidden + std::min(hidden, (b + 1) * block);
      bool isFinite = true;
      for (size_t i = begin; i < end; ++i) {
        most = std::max(most, std::fabs(static_cast<float>(x[i])));
        isFinite &= std::isfinite(x[i]);
      }
      float scale = isFinite ? std::max(most / 448, 0x1p-126f)
                             : std::numeric_limits<float>::quiet_NaN();
      own[row * perRow + b] = scale;
      storeFloat(MOERT_F32, scales, row * perRow + b, scale);
      for (size_t i = begin; i < end; ++i)
        values[i] = encode(static_cast<float>(x[i]) / scale);
    }
  std::string name = " of " + std::to_string(rows) + " rows of " +
                     std::to_string(hidden) + " " + nameOf(type) +
                     " in blocks of " + std::to_string(block);
  Array made(rank, stream, values.size()), scaled(rank, stream, scales.size());
  made.poison();
  scaled.poison();
  moert_quantize_args quantize = {};
  quantize.size = sizeof(quantize);
  quantize.rows = rows;
  quantize.hidden = hidden;
  quantize.block = block;
  quantize.x = x.data();
  quantize.values = made.data();
  quantize.scales = scaled.data();
  quantize.type = type;
  REQUIRE(rank, moert_quantize(stream, &quantize));
  rank.check("quantize, values" + name, MOERT_I8, values, made.read());
  rank.check("quantize, scales" + name, MOERT_F32, scales, scaled.read());
  Result back(rank, stream, type, rows * hidden);
  moert_dequantize_args dequantize = {};
  dequantize.size = sizeof(dequantize);
  dequantize.rows = rows;
  dequantize.hidden = hidden;
  dequantize.block = block;
  dequantize.values = made.data();
  dequantize.scales = scaled.data();
  dequantize.result = back.data();
  dequantize.type = type;
  REQUIRE(rank, moert_dequantize(stream, &dequantize));
  // A NaN must remain a NaN.
  back.check(
      "dequantize" + name,
      [&](size_t i) {
        float scale = own[i / hidden * perRow + i % hidden / block];
        return static_cast<double>(static_cast<float>(decode(values[i])) *
                                   scale);
      },
      hasSpecial ? 0x1p-24 : 0);
  // Checks the error bound that the runtime guarantees.
  if (hasSpecial)
    return;
  std::vector<double> got = back.read();
  double unit = type == MOERT_F32   ? 0x1p-24
                : type == MOERT_F16 ? 0x1p-11
                                    : 0x1p-8;
  ++rank.numCases;
  for (size_t i = 0; i < rows * hidden; ++i) {
    double scale = own[i / hidden * perRow + i % hidden / block];
    double bound = std::max(0x1p-4 * std::fabs(x[i]), 0x1p-10 * scale) * 1.01 +
                   unit * std::fabs(x[i]) + 0x1p-25;
    if (std::fabs(got[i] - x[i]) > bound) {
      rank.fail("dequantize" + name + ": expected " + std::to_string(x[i]) +
                " within " + std::to_string(bound) + ", got " +
                std::to_string(got[i]));
      return;
    }
  }
}

void conformance::testQuantize(Rank &rank) {
  Stream stream(rank, "quantize");
  for (moert_type type : {MOERT_F32, MOERT_F16, MOERT_BF16}) {
    testRows(rank, stream, type, 40, 320, 128, 1);
    testRows(rank, stream, type, 9, 7, 3, 2);
    testRows(rank, stream, type, 5, 1, 16, 3);
    testRows(rank, stream, type, 700, 8, 8, 4);
    testRows(rank, stream, type, 0, 8, 8, 5);
    testRows(rank, stream, type, 6, 130, 128, 6, /*hasSpecial=*/true);
  }
}
