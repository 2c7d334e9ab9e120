// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dense matrix, for example of tokens, rows or bytes from senders to
// receivers.

#ifndef MOE_COST_MATRIX_H
#define MOE_COST_MATRIX_H

#include <cassert>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace moe::cost {

/// A matrix of `rows` x `columns` numbers in row-major order.
template <typename T> class Matrix {
public:
  Matrix() = default;
  /// Creates a square matrix that holds `value` everywhere.
  explicit Matrix(int64_t size, T value = T())
      : Matrix(of(size, size, value)) {}

  /// Creates a matrix from rows, which must have equal lengths.
  Matrix(std::initializer_list<std::initializer_list<T>> rows) {
    for (const std::initializer_list<T> &row : rows) {
      columns = static_cast<int64_t>(row.size());
      values.insert(values.end(), row);
    }
    assert(static_cast<size_t>(columns) * rows.size() == values.size());
  }

  static Matrix of(int64_t rows, int64_t columns, T value = T()) {
    return fromValues(
        columns, std::vector<T>(static_cast<size_t>(rows * columns), value));
  }
  /// Takes values in row-major order: whole rows of `columns` > 0 numbers, or
  /// none.
  static Matrix fromValues(int64_t columns, std::vector<T> values) {
    assert(values.empty() ||
           (columns > 0 && static_cast<int64_t>(values.size()) % columns == 0));
    Matrix matrix;
    matrix.columns = values.empty() ? 0 : columns;
    matrix.values = std::move(values);
    return matrix;
  }

  bool isEmpty() const { return values.empty(); }
  int64_t getNumRows() const {
    return columns == 0 ? 0 : static_cast<int64_t>(values.size()) / columns;
  }
  int64_t getNumColumns() const { return columns; }
  /// Returns the number of rows and columns of a square matrix.
  int64_t getSize() const { return columns; }

  T &at(int64_t row, int64_t column) {
    return values[static_cast<size_t>(row * columns + column)];
  }
  const T &at(int64_t row, int64_t column) const {
    return values[static_cast<size_t>(row * columns + column)];
  }
  std::span<T> getRow(int64_t row) {
    return getValues().subspan(static_cast<size_t>(row * columns),
                               static_cast<size_t>(columns));
  }
  std::span<const T> getRow(int64_t row) const {
    return getValues().subspan(static_cast<size_t>(row * columns),
                               static_cast<size_t>(columns));
  }
  /// Returns all values in row-major order.
  std::span<T> getValues() { return values; }
  std::span<const T> getValues() const { return values; }

  friend bool operator==(const Matrix &, const Matrix &) = default;

private:
  int64_t columns = 0;
  std::vector<T> values;
};

} // namespace moe::cost

#endif // MOE_COST_MATRIX_H
