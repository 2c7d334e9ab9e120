// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Effects of a routing trace on a program.

#ifndef MOE_COMPILER_TRAFFICUSE_H
#define MOE_COMPILER_TRAFFICUSE_H

#include "moe/Analysis/Timing.h"
#include "moe/Traffic/Routing.h"

namespace moe {

/// Returns the number of experts that a gate routes tokens to. Nullopt for a
/// gate with one expert, for example of a shared expert, because it makes no
/// choice.
std::optional<int64_t> getRoutedExperts(GateOp gate);

/// Layers of a program by the effect of a routing trace. Each name occurs once,
/// in the order of the layers' first tasks.
struct TrafficUse {
  /// Layers with times that depend on their tokens.
  llvm::SmallVector<std::string> routed;
  /// Layers with a gate and with buffers of a fixed size for any routing.
  llvm::SmallVector<std::string> padded;
};

/// Returns the effects of a routing trace on a timed schedule. Emits an error
/// and fails if the trace lacks layers, or has counts for other experts than
/// their gate.
mlir::FailureOr<TrafficUse> findTrafficUse(const TimedSchedule &schedule,
                                           const traffic::Routing &routing);

/// Times of a program at the iterations of a trace.
struct OverTrace {
  std::string file;
  /// By iteration of the trace.
  std::vector<double> us;
  /// Lower bound on all task orders, by iteration; empty unless requested.
  std::vector<double> boundsUs;
  /// Statistics of `us`.
  traffic::Spread spread;
  /// The number of the slowest iteration, the first one of ties.
  int64_t worstStep = 0;
};

/// Simulates a schedule at every iteration of a routing's trace. Emits an error
/// and fails if an iteration cannot be timed.
mlir::FailureOr<OverTrace> simulateOverTrace(TimedSchedule schedule,
                                             OpTimer &timer,
                                             const traffic::Routing &ofAll,
                                             bool withBounds = false);

} // namespace moe

#endif // MOE_COMPILER_TRAFFICUSE_H
