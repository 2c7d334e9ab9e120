// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Permutations of rows that PyTorch programs compute.

#ifndef MOE_LIB_TRANSFORMS_TORCHROWORDER_H
#define MOE_LIB_TRANSFORMS_TORCHROWORDER_H

#include "mlir/IR/Value.h"

namespace moe {

/// Returns true for indices that are a permutation of rows: the indices of a
/// sort, or indices that put runs of rows in another order.
bool isRowPermutation(mlir::Value value);

/// Returns a tensor with an element for each row that `permutation` moves: the
/// keys of the sort, or the number of each row's run. Requires
/// `isRowPermutation`.
mlir::Value getRowKeys(mlir::Value permutation);

/// Returns the permutation whose ascending sort is this permutation, so that
/// the two are inverse; null if there is none.
mlir::Value getInvertedPermutation(mlir::Value permutation);

} // namespace moe

#endif // MOE_LIB_TRANSFORMS_TORCHROWORDER_H
