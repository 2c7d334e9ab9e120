// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the machine of a job.

#ifndef MOE_EXECUTION_MEASUREMACHINE_H
#define MOE_EXECUTION_MEASUREMACHINE_H

#include "moe/Execution/Job.h"
#include "moe/Platform/MeasuredPlatform.h"

namespace moe {

/// The measured sizes, and the statistic of repeated calls.
enum class MeasureProtocol {
  /// 4 KiB and up, each size several times the previous one; the fastest call
  /// counts.
  Fastest,
  /// The protocol of FSMoE, section 6.2: buffers of 2^18, 2 * 2^18 ... 24 *
  /// 2^18 elements of 32 bits, and GEMMs with inputs of 2^19 ... 12 * 2^19
  /// elements; the mean of five calls counts.
  Means
};

struct MachineMeasureOptions {
  MeasureProtocol protocol = MeasureProtocol::Fastest;
  /// Largest buffer of a collective and largest copy.
  int64_t maxBytes = int64_t(64) << 20;
  /// Approximate time to measure one size of one operation, in seconds. A size
  /// with a longer call is the last one.
  double secondsPerSize = 0.3;
  /// Also measure messages between each pair of ranks.
  bool pairs = false;
  /// Ranks have devices, which work asynchronously. Operations are then timed
  /// in a row of several, so that the launch time is not measured. GEMMs are
  /// bf16, and as large as tensor cores need.
  bool onDevices = false;
  /// Measure only copies and GEMMs, which one rank can do.
  bool ofOneRank = false;
};

/// Finds the nodes of the job by host name. Fails if nodes have different
/// numbers of ranks, or if the ranks of some node are not neighbours. All ranks
/// must call it.
cost::Result<platform::Nodes> findNodes(Job &job);

/// Measures collectives, copies and GEMMs on all ranks at the same time. The
/// slowest rank counts; the protocol determines which of the repeated calls
/// count. All ranks must call it.
cost::Result<platform::Measurements>
measureMachine(Job &job, const MachineMeasureOptions &options);

/// Like `measureMachine`, on threads of this process, one per rank. `config`
/// has the number of ranks and the address.
cost::Result<platform::Measurements>
measureMachineOnThreads(const moert_config &config,
                        const MachineMeasureOptions &options);

} // namespace moe

#endif // MOE_EXECUTION_MEASUREMACHINE_H
