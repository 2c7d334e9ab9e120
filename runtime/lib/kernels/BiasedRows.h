// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows for products with biased matrices.

#ifndef MOERT_KERNELS_BIASEDROWS_H
#define MOERT_KERNELS_BIASEDROWS_H

#include "core/Types.h"
#include <vector>

namespace moert {

/// Rows of doubles. A bias is the last row of a matrix, so a 1 is appended to
/// each of these rows to multiply it; without biases there is no 1.
class BiasedRows {
public:
  BiasedRows(int64_t rows, int64_t size, bool biased)
      : size(size), rowWidth(size + (biased ? 1 : 0)),
        values(rows * rowWidth, 1.0) {}

  /// Returns the numbers per row, including the 1.
  int64_t width() const { return rowWidth; }
  double *data() { return values.data(); }
  const double *data() const { return values.data(); }
  double *row(int64_t number) { return values.data() + number * rowWidth; }

  /// Reads `count` contiguous rows.
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
