// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands and results of kernels.

#ifndef MOERT_TEST_CONFORMANCE_OPERANDS_H
#define MOERT_TEST_CONFORMANCE_OPERANDS_H

#include "Rank.h"
#include <algorithm>
#include <functional>

namespace conformance {

/// Random numbers of a type, as bytes and as doubles, with a copy on the
/// stream.
struct Operand {
  Operand(Rank &rank, moert_stream *stream, moert_type type, size_t count,
          uint64_t seed, double scale = 1)
      : type(type), bytes(count * moert_type_size(type)), values(count),
        array(rank, stream, bytes.size()) {
    for (size_t i = 0; i < count; ++i) {
      storeFloat(type, bytes, i,
                 scale * (static_cast<double>(mix({seed, i}) % 2048) - 1023.5) /
                     1024);
      values[i] = loadFloat(type, bytes, i);
    }
    array.write(bytes);
  }
  /// Uses the given numbers, rounded to the type.
  Operand(Rank &rank, moert_stream *stream, moert_type type,
          const std::vector<double> &numbers)
      : type(type), bytes(numbers.size() * moert_type_size(type)),
        values(numbers.size()), array(rank, stream, bytes.size()) {
    for (size_t i = 0; i < numbers.size(); ++i) {
      storeFloat(type, bytes, i, numbers[i]);
      values[i] = loadFloat(type, bytes, i);
    }
    array.write(bytes);
  }
  double operator[](size_t index) const { return values[index]; }
  void *data() const { return array.data(); }

  moert_type type;
  Bytes bytes;
  std::vector<double> values;
  Array array;
};

/// The result of a kernel, and its expected value.
struct Result {
  Result(Rank &rank, moert_stream *stream, moert_type type, size_t count)
      : rank(rank), type(type), count(count),
        expected(count * moert_type_size(type)),
        array(rank, stream, expected.size()) {
    array.poison();
  }
  /// Compares bit for bit, or with the error of the type's rounding if the sums
  /// have the error `sumTolerance`.
  void check(const std::string &name,
             const std::function<double(size_t)> &element,
             double sumTolerance = 0) {
    for (size_t i = 0; i < count; ++i)
      storeFloat(type, expected, i, element(i));
    double tolerance = sumTolerance > 0
                           ? std::max(sumTolerance, rank.kernelTolerance(type))
                           : 0;
    rank.check(name + " to " + nameOf(type), type, expected, array.read(),
               tolerance);
  }
  std::vector<double> read() const {
    Bytes bytes = array.read();
    std::vector<double> values(count);
    for (size_t i = 0; i < count; ++i)
      values[i] = loadFloat(type, bytes, i);
    return values;
  }
  void *data() const { return array.data(); }

  Rank &rank;
  moert_type type;
  size_t count;
  Bytes expected;
  Array array;
};

} // namespace conformance

#endif // MOERT_TEST_CONFORMANCE_OPERANDS_H
