// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All-to-alls through delegates.

#ifndef MOE_LIB_CIRCUITS_COMPILER_DELEGATEDEXCHANGE_H
#define MOE_LIB_CIRCUITS_COMPILER_DELEGATEDEXCHANGE_H

#include "moe/Dialect/OCS/OCSOps.h"
#include "moe/Fabric/Delegates.h"

namespace moe {

/// The part of one rank in an exchange through delegates, in blocks; there is
/// one block for each rank of the region (SPEC MF-9). Slots are the source rows
/// of consecutive destination rows.
struct DelegatedRank {
  /// For the gather: blocks in send order, and their numbers to and from each
  /// place of the server.
  std::vector<int64_t> gatherSlots, gatherSent, gatherReceived;
  /// For the exchange between servers: numbers to and from each rank of the
  /// region.
  std::vector<int64_t> betweenSlots, betweenSent, betweenReceived;
  /// For the scatter.
  std::vector<int64_t> scatterSlots, scatterSent, scatterReceived;
  /// For the result: source rows in the result of the scatter, followed by the
  /// blocks from the own server.
  std::vector<int64_t> resultSlots;
};

/// The parts of all ranks in a region, by their position in it, servers
/// slowest.
struct DelegatedExchange {
  explicit DelegatedExchange(const fabric::DelegateMap &map);

  int64_t servers, places;
  /// Maximum numbers of blocks in the buffers of the gather and of the exchange
  /// between servers.
  int64_t gathered = 0, received = 0;
  /// Number of blocks that the busiest delegate sends to other servers.
  int64_t busiest = 0;
  std::vector<DelegatedRank> ranks;

  int64_t getNumRanks() const { return servers * places; }
};

/// Builds an all-to-all of all ranks of a fabric's regions through delegates;
/// it must have a static shape and run along dim 0. `op` is not removed.
mlir::Value buildDelegatedExchange(mlir::OpBuilder &builder, AllToAllOp op,
                                   ocs::FabricOp fabric,
                                   const DelegatedExchange &exchange);

} // namespace moe

#endif // MOE_LIB_CIRCUITS_COMPILER_DELEGATEDEXCHANGE_H
