// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What traffic changes of a program.

#ifndef MOE_COMPILER_TRAFFICUSE_H
#define MOE_COMPILER_TRAFFICUSE_H

#include "moe/Analysis/Timing.h"
#include "moe/Traffic/Routing.h"

namespace moe {

/// How many experts the tokens of a gate are routed between; none of a gate of
/// one expert, such as that of a shared expert, which chooses nothing.
std::optional<int64_t> getRoutedExperts(GateOp gate);

/// Layers of a program, by what traffic changes of them; each name once, in the
/// order of their first tasks.
struct TrafficUse {
  /// Those that take as long as their tokens say.
  llvm::SmallVector<std::string> routed;
  /// Those with a gate whose buffers have a size of their own, however tokens
  /// are routed.
  llvm::SmallVector<std::string> padded;
};

/// What traffic changes of a timed schedule. Emits an error and fails where the
/// trace lacks a layer, or has counts of other experts than its gate.
mlir::FailureOr<TrafficUse> findTrafficUse(const TimedSchedule &schedule,
                                           const traffic::Routing &routing);

/// What a program takes at the steps of a trace.
struct OverTrace {
  std::string file;
  /// By step of the trace.
  std::vector<double> us;
  /// By step, what no order of the tasks beats; empty unless asked for.
  std::vector<double> boundsUs;
  /// Of `us`.
  traffic::Spread spread;
  /// The number of the step that takes longest, the first of equal ones.
  int64_t worstStep = 0;
};

/// A schedule at every step of the trace of a routing. Emits an error and fails
/// where a step cannot be timed.
mlir::FailureOr<OverTrace> simulateOverTrace(TimedSchedule schedule,
                                             OpTimer &timer,
                                             const traffic::Routing &ofAll,
                                             bool withBounds = false);

} // namespace moe

#endif // MOE_COMPILER_TRAFFICUSE_H
