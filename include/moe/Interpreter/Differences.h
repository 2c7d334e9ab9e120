//===- Differences.h - Where results are not what they should ---*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_INTERPRETER_DIFFERENCES_H
#define MOE_INTERPRETER_DIFFERENCES_H

#include "mlir/IR/Types.h"
#include "moe/Interpreter/LocalTensor.h"
#include <string>

namespace moe {

/// How far a float may be from the expected one: by `absolute` plus `relative`
/// times the magnitude of the expected one. With neither, floats are compared
/// bit for bit, as integers always are. An infinity is near to itself only, and
/// a NaN to any NaN.
struct Tolerance {
  double relative = 0, absolute = 0;

  bool isExact() const { return relative == 0 && absolute == 0; }
  /// Whether cells of this type are near enough.
  bool allows(mlir::Type elementType, Cell got, Cell expected) const;
  /// `within 1e-05 relative`, as messages have it.
  std::string getText() const;
};

/// A place at which results differ.
struct Difference {
  unsigned result;
  /// Place among the tensors of the result: the rank, where all are there.
  size_t place;
  /// Flat index of the element, nullopt when the shapes differ.
  std::optional<size_t> element;
};

/// The first cells that are not the same, in the order of results, then places,
/// then elements.
std::optional<Difference>
findFirstDifference(const std::vector<RankTensors> &got,
                    const std::vector<RankTensors> &expected);

/// The first numbers that are farther from each other than allowed; `types` are
/// those of the results.
std::optional<Difference>
findFirstDifference(mlir::TypeRange types, const std::vector<RankTensors> &got,
                    const std::vector<RankTensors> &expected,
                    const Tolerance &tolerance);

/// Floats that are farther from each other than all others.
struct GreatestDifference {
  Difference at;
  /// At least 0.
  double distance;
};

/// The first of the greatest among the float results; nullopt where no floats
/// differ. The shapes agree.
std::optional<GreatestDifference>
findGreatestDifference(mlir::TypeRange types,
                       const std::vector<RankTensors> &got,
                       const std::vector<RankTensors> &expected);

} // namespace moe

#endif // MOE_INTERPRETER_DIFFERENCES_H
