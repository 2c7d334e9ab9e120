// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Differences between results.

#ifndef MOE_INTERPRETER_DIFFERENCES_H
#define MOE_INTERPRETER_DIFFERENCES_H

#include "mlir/IR/Types.h"
#include "moe/Interpreter/LocalTensor.h"
#include <string>

namespace moe {

/// The allowed distance of a float from the expected one: `absolute` plus
/// `relative` times the greatest finite magnitude expected in the same result.
/// The magnitude of the whole result counts because the rounding error of a sum
/// is proportional to its greatest summands, not to the sum. If both are 0,
/// floats are compared bit for bit; integers always are. An infinity only
/// matches itself, and a NaN matches any NaN.
struct Tolerance {
  double relative = 0, absolute = 0;

  bool isExact() const { return relative == 0 && absolute == 0; }
  /// Returns true if `got` is close enough to `expected`, in a result with this
  /// expected magnitude.
  bool allows(mlir::Type elementType, Cell got, Cell expected,
              double magnitude) const;
  /// Returns, for example, `within 1e-05 relative`.
  std::string getText() const;
};

struct Difference {
  unsigned result;
  /// Index among the tensors of the result, which is the rank if the result has
  /// the tensors of all ranks.
  size_t place;
  /// Flat index of the element; nullopt if the shapes differ.
  std::optional<size_t> element;
};

/// Returns the first cells that differ, in the order of results, then places,
/// then elements.
std::optional<Difference>
findFirstDifference(const std::vector<RankTensors> &got,
                    const std::vector<RankTensors> &expected);

/// Returns the greatest finite magnitude of each result over all its places; 0
/// if it has none or is not a float. `types` are the types of the results. All
/// places count together, because a result is one tensor that may be split in
/// different ways.
std::vector<double> findMagnitudes(mlir::TypeRange types,
                                   const std::vector<RankTensors> &results);

/// Returns the first numbers whose distance is not allowed. `types` and
/// `magnitudes` are the types and the expected magnitudes of the results.
std::optional<Difference>
findFirstDifference(mlir::TypeRange types, const std::vector<RankTensors> &got,
                    const std::vector<RankTensors> &expected,
                    const Tolerance &tolerance,
                    llvm::ArrayRef<double> magnitudes);

/// The two floats with the greatest distance relative to the magnitude of their
/// result.
struct GreatestDifference {
  Difference at;
  /// Absolute distance, at least 0.
  double distance;
  /// The distance divided by the magnitude; infinite if the magnitude is 0.
  double share;
};

/// Returns the first of the greatest differences among the float results;
/// nullopt if no floats differ. The shapes must agree.
std::optional<GreatestDifference>
findGreatestDifference(mlir::TypeRange types,
                       const std::vector<RankTensors> &got,
                       const std::vector<RankTensors> &expected,
                       llvm::ArrayRef<double> magnitudes);

} // namespace moe

#endif // MOE_INTERPRETER_DIFFERENCES_H
