// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common parts of the tests of gates.

#ifndef MOERT_TEST_CONFORMANCE_GATEFORMULAS_H
#define MOERT_TEST_CONFORMANCE_GATEFORMULAS_H

#include "Operands.h"
#include <cmath>
#include <limits>

namespace conformance {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Makes multiples of 1/8 in [-2, 2), times a power of two, with the numbers of
/// `special` from `offset` on. Logits, including ties, are then exact in 32
/// bits, too.
inline Operand makeCoarse(Rank &rank, Stream &stream, moert_type type,
                          size_t count, uint64_t seed, size_t stride = 1,
                          size_t offset = 0,
                          const std::vector<double> &special = {},
                          double scale = 1) {
  std::vector<double> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = scale * (static_cast<double>(mix({seed, i}) % 32) / 8 - 2);
  for (size_t i = 0; i < special.size(); ++i)
    if (offset + i * stride < count)
      values[offset + i * stride] = special[i];
  return Operand(rank, stream, type, values);
}

/// Makes numbers in [-1/16, 1/16) with 21 bits, most of which no 16-bit type
/// can represent.
inline Operand makeFine(Rank &rank, Stream &stream, moert_type type,
                        size_t count, uint64_t seed) {
  std::vector<double> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] =
        static_cast<double>(mix({seed, i}) % (1 << 21)) / (1 << 24) - 0x1p-4;
  return Operand(rank, stream, type, values);
}

inline void softmax(std::vector<double> &values) {
  double top = -kInf, sum = 0;
  for (double value : values)
    top = std::max(top, value);
  for (double &value : values)
    sum += value = std::exp(value - top);
  for (double &value : values)
    value /= sum;
}

/// Sorts by falling scores, with NaN last and ties by number.
inline void sortByScore(std::vector<size_t> &numbers,
                        const std::vector<double> &scores) {
  std::sort(numbers.begin(), numbers.end(), [&](size_t a, size_t b) {
    bool isLost = std::isnan(scores[a]), otherIsLost = std::isnan(scores[b]);
    if (isLost != otherIsLost)
      return otherIsLost;
    if (isLost || scores[a] == scores[b])
      return a < b;
    return scores[a] > scores[b];
  });
}

/// Returns the product of tokens [S, M] and a router [M, columns].
inline std::vector<double> multiply(const Operand &x, const Operand &router,
                                    size_t S, size_t M, size_t columns) {
  std::vector<double> products(S * columns, 0);
  for (size_t s = 0; s < S; ++s)
    for (size_t m = 0; m < M; ++m)
      for (size_t n = 0; n < columns; ++n)
        products[s * columns + n] += x[s * M + m] * router[m * columns + n];
  return products;
}

/// Returns the allowed error of devices' sums of products of two types.
inline double getSumTolerance(const Rank &rank, moert_type a, moert_type b) {
  return rank.kernelTolerance(a == MOERT_F64 || b == MOERT_F64 ? MOERT_F64
                                                               : MOERT_F32);
}

} // namespace conformance

#endif // MOERT_TEST_CONFORMANCE_GATEFORMULAS_H
