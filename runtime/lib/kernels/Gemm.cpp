// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows times a matrix in 64-bit floats.

#include "kernels/Gemm.h"
#include "core/Types.h"
#include "kernels/Clones.h"
#include <algorithm>

using namespace moert;

/// Adds x[r, 0..inner) times a panel [inner, width] to result[r, 0..width).
/// Products and sums are rounded separately (no fused operation), so every
/// clone computes the same bits.
MOERT_CLONES
static void addPanel(const double *x, int64_t rows, int64_t xStride,
                     int64_t inner, const double *panel, int64_t width,
                     double *result, int64_t resultStride) {
  for (int64_t r = 0; r < rows; ++r) {
    double *sums = result + r * resultStride;
    for (int64_t m = 0; m < inner; ++m) {
      double factor = x[r * xStride + m];
      const double *row = panel + m * width;
      for (int64_t n = 0; n < width; ++n)
        sums[n] += factor * row[n];
    }
  }
}

void RowTimesMatrix::multiply(const double *x, int64_t rows, int64_t inner,
                              moert_type matrixType, const void *matrix,
                              int64_t columns, double *result) {
  // Convert a panel of the matrix once for all rows. It stays in the
  // second-level cache, and a row's part of it in the first-level cache.
  constexpr int64_t kInner = 128, kWidth = 256;
  panel.resize(kInner * kWidth);
  size_t elementBytes = moert_type_size(matrixType);
  std::fill(result, result + rows * columns, 0.0);
  for (int64_t n = 0; n < columns; n += kWidth) {
    int64_t width = std::min(kWidth, columns - n);
    for (int64_t m = 0; m < inner; m += kInner) {
      int64_t depth = std::min(kInner, inner - m);
      for (int64_t i = 0; i < depth; ++i)
        loadRow(matrixType,
                static_cast<const char *>(matrix) +
                    ((m + i) * columns + n) * elementBytes,
                width, panel.data() + i * width);
      addPanel(x + m, rows, inner, depth, panel.data(), width, result + n,
               columns);
    }
  }
}

void RowTimesMatrix::addTransposed(const double *x, int64_t rows, int64_t inner,
                                   moert_type matrixType, const void *matrix,
                                   int64_t columns, double *result) {
  constexpr int64_t kInner = 128, kWidth = 256;
  panel.resize(kInner * kWidth);
  row.resize(kInner);
  size_t elementBytes = moert_type_size(matrixType);
  for (int64_t n = 0; n < columns; n += kWidth) {
    int64_t width = std::min(kWidth, columns - n);
    for (int64_t m = 0; m < inner; m += kInner) {
      int64_t depth = std::min(kInner, inner - m);
      for (int64_t j = 0; j < width; ++j) {
        loadRow(matrixType,
                static_cast<const char *>(matrix) +
                    ((n + j) * inner + m) * elementBytes,
                depth, row.data());
        for (int64_t i = 0; i < depth; ++i)
          panel[i * width + j] = row[i];
      }
      addPanel(x + m, rows, inner, depth, panel.data(), width, result + n,
               columns);
    }
  }
}

MOERT_CLONES
void moert::addOuterProducts(const double *x, const double *y, int64_t rows,
                             int64_t inner, int64_t columns, double *result) {
  for (int64_t m = 0; m < inner; ++m) {
    double *sums = result + m * columns;
    for (int64_t r = 0; r < rows; ++r) {
      double factor = x[r * inner + m];
      const double *other = y + r * columns;
      for (int64_t n = 0; n < columns; ++n)
        sums[n] += factor * other[n];
    }
  }
}
