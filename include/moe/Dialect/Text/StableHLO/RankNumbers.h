// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of ranks in StableHLO.

#ifndef MOE_DIALECT_TEXT_STABLEHLO_RANKNUMBERS_H
#define MOE_DIALECT_TEXT_STABLEHLO_RANKNUMBERS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace moe {

/// Integers of StableHLO that depend on nothing but the device, one for each
/// rank: `partition_id`, and what JAX computes from it for a place on an axis.
class RankNumbers {
public:
  explicit RankNumbers(int64_t ranks) : ranks(ranks) {}

  static constexpr int64_t kMostRanks = 4096;
  using Numbers = llvm::SmallVector<int64_t>;

  /// Null when a value depends on more, and on more ranks than `kMostRanks`:
  /// what is computed for each of them takes time.
  const Numbers *get(mlir::Value value);

private:
  std::optional<Numbers> compute(mlir::Operation *op, mlir::Type type);

  int64_t ranks;
  unsigned depth = 0;
  llvm::DenseMap<mlir::Value, std::optional<Numbers>> known;
};

} // namespace moe

#endif // MOE_DIALECT_TEXT_STABLEHLO_RANKNUMBERS_H
