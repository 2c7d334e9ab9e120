// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws arguments and routings from hashes.

#ifndef MOE_INTERPRETER_SAMPLING_H
#define MOE_INTERPRETER_SAMPLING_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace moe {

/// Returns the hash that the elements of an argument are drawn from.
uint64_t hashArgument(uint64_t seed, unsigned argument, int64_t representative);

/// Returns element `index` of a float argument: k / 2^(p-1) in [-1, 1), where p
/// is the type's precision but at most 8, so every float type of at least this
/// precision holds the number exactly. For a type without a sign, returns 1/4
/// or 1/2.
double drawFloat(uint64_t argumentHash, uint64_t index, mlir::FloatType type);

/// Like `drawFloat`, but one element in four is 0.0, -0.0, an infinity or NaN,
/// as far as the type has these values.
double drawSpecialFloat(uint64_t argumentHash, uint64_t index,
                        mlir::FloatType type);

/// The range of an argument's integers, bounds included. Without bounds, half
/// of them are drawn from -4 to 4 and half from all integers.
struct DrawnRange {
  std::optional<int64_t> low, high;

  /// Intersects the range with another one; an empty intersection becomes 0 to
  /// 1.
  void restrict(int64_t newLow, int64_t newHigh);
};

/// Returns the range of integers with which the program around an argument can
/// run: expert numbers if a `permute` reads them, slots if an `unpermute` does,
/// small numbers for loop bounds, 0 or 1 for other control, and no limits
/// otherwise.
DrawnRange findIntegerRange(mlir::Value argument);

/// Returns element `index` of an integer argument; for an i1, 0 or -1 (true).
int64_t drawInteger(uint64_t argumentHash, uint64_t index, mlir::Type type,
                    const DrawnRange &range);

struct GateLimits {
  int64_t experts;
  int64_t topK;
  /// The gate chooses from the best `topGroups` of `numGroups` groups of
  /// experts; 1 of 1 means no such limit.
  int64_t topGroups = 1;
  int64_t numGroups = 1;
};

/// The distribution of a routing sample.
enum class RoutingKind {
  Uniform,
  /// The likelihood falls with the square of an expert's place in an order.
  Skewed,
  /// Nearly all tokens choose the same experts, which overflow.
  Hot,
  /// Half of the experts are chosen only if the other half does not suffice.
  Unused,
  /// Most scores are equal, so the lower expert number decides.
  Ties
};

/// Returns the kind of a sample. Every second sample is uniform and the others
/// take turns, because no single kind detects all wrong rewrites.
RoutingKind getRoutingKind(unsigned sample);

/// Returns the `topK` distinct experts that a token chooses. They are drawn
/// from the hash of the gate's input, so replicas agree. Draws of different
/// samples are independent.
llvm::SmallVector<int64_t> sampleExperts(uint64_t contentHash, uint64_t seed,
                                         unsigned sample,
                                         const GateLimits &limits);

/// Returns the `topK` experts with the best scores within the best groups, best
/// first; on equal scores the lower number is first. The score of a group is
/// the best score of its experts, or with `groupSum` the sum of the two best.
llvm::SmallVector<int64_t> chooseExperts(llvm::ArrayRef<double> scores,
                                         const GateLimits &limits,
                                         bool groupSum);

} // namespace moe

#endif // MOE_INTERPRETER_SAMPLING_H
