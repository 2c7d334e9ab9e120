// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which rows of a buffer an expert gets.

#ifndef MOE_INTERPRETER_EXPERTROWS_H
#define MOE_INTERPRETER_EXPERTROWS_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace moe {

/// The numbers of the rows of each expert, in the order in which sums over the
/// expert take them. Rows are those of a buffer [rows, hidden], or of a buffer
/// [experts, rows..., hidden] with its leading dims as one.
using ExpertRows = llvm::SmallVector<llvm::SmallVector<int64_t>>;

} // namespace moe

#endif // MOE_INTERPRETER_EXPERTROWS_H
