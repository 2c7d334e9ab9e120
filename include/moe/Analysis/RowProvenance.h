// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which assignment of a token to an expert each row of a permuted buffer
// belongs to, and which ops keep the rows of different assignments apart.
//
// `moe.permute` and `moe.permute_rows` place tokens by what the gate has
// chosen, so rank r may hold a token of its own in slot s where its neighbour
// holds a different one, or none. A rewrite that places tokens in another way
// (rows instead of padded slots, sub-batches, chunks of tokens, one copy per
// node) preserves the program only if no op combines rows by their number
// alone. All such rewrites ask here.

#ifndef MOE_ANALYSIS_ROWPROVENANCE_H
#define MOE_ANALYSIS_ROWPROVENANCE_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include <string>

namespace moe {

class RowProvenance {
public:
  /// Follows the rows of all permuted buffers below `root`, and reads from
  /// `root` which values are replicated. Describes the program as it is now.
  explicit RowProvenance(mlir::Operation *root);

  /// Why `op` may combine rows of different assignments, or hands rows to
  /// something that may; empty if it keeps them apart or reads none.
  llvm::StringRef getReason(mlir::Operation *op) const;

  /// The same for all readers of the rows that `permute` (`moe.permute` or
  /// `moe.permute_rows`) makes, with the name of the first such op; empty if
  /// all of them keep rows apart.
  std::string explain(mlir::Operation *order) const;

private:
  llvm::DenseMap<mlir::Operation *, std::string> reasons;
  /// By the op that numbers the rows, the first reader that has a reason.
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> firstMixing;
};

} // namespace moe

#endif // MOE_ANALYSIS_ROWPROVENANCE_H
