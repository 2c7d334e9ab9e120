// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What host and device kernels agree on.

#ifndef MOERT_NCCL_KERNELARGS_H
#define MOERT_NCCL_KERNELARGS_H

#include "moert.h"

namespace moert::cuda {

/// A box copy: `count` words of `elementBytes` bytes in all.
struct BoxArgs {
  void *target;
  const void *source;
  long long sizes[MOERT_MAX_DIMS], targetStrides[MOERT_MAX_DIMS],
      sourceStrides[MOERT_MAX_DIMS];
  long long count;
  int dims, elementBytes;
  /// Numbers of words, and where they lie, fit 32 bits.
  int isNarrow;
};

/// Rows of some runs of a buffer, and the same in `packed`: one behind the
/// other, or one for each run, as a bias is. Runs of a call are so few that a
/// launch takes them.
struct RunsArgs {
  static constexpr int kMost = 128;
  /// First row of each run in the buffer, and how many rows of the call there
  /// are up to its end.
  long long begins[kMost], ends[kMost];
  int runs;
  /// Rows go from `packed` to the buffer.
  int unpacks;
  long long rowBytes;
  /// Bytes in `packed` from a run's one row to the next run's; 0 where all rows
  /// are there.
  long long biasStep;
  void *buffer, *packed;
};

/// Addresses for a list in the device's memory. A launch takes as many as
/// three operands of `kMost / 3` products have.
struct AddressesArgs {
  static constexpr int kMost = 384;
  const void *addresses[kMost];
  int count;
  const void **list;
};

/// What stands between the products of experts: `count` elements. `gated` goes
/// into the last product, `firstGradient` and `secondGradient` are gradients of
/// `inner` and `up`; all of them may be in the place of what they are made of.
struct ActivateArgs {
  const void *inner, *up;
  void *gated, *firstGradient, *secondGradient;
  long long count;
  int activation, type;
  /// The experts are of kind clamped_swiglu.
  int clamps;
};

/// Copies of tokens, sorted by expert: `parts` parts of `tokens` tokens, each
/// of `perToken` copies. A part is gone over in `tiles` tiles of `tileSize`
/// copies, in the order of choices or of tokens.
struct SortArgs {
  const void *ids;
  /// [parts, tiles, experts]: copies of an expert in a tile, then in all tiles
  /// before it.
  long long *cursors;
  long long parts, tokens, perToken, experts, tiles, tileSize;
  int idsType, byChoice;
  /// Numbers of the ids that count as one expert, side by side; 1 unless what
  /// is sorted by are groups of experts.
  long long idsPerExpert;
  /// Warps keep the cursors of their tile in the block's shared memory.
  int isShared;
  /// What a wrong number of an expert is called.
  int code;
  /// -1 is no expert; where it is 0, a wrong number.
  int allowsNone;
  // Where copies go: each expert has `capacity` slots, or, where `counts` is
  // not null, as many rows as it has copies, behind those of the experts before
  // it.
  const long long *counts;
  long long capacity;
  void *slots;
};

/// Words of a row that a lane has at a time: of rows that are moved, and of
/// those that are added up.
constexpr int kMoveWords = 4, kUnorderWords = 2;

/// Tokens that are copied to their slots, of which each has `perToken`; -1 is
/// none.
struct MoveArgs {
  const void *slots;
  int slotsType;
  long long tokens, perToken, rowBytes;
  const void *x;
  void *buffer;
};

/// What kernels find wrong in their data: of which kernel, and what. Their
/// words are those of the CPU's kernels (KernelErrors.cpp).
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
  kLimitChoicesLimit
};

/// The first thing that a kernel found wrong: `value` at element `at` of its
/// ids or slots, of which each token has `perToken`. `limit` is how many
/// experts or rows there are.
struct Error {
  int taken, code;
  long long value, at, perToken, limit;
};

} // namespace moert::cuda

#endif // MOERT_NCCL_KERNELARGS_H
