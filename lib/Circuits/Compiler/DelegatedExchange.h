// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All-to-alls through delegates.

#ifndef MOE_LIB_CIRCUITS_COMPILER_DELEGATEDEXCHANGE_H
#define MOE_LIB_CIRCUITS_COMPILER_DELEGATEDEXCHANGE_H

#include "moe/Dialect/OCS/OCSOps.h"
#include "moe/Fabric/Delegates.h"

namespace moe {

/// What one rank does in an exchange through delegates, in blocks, of which a
/// rank has one for each rank of its region (SPEC MF-9). Slots are the rows
/// that others, in order, are taken from.
struct DelegatedRank {
  /// Of the gather: blocks in the order in which they are sent, and how many
  /// to and from each place of the server.
  std::vector<int64_t> gatherSlots, gatherSent, gatherReceived;
  /// Of the exchange between servers: to and from each rank of the region.
  std::vector<int64_t> betweenSlots, betweenSent, betweenReceived;
  /// Of the scatter.
  std::vector<int64_t> scatterSlots, scatterSent, scatterReceived;
  /// Of the result, from what the scatter brought and, behind that, the blocks
  /// of the own server.
  std::vector<int64_t> resultSlots;
};

/// What all ranks of a region do, by their place in it, servers slowest.
struct DelegatedExchange {
  explicit DelegatedExchange(const fabric::DelegateMap &map);

  int64_t servers, places;
  /// Blocks of the buffers that gather and exchange between servers bring.
  int64_t gathered = 0, received = 0;
  /// Blocks that the busiest delegate sends to other servers.
  int64_t busiest = 0;
  std::vector<DelegatedRank> ranks;

  int64_t getNumRanks() const { return servers * places; }
};

/// Builds an all-to-all of all ranks of a fabric's regions, of a static shape
/// along dim 0, through delegates; leaves the op where it is.
mlir::Value buildDelegatedExchange(mlir::OpBuilder &builder, AllToAllOp op,
                                   ocs::FabricOp fabric,
                                   const DelegatedExchange &exchange);

} // namespace moe

#endif // MOE_LIB_CIRCUITS_COMPILER_DELEGATEDEXCHANGE_H
