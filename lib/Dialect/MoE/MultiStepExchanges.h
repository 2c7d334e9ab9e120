// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges on ways of several steps.

#ifndef MOE_LIB_DIALECT_MOE_MULTISTEPEXCHANGES_H
#define MOE_LIB_DIALECT_MOE_MULTISTEPEXCHANGES_H

#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/RunInterfaces.h"

namespace moe {

/// An exchange whose runs an op finds (`RunsOpInterface`).
struct MadeRuns {
  RunsOpInterface maker;
  /// The result of the op that says what it sends, and which of the exchanges
  /// by that result it is.
  unsigned result;
  int64_t turn;
  /// From the experts, not to them.
  bool isBack;
  /// Ranks that the rows are of, and experts on them.
  int64_t numRanks, numExperts;
  /// Copies of tokens that a rank has for experts.
  int64_t copies;
};

/// Nullopt for other exchanges, and where it is not to be seen how many tokens
/// are counted.
std::optional<MadeRuns> findMadeRuns(RaggedAllToAllOp exchange);

} // namespace moe

#endif // MOE_LIB_DIALECT_MOE_MULTISTEPEXCHANGES_H
