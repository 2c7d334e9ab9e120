// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// StableHLO integers that depend on the rank.

#ifndef MOE_DIALECT_TEXT_STABLEHLO_RANKNUMBERS_H
#define MOE_DIALECT_TEXT_STABLEHLO_RANKNUMBERS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace moe {

/// Integers of StableHLO that depend on nothing but the device, with one value
/// per rank: `partition_id`, and the positions on mesh axes that JAX computes
/// from it.
class RankNumbers {
public:
  explicit RankNumbers(int64_t ranks) : ranks(ranks) {}

  static constexpr int64_t kMostRanks = 4096;
  using Numbers = llvm::SmallVector<int64_t>;

  /// Returns null if a value depends on anything else, or for more than
  /// `kMostRanks` ranks, because the values are computed for each rank.
  const Numbers *get(mlir::Value value);

private:
  std::optional<Numbers> compute(mlir::Operation *op, mlir::Type type);

  int64_t ranks;
  unsigned depth = 0;
  llvm::DenseMap<mlir::Value, std::optional<Numbers>> known;
};

} // namespace moe

#endif // MOE_DIALECT_TEXT_STABLEHLO_RANKNUMBERS_H
