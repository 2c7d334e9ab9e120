// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the ranks of a job can do.

#ifndef MOE_EXECUTION_MEASUREMACHINE_H
#define MOE_EXECUTION_MEASUREMACHINE_H

#include "moe/Execution/Job.h"
#include "moe/Platform/MeasuredPlatform.h"

namespace moe {

/// Which sizes are measured, and what of repeated calls counts.
enum class MeasureProtocol {
  /// 4 KiB and up, each several times the one before; the fastest call.
  Fastest,
  /// As FSMoE, section 6.2: buffers of 2^18, 2 * 2^18 ... 24 * 2^18 elements of
  /// 32 bits, GEMMs of inputs of 2^19 ... 12 * 2^19; the mean of five calls.
  Means
};

struct MachineMeasureOptions {
  MeasureProtocol protocol = MeasureProtocol::Fastest;
  /// Largest buffer of a collective and largest copy.
  int64_t maxBytes = int64_t(64) << 20;
  /// About how long one size of one operation is measured. A size of which one
  /// call takes longer is the last.
  double secondsPerSize = 0.3;
  /// Messages between each two ranks, too.
  bool pairs = false;
  /// Ranks have devices, which work apart from the thread that asks them to:
  /// an operation is timed in a row of such, so that asking is not measured, and
  /// GEMMs are of bf16 and as large as tensor cores need.
  bool onDevices = false;
  /// Copies and GEMMs alone, for which one rank is enough.
  bool ofOneRank = false;
};

/// Finds out by the ranks' host names. Fails when nodes have different numbers
/// of ranks or ranks of one are not neighbours. All ranks call it.
cost::Result<platform::Nodes> findNodes(Job &job);

/// Measures collectives, copies and GEMMs, all ranks at the same time: the
/// slowest rank counts, and of repeated calls what the protocol says. All ranks
/// call it.
cost::Result<platform::Measurements>
measureMachine(Job &job, const MachineMeasureOptions &options);

/// The same on threads of this process, a rank each: `config` says how many
/// and where they meet.
cost::Result<platform::Measurements>
measureMachineOnThreads(const moert_config &config,
                        const MachineMeasureOptions &options);

} // namespace moe

#endif // MOE_EXECUTION_MEASUREMACHINE_H
