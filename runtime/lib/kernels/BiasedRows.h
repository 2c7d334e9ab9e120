// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows that biased matrices multiply.

#ifndef MOERT_KERNELS_BIASEDROWS_H
#define MOERT_KERNELS_BIASEDROWS_H

#include "core/Types.h"
#include <vector>

namespace moert {

/// Rows of doubles. A bias is the last row of a matrix, and what a 1 behind
/// each of these rows is multiplied by; without biases there is no such 1.
class BiasedRows {
public:
  BiasedRows(int64_t rows, int64_t size, bool biased)
      : size(size), rowWidth(size + (biased ? 1 : 0)),
        values(rows * rowWidth, 1.0) {}

  /// Numbers of a row, the 1 included.
  int64_t width() const { return rowWidth; }
  double *data() { return values.data(); }
  const double *data() const { return values.data(); }
  double *row(int64_t number) { return values.data() + number * rowWidth; }

  /// Reads `count` rows that stand one behind the other.
  void load(moert_type type, const void *source, int64_t count) {
    if (rowWidth == size)
      return loadRow(type, source, count * size, values.data());
    auto rowBytes = size * static_cast<int64_t>(moert_type_size(type));
    for (int64_t r = 0; r < count; ++r)
      loadRow(type, static_cast<const char *>(source) + r * rowBytes, size,
              row(r));
  }

private:
  int64_t size, rowWidth;
  std::vector<double> values;
};

} // namespace moert

#endif // MOERT_KERNELS_BIASEDROWS_H
