// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ragged exchanges that run in several steps.

#ifndef MOE_LIB_DIALECT_MOE_MULTISTEPEXCHANGES_H
#define MOE_LIB_DIALECT_MOE_MULTISTEPEXCHANGES_H

#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/RunInterfaces.h"

namespace moe {

/// An exchange of runs that an op computes (`RunsOpInterface`).
struct MadeRuns {
  RunsOpInterface maker;
  /// The result of the op with the exchange's send sizes, and the exchange's
  /// number among those that use this result.
  unsigned result;
  int64_t turn;
  /// True on the way back from the experts.
  bool isBack;
  /// Number of ranks that send rows, and of experts on all of them.
  int64_t numRanks, numExperts;
  /// Number of assignments of tokens to experts per rank.
  int64_t copies;
};

/// Returns nullopt for other exchanges, and if the number of counted tokens
/// cannot be found.
std::optional<MadeRuns> findMadeRuns(RaggedAllToAllOp exchange);

} // namespace moe

#endif // MOE_LIB_DIALECT_MOE_MULTISTEPEXCHANGES_H
