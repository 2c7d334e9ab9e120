// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of a buffer that each expert processes.

#ifndef MOE_INTERPRETER_EXPERTROWS_H
#define MOE_INTERPRETER_EXPERTROWS_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace moe {

/// Row numbers per expert, in the order in which the expert adds them up. The
/// buffer is [rows, hidden], or [experts, rows..., hidden] with its leading
/// dims flattened.
using ExpertRows = llvm::SmallVector<llvm::SmallVector<int64_t>>;

} // namespace moe

#endif // MOE_INTERPRETER_EXPERTROWS_H
