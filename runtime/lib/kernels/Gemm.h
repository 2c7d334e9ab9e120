// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows times a matrix in 64-bit floats.

#ifndef MOERT_KERNELS_GEMM_H
#define MOERT_KERNELS_GEMM_H

#include "moert.h"
#include <vector>

namespace moert {

/// result[r, n] = sum over m, ascending, of x[r, m] * matrix[m, n], for a
/// matrix of any float type. Not thread safe: it has space of its own.
class RowTimesMatrix {
public:
  /// `x` is [rows, inner], `result` [rows, columns], both doubles.
  void multiply(const double *x, int64_t rows, int64_t inner,
                moert_type matrixType, const void *matrix, int64_t columns,
                double *result);

  /// result[r, n] += sum over m, ascending, of x[r, m] * matrix[n, m], summand
  /// by summand.
  void addTransposed(const double *x, int64_t rows, int64_t inner,
                     moert_type matrixType, const void *matrix, int64_t columns,
                     double *result);

private:
  std::vector<double> panel, row;
};

/// result[m, n] += sum over r, ascending, of x[r, m] * y[r, n], summand by
/// summand: `x` is [rows, inner], `y` [rows, columns].
void addOuterProducts(const double *x, const double *y, int64_t rows,
                      int64_t inner, int64_t columns, double *result);

} // namespace moert

#endif // MOERT_KERNELS_GEMM_H
