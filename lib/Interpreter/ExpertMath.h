// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expert computations on doubles.

#ifndef MOE_LIB_INTERPRETER_EXPERTMATH_H
#define MOE_LIB_INTERPRETER_EXPERTMATH_H

#include "Scalars.h"
#include "moe/Interpreter/LocalTensor.h"
#include "moe/Interpreter/Rounding.h"
#include <cmath>

namespace moe {

inline double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

/// sqrt(2 / pi), for the tanh approximation of gelu.
constexpr double kGeluScale = 0.79788456080286535588;
constexpr double kGeluCube = 0.044715;
constexpr double kQuickGeluSlope = 1.702;

inline double activate(Activation activation, double x) {
  switch (activation) {
  case Activation::Relu:
    // The comparison is written so that NaN stays NaN.
    return x < 0 ? 0.0 : x;
  case Activation::Relu2:
    return x < 0 ? 0.0 : x * x;
  case Activation::Silu:
    return x * sigmoid(x);
  case Activation::QuickGelu:
    return x * sigmoid(kQuickGeluSlope * x);
  case Activation::Gelu:
    return 0.5 * x *
           (1.0 + std::tanh(kGeluScale * (x + kGeluCube * x * x * x)));
  }
  llvm_unreachable("unknown activation");
}

/// Returns the derivative of `activate`; 0 for relu at 0.
inline double differentiate(Activation activation, double x) {
  switch (activation) {
  case Activation::Relu:
    return x <= 0 ? 0.0 : x > 0 ? 1.0 : x;
  case Activation::Relu2:
    return x <= 0 ? 0.0 : 2.0 * x;
  case Activation::Silu: {
    double s = sigmoid(x);
    return s * (1.0 + x * (1.0 - s));
  }
  case Activation::QuickGelu: {
    double s = sigmoid(kQuickGeluSlope * x);
    return s * (1.0 + kQuickGeluSlope * x * (1.0 - s));
  }
  case Activation::Gelu: {
    double t = std::tanh(kGeluScale * (x + kGeluCube * x * x * x));
    double slope = kGeluScale * (1.0 + 3.0 * kGeluCube * x * x);
    return 0.5 * (1.0 + t) + 0.5 * x * (1.0 - t * t) * slope;
  }
  }
  llvm_unreachable("unknown activation");
}

/// The function between the matrix products of experts of a kind: the
/// activation of the inner product, times a factor from the second inner
/// product if the kind has one.
class Gating {
public:
  Gating(ExpertsKind kind, std::optional<Activation> activation)
      : isGated(kind != ExpertsKind::GPT),
        clamps(kind == ExpertsKind::ClampedSwiGLU) {
    switch (kind) {
    case ExpertsKind::GPT:
      this->activation = activation.value_or(Activation::Gelu);
      break;
    case ExpertsKind::SwiGLU:
      this->activation = Activation::Silu;
      break;
    case ExpertsKind::GeGLU:
      this->activation = Activation::Gelu;
      break;
    case ExpertsKind::ClampedSwiGLU:
      this->activation = Activation::QuickGelu;
      break;
    }
  }

  /// Returns true if there is a second inner product.
  bool hasFactor() const { return isGated; }
  double activate(double inner) const {
    return moe::activate(activation, clamps && inner > kLimit ? kLimit : inner);
  }
  double getFactor(double up) const {
    if (!clamps)
      return up;
    return (up > kLimit ? kLimit : up < -kLimit ? -kLimit : up) + 1.0;
  }
  /// The derivatives of the activation and, as 0 or 1, of the factor.
  double differentiate(double inner) const {
    return clamps && inner > kLimit ? 0.0
                                    : moe::differentiate(activation, inner);
  }
  bool passesFactor(double up) const {
    return !clamps || !(up > kLimit || up < -kLimit);
  }

private:
  static constexpr double kLimit = 7.0;
  bool isGated, clamps;
  Activation activation;
};

/// Reads the numbers of a row that starts at `cells`.
inline void readRow(const Cell *cells, llvm::MutableArrayRef<double> row) {
  for (double &value : row)
    value = toDouble(*cells++);
}

inline void writeRounded(const Rounder &round, llvm::ArrayRef<double> sums,
                         Cell *target) {
  for (double sum : sums)
    *target++ = fromDouble(round(sum));
}

inline void roundRow(const Rounder &round, llvm::MutableArrayRef<double> row) {
  for (double &value : row)
    value = round(value);
}

/// Intermediate results [part, rows..., H]. Rows are visited in the order of
/// the experts.
class KeptCells {
public:
  /// Null means that there are none, so nothing is written.
  explicit KeptCells(LocalTensor *written) : written(written), read(written) {}
  explicit KeptCells(const LocalTensor *read) : read(read) {}

  bool exists() const { return read; }
  size_t getWidth() const { return read->getShape().back(); }
  /// Returns the index of the current row of a part.
  size_t find(int64_t part) const {
    size_t perPart = read->getCells().size() / read->getShape().front();
    return part * perPart + row * getWidth();
  }
  void write(int64_t part, llvm::ArrayRef<double> values) {
    if (written)
      for (auto [i, value] : llvm::enumerate(values))
        written->getMutableCells()[find(part) + i] = fromDouble(value);
  }
  void load(int64_t part, llvm::MutableArrayRef<double> values) const {
    readRow(read->getCells().data() + find(part), values);
  }
  void advance() { ++row; }

private:
  LocalTensor *written = nullptr;
  const LocalTensor *read;
  size_t row = 0;
};

/// Adds `a[m] * b[n]` to `sums[m, n]`.
inline void addOuter(llvm::ArrayRef<double> a, llvm::ArrayRef<double> b,
                     llvm::MutableArrayRef<double> sums) {
  double *sum = sums.data();
  for (double left : a)
    for (double right : b)
      *sum++ += left * right;
}

/// `result[h] = sum over m of row[m] * matrix[m, h]`, m ascending.
inline void multiplyRow(llvm::ArrayRef<double> row, const Cell *matrix,
                        llvm::MutableArrayRef<double> result) {
  std::fill(result.begin(), result.end(), 0.0);
  for (double factor : row)
    for (double &sum : result)
      sum += factor * toDouble(*matrix++);
}

/// Adds `sum over h of row[h] * matrix[m, h]` to `result[m]`.
inline void addTransposedProduct(llvm::ArrayRef<double> row, const Cell *matrix,
                                 llvm::MutableArrayRef<double> result) {
  for (double &sum : result)
    for (double factor : row)
      sum += factor * toDouble(*matrix++);
}

} // namespace moe

#endif // MOE_LIB_INTERPRETER_EXPERTMATH_H
