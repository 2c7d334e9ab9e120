// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows times a matrix in 64-bit floats.

#ifndef MOERT_KERNELS_GEMM_H
#define MOERT_KERNELS_GEMM_H

#include "moert.h"
#include <vector>

namespace moert {

/// Computes result[r, n] = sum over m, ascending, of x[r, m] * matrix[m, n],
/// for a matrix of any float type. Not thread-safe, because it has scratch
/// memory.
class RowTimesMatrix {
public:
  /// `x` is [rows, inner] and `result` is [rows, columns], both of doubles.
  void multiply(const double *x, int64_t rows, int64_t inner,
                moert_type matrixType, const void *matrix, int64_t columns,
                double *result);

  /// Adds x[r, m] * matrix[n, m] to result[r, n] for each m in ascending order.
  void addTransposed(const double *x, int64_t rows, int64_t inner,
                     moert_type matrixType, const void *matrix, int64_t columns,
                     double *result);

private:
  std::vector<double> panel, row;
};

/// Adds x[r, m] * y[r, n] to result[m, n] for each r in ascending order. `x` is
/// [rows, inner] and `y` is [rows, columns].
void addOuterProducts(const double *x, const double *y, int64_t rows,
                      int64_t inner, int64_t columns, double *result);

} // namespace moert

#endif // MOERT_KERNELS_GEMM_H
