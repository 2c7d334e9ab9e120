// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Closed-form makespans of pipelines.
//
// A pipelined exchange is a flow shop: its chunks are jobs, each job passes the
// same stages in order, and a stage works on one chunk at a time (SPEC MO-6).

#ifndef MOE_SCHEDULE_FLOWSHOP_H
#define MOE_SCHEDULE_FLOWSHOP_H

#include <cstdint>
#include <span>

namespace moe::schedule {

/// Returns the makespan of `numJobs` equal jobs, where `stageUs` has the time
/// of each stage: the sum of the stages, plus the longest stage once for each
/// further job. Exact without contention; 0 without jobs or stages.
double getEqualJobsMakespanUs(std::span<const double> stageUs, int64_t numJobs);

/// Returns the makespan of jobs that may differ. `timesUs` has the times of the
/// first job's stages, then the second job's, and so on, so its size is a
/// multiple of `numStages`. `doneUs` is work memory of at least `numStages`
/// numbers; it returns when each stage completes the last job. Exact without
/// contention.
double getFlowShopMakespanUs(std::span<const double> timesUs,
                             std::span<double> doneUs, int64_t numStages);

} // namespace moe::schedule

#endif // MOE_SCHEDULE_FLOWSHOP_H
