// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments that host code and device kernels share.

#ifndef MOERT_NCCL_KERNELARGS_H
#define MOERT_NCCL_KERNELARGS_H

#include "moert.h"

namespace moert::cuda {

/// A box copy of `count` words with `elementBytes` bytes each.
struct BoxArgs {
  void *target;
  const void *source;
  long long sizes[MOERT_MAX_DIMS], targetStrides[MOERT_MAX_DIMS],
      sourceStrides[MOERT_MAX_DIMS];
  long long count;
  int dims, elementBytes;
  /// Whether numbers and offsets of words fit 32 bits.
  int isNarrow;
};

/// Rows of some runs of a buffer, and the same rows in `packed`: contiguous, or
/// one row per run like a bias. A launch accepts a limited number of runs.
struct RunsArgs {
  static constexpr int kMost = 128;
  /// First row of each run in the buffer, and total number of rows up to its
  /// end.
  long long begins[kMost], ends[kMost];
  int runs;
  /// Copy rows from `packed` to the buffer.
  int unpacks;
  long long rowBytes;
  /// Distance in `packed` between the rows of consecutive runs in bytes; 0 if
  /// `packed` has all rows.
  long long biasStep;
  void *buffer, *packed;
};

/// Addresses for a list in device memory. A launch accepts three operands of
/// `kMost / 3` products.
struct AddressesArgs {
  static constexpr int kMost = 384;
  const void *addresses[kMost];
  int count;
  const void **list;
};

/// The function between the products of experts for `count` elements. `gated`
/// is the operand of the last product; `firstGradient` and `secondGradient` are
/// gradients of `inner` and `up`. All results may replace their inputs.
struct ActivateArgs {
  const void *inner, *up;
  void *gated, *firstGradient, *secondGradient;
  long long count;
  int activation, type;
  /// The experts are of kind clamped_swiglu.
  int clamps;
};

/// Assignments sorted by expert: `parts` parts of `tokens` tokens with
/// `perToken` assignments each. A part is processed in `tiles` tiles of
/// `tileSize` assignments, in the order of choices or of tokens.
struct SortArgs {
  const void *ids;
  /// [parts, tiles, experts]: assignments per expert in a tile, later in all
  /// previous tiles.
  long long *cursors;
  long long parts, tokens, perToken, experts, tiles, tileSize;
  int idsType, byChoice;
  /// Number of consecutive ids that count as one expert; 1 unless the sort is
  /// by groups of experts.
  long long idsPerExpert;
  /// Warps keep the cursors of their tile in the block's shared memory.
  int isShared;
  /// Error code of an invalid expert number.
  int code;
  /// Whether -1 means no expert; otherwise it is invalid.
  int allowsNone;
  // Destination of assignments: each expert has `capacity` slots or, if
  // `counts` is not null, as many rows as assignments, after the rows of the
  // previous experts.
  const long long *counts;
  long long capacity;
  void *slots;
};

/// Words of a row that a lane processes at a time when it moves rows, and when
/// it sums them.
constexpr int kMoveWords = 4, kUnorderWords = 2;

/// Tokens to copy to their slots, `perToken` each; -1 means none.
struct MoveArgs {
  const void *slots;
  int slotsType;
  long long tokens, perToken, rowBytes;
  const void *x;
  void *buffer;
};

/// Errors that kernels find in their data, by kernel. KernelErrors.cpp has the
/// messages, which equal the CPU kernels' messages.
enum ErrorCode {
  kNoError = 0,
  kOrderExpert,
  kOrderRowsExpert,
  kExpertCountsExpert,
  kUnorderSlot,
  kScatterSlot,
  kScatterSlotAgain,
  kUnorderWgradSlot,
  kGateGradExpert,
  kDistinctNodesExpert,
  kDistinctNodesWidth,
  kLimitChoicesExpert,
  kLimitChoicesLimit,
  kExpertsRows
};

/// The first error that a kernel found: `value` at element `at` of its ids or
/// slots, with `perToken` per token. `limit` is the number of experts or rows.
struct Error {
  int taken, code;
  long long value, at, perToken, limit;
};

} // namespace moert::cuda

#endif // MOERT_NCCL_KERNELARGS_H
