// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of merged forward and backward passes.

#ifndef MOE_LIB_TRANSFORMS_MERGEDORDER_H
#define MOE_LIB_TRANSFORMS_MERGEDORDER_H

#include "moe/Analysis/Timing.h"

namespace moe {

/// An order of all tasks of a schedule. Only tasks of one queue must keep it.
struct MergedOrder {
  llvm::SmallVector<schedule::TaskId> order;
  /// The queue of each task, by its number in the schedule. Tasks on the stream
  /// of the experts are one queue; so are the other tasks of one pass of one
  /// sub-batch, per stream.
  llvm::SmallVector<int64_t> queues;
};

/// Finds the order of `mergePasses`. Returns the reason why there is none;
/// empty if there is one.
std::string findMergedOrder(const TimedSchedule &timed, MergedOrder &merged);

} // namespace moe

#endif // MOE_LIB_TRANSFORMS_MERGEDORDER_H
