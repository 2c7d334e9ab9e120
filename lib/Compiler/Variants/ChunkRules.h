// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules for chunks that the searches for variants and for degrees share.

#ifndef MOE_LIB_COMPILER_VARIANTS_CHUNKRULES_H
#define MOE_LIB_COMPILER_VARIANTS_CHUNKRULES_H

#include "moe/Cost/Machine.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include <optional>
#include <string>

namespace moe {

/// Returns the error in the option max-chunks of a pass that times a layer in
/// every number of chunks, or an empty string.
std::string checkMaxChunks(int64_t maxChunks);

/// Returns the bytes of a chunk's message if the machine's minimum does not
/// permit it, because it is mostly latency (SPEC MO-5). Exchanges that
/// accompany a larger one of the same rows are exempt.
std::optional<int64_t> getTooSmallMessage(CollectiveOpInterface op,
                                          const cost::Machine &machine);

/// Returns the collectives up to the last of `ops`, which run in chunks, that
/// neither depend on these ops nor are dependencies of them, in order.
llvm::SmallVector<CollectiveOpInterface>
findCollectivesBeside(llvm::ArrayRef<mlir::Operation *> ops);

} // namespace moe

#endif // MOE_LIB_COMPILER_VARIANTS_CHUNKRULES_H
