// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans of ragged exchanges.

#ifndef MOERT_CORE_RAGGEDPLAN_H
#define MOERT_CORE_RAGGEDPLAN_H

#include "core/Status.h"
#include "moert.h"
#include <string>

namespace moert {

/// The rows of each position of a group for each expert; moert.h describes the
/// members.
struct RaggedPlan {
  int64_t position, ranks, joinedPosition, joined;
  const int32_t *members;
  int64_t experts, limit;
  const void *counts;
  moert_type countsType;
  void *sendOffsets, *sendSizes, *receiveOffsets, *receiveSizes, *runOffsets,
      *runSizes;
  moert_type type;

  Status verify() const;
  /// Checks that counts are not negative and that no rank receives more rows
  /// than its limit. Every rank checks all ranks, so that all report the same
  /// error.
  Status verifyCounts() const;
  /// Writes the offsets and sizes.
  Status make() const;

private:
  int64_t getCount(int64_t at, int64_t from, int64_t expert) const;
  /// Describes the rank at a position of one of the joined groups.
  std::string describe(int64_t at, int64_t to) const;
  void writeRuns() const;
};

} // namespace moert

#endif // MOERT_CORE_RAGGEDPLAN_H
