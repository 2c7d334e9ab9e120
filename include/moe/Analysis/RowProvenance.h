// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Provenance of rows in permuted buffers: the (token, expert) assignment of
// each row, and the ops that keep the rows of different assignments separate.
//
// `moe.permute` and `moe.permute_rows` place tokens according to the gate's
// choices, so slot s may hold a different token on each rank, or none. A
// rewrite that places tokens in another way (rows instead of padded slots,
// sub-batches, chunks of tokens, one copy per node) preserves the program only
// if no op combines rows by their number alone. All such rewrites use this
// analysis.

#ifndef MOE_ANALYSIS_ROWPROVENANCE_H
#define MOE_ANALYSIS_ROWPROVENANCE_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include <string>

namespace moe {

class RowProvenance {
public:
  /// Follows the rows of all permuted buffers below `root`, and determines the
  /// replicated values from `root`. Describes the program at the time of
  /// construction.
  explicit RowProvenance(mlir::Operation *root);

  /// Returns why `op` may combine rows of different assignments, or passes rows
  /// to an op that may; empty if it keeps them separate or reads none.
  llvm::StringRef getReason(mlir::Operation *op) const;

  /// The same for all readers of the rows that `order` (`moe.permute` or
  /// `moe.permute_rows`) produces, with the name of the first such op; empty if
  /// all of them keep rows separate.
  std::string explain(mlir::Operation *order) const;

private:
  llvm::DenseMap<mlir::Operation *, std::string> reasons;
  /// For each op that numbers rows, the first reader with a reason.
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> firstMixing;
};

} // namespace moe

#endif // MOE_ANALYSIS_ROWPROVENANCE_H
