// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The communicator of all ranks of a job.

#ifndef MOERT_NCCL_WORLDCOMM_H
#define MOERT_NCCL_WORLDCOMM_H

#include "nccl/LiveComm.h"

namespace moert::nccl {

class NcclContext;

/// A communicator of all ranks, from which the communicators of groups are
/// split, so that a job connects to a root of NCCL once and not per group. It
/// runs no collectives, so it is always idle, as a split requires. All ranks
/// call `agree` and `split` at once and in the same order, also ranks that need
/// no communicator, because a split gathers the groups of all ranks.
///
/// ncclCommShrink (NCCL 2.27), which only members call, does not replace this:
/// it keeps the order of ranks, must exclude at least one, and does not
/// distinguish the communicators that are made from one parent.
class WorldComm {
public:
  explicit WorldComm(NcclContext &context) : context(context) {}

  /// Waits until all ranks are about to split with the same key, and then
  /// exchanges the identity of the communicator if it does not exist.
  Status agree(uint64_t key, bool needsComm, Deadline deadline);
  /// Splits a blocking communicator for the ranks with this color, in the order
  /// of `position`. `made` stays null if `color` is -1, that is, for a rank
  /// that needs none. Must follow `agree`.
  Status split(int color, int position, Deadline deadline, Comm &made);

  /// Called by the watcher after a failure; a waiting `split` returns.
  void abort();
  /// Ends the communicator. No other call may follow.
  void end(bool isWell);

private:
  Status create(Deadline deadline);

  NcclContext &context;
  UniqueId id{};
  /// Whether any rank needs the split that all have agreed on.
  bool isNeeded = false;
  /// Guards `live`, which `abort` reads on another thread.
  std::mutex mutex;
  std::shared_ptr<LiveComm> live;
  /// Where NCCL stores the result of a split, maybe after a deadline.
  Comm part = nullptr;
};

} // namespace moert::nccl

#endif // MOERT_NCCL_WORLDCOMM_H
