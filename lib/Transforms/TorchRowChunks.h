// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chunks of rows whose counts a PyTorch program computes.

#ifndef MOE_LIB_TRANSFORMS_TORCHROWCHUNKS_H
#define MOE_LIB_TRANSFORMS_TORCHROWCHUNKS_H

#include "moe/Analysis/Replication.h"
#include <string>

namespace moe {

/// A ragged exchange of a captured program, and the number of ops that run in
/// chunks between it and the exchanges back; or the reason why it stays whole.
struct TorchRowChunks {
  mlir::Location loc;
  int64_t ops = 0;
  std::string reason;
};

/// Cuts the rows of each of these exchanges, the exchange back and the ops
/// between them into `degree` chunks. A chunk has the same part of the rows of
/// each pair of ranks, so both compute its sizes from the split sizes,
/// and no counts are sent. All chunks are sent first, and each is sent back
/// when it is done. Any op outside of the chain, such as the product for the
/// gradient of a weight, reads all rows in their original order, so its sums
/// keep their order.
llvm::SmallVector<TorchRowChunks>
chunkTorchRows(llvm::ArrayRef<RaggedAllToAllOp> exchanges, int64_t degree,
               const ReplicationInfo &replication);

} // namespace moe

#endif // MOE_LIB_TRANSFORMS_TORCHROWCHUNKS_H
