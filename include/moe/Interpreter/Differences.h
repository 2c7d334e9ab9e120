// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where results are not what they should.

#ifndef MOE_INTERPRETER_DIFFERENCES_H
#define MOE_INTERPRETER_DIFFERENCES_H

#include "mlir/IR/Types.h"
#include "moe/Interpreter/LocalTensor.h"
#include <string>

namespace moe {

/// How far a float may be from the expected one: by `absolute` plus `relative`
/// times the greatest finite magnitude that is expected in the same result.
/// Sums are as near as their greatest summands are rounded, not as small as
/// what is left of these. With neither, floats are compared bit for bit, as
/// integers always are. An infinity is near to itself only, and a NaN to any
/// NaN.
struct Tolerance {
  double relative = 0, absolute = 0;

  bool isExact() const { return relative == 0 && absolute == 0; }
  /// Whether cells of this type are near enough, where the result expected has
  /// this magnitude.
  bool allows(mlir::Type elementType, Cell got, Cell expected,
              double magnitude) const;
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

/// The greatest finite magnitude in all places of each result, 0 where it has
/// none or is no float; `types` are those of the results. A result is one
/// tensor in parts: what its numbers are near to is not for the cuts to say.
std::vector<double> findMagnitudes(mlir::TypeRange types,
                                   const std::vector<RankTensors> &results);

/// The first numbers that are farther from each other than allowed; `types` are
/// those of the results, `magnitudes` what is expected of each.
std::optional<Difference>
findFirstDifference(mlir::TypeRange types, const std::vector<RankTensors> &got,
                    const std::vector<RankTensors> &expected,
                    const Tolerance &tolerance,
                    llvm::ArrayRef<double> magnitudes);

/// Floats that are farther from each other, by the magnitude of their result,
/// than all others.
struct GreatestDifference {
  Difference at;
  /// At least 0.
  double distance;
  /// The distance in parts of the magnitude; infinite where that is 0.
  double share;
};

/// The first of the greatest among the float results; nullopt where no floats
/// differ. The shapes agree.
std::optional<GreatestDifference>
findGreatestDifference(mlir::TypeRange types,
                       const std::vector<RankTensors> &got,
                       const std::vector<RankTensors> &expected,
                       llvm::ArrayRef<double> magnitudes);

} // namespace moe

#endif // MOE_INTERPRETER_DIFFERENCES_H
