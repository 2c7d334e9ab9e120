// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws from hashes.

#ifndef MOE_INTERPRETER_SAMPLING_H
#define MOE_INTERPRETER_SAMPLING_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace moe {

/// Hash that an argument's element is drawn from.
uint64_t hashArgument(uint64_t seed, unsigned argument, int64_t representative);

/// Element `index` of a float argument: k / 2^(p-1) in [-1, 1), where p is
/// the type's precision but at most 8, so that every float type of this or
/// more bits holds the number exactly; 1/4 or 1/2 of a type without a sign.
double drawFloat(uint64_t argumentHash, uint64_t index, mlir::FloatType type);

/// The same, but one in four is 0.0, -0.0, an infinity or NaN, as far as the
/// type has it.
double drawSpecialFloat(uint64_t argumentHash, uint64_t index,
                        mlir::FloatType type);

/// What the integers of an argument are drawn from: low to high, both
/// included; without bounds half of them from -4 to 4 and half from all there
/// are.
struct DrawnRange {
  std::optional<int64_t> low, high;

  /// Keeps what is in both; 0 and 1 where that is nothing.
  void restrict(int64_t newLow, int64_t newHigh);
};

/// The integers an argument may hold so that the program around it runs:
/// experts where a `permute` reads them, slots where an `unpermute` does, small
/// numbers where they bound a loop, 0 or 1 where they steer in another way,
/// any where they do not.
DrawnRange findIntegerRange(mlir::Value argument);

/// Element `index` of an integer argument; of an i1: 0 or -1 (true).
int64_t drawInteger(uint64_t argumentHash, uint64_t index, mlir::Type type,
                    const DrawnRange &range);

/// Limits of a gate's choice.
struct GateLimits {
  int64_t experts;
  int64_t topK;
  /// Choose from the best `topGroups` of `numGroups` groups of experts; 1 of 1
  /// when there is no limit.
  int64_t topGroups = 1;
  int64_t numGroups = 1;
};

/// What a routing sample is like.
enum class RoutingKind {
  /// All experts are equally likely.
  Uniform,
  /// Likelihoods fall with the square of an expert's place in an order.
  Skewed,
  /// Nearly all tokens choose the same experts, which overflow.
  Hot,
  /// Half of the experts are chosen only if the others do not suffice.
  Unused,
  /// Most scores are equal, so that the lower number decides.
  Ties
};

/// The kind of a sample. Every other one is uniform and the rest take turns,
/// because no kind alone tells all wrong rewrites.
RoutingKind getRoutingKind(unsigned sample);

/// `topK` distinct experts a token chooses, drawn from the hash of what its
/// gate reads, so that replicas agree. Draws of different samples are
/// independent.
llvm::SmallVector<int64_t> sampleExperts(uint64_t contentHash, uint64_t seed,
                                         unsigned sample,
                                         const GateLimits &limits);

/// The `topK` experts with the best scores within the best groups, best first,
/// the lower number first on equal scores. A group's score is the best of its
/// experts, or with `groupSum` the sum of its two best.
llvm::SmallVector<int64_t> chooseExperts(llvm::ArrayRef<double> scores,
                                         const GateLimits &limits,
                                         bool groupSum);

} // namespace moe

#endif // MOE_INTERPRETER_SAMPLING_H
