// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tests of gates share.

#ifndef MOERT_TEST_CONFORMANCE_GATEFORMULAS_H
#define MOERT_TEST_CONFORMANCE_GATEFORMULAS_H

#include "Operands.h"
#include <cmath>
#include <limits>

namespace conformance {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Multiples of 1/8 in [-2, 2), times a power of two, or what `special` says
/// from `offset` on: logits are then exact in 32 bits, too, ties and all.
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

/// Numbers in [-1/16, 1/16) that take 21 bits: no 16-bit type holds most of
/// them.
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

/// Falling scores, NaN behind all of them; ties by number.
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

/// Tokens [S, M] times a router [M, columns].
inline std::vector<double> multiply(const Operand &x, const Operand &router,
                                    size_t S, size_t M, size_t columns) {
  std::vector<double> products(S * columns, 0);
  for (size_t s = 0; s < S; ++s)
    for (size_t m = 0; m < M; ++m)
      for (size_t n = 0; n < columns; ++n)
        products[s * columns + n] += x[s * M + m] * router[m * columns + n];
  return products;
}

/// The error that devices' sums of products of two types may have.
inline double getSumTolerance(const Rank &rank, moert_type a, moert_type b) {
  return rank.kernelTolerance(a == MOERT_F64 || b == MOERT_F64 ? MOERT_F64
                                                               : MOERT_F32);
}

} // namespace conformance

#endif // MOERT_TEST_CONFORMANCE_GATEFORMULAS_H
