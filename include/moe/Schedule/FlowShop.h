// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs through stages, in closed form.
//
// A pipelined exchange is a flow shop: its chunks are jobs, each passes the
// same stages in order, and a stage works on one chunk at a time (SPEC MO-6).

#ifndef MOE_SCHEDULE_FLOWSHOP_H
#define MOE_SCHEDULE_FLOWSHOP_H

#include <cstdint>
#include <span>

namespace moe::schedule {

/// The makespan of `numJobs` equal jobs, `stageUs` giving the time of each
/// stage: the sum of the stages, and the longest once more for each further
/// job. Exact without contention. 0 when there are no jobs or no stages.
double getEqualJobsMakespanUs(std::span<const double> stageUs, int64_t numJobs);

/// The makespan of jobs that may differ. `timesUs` holds the times of the
/// first job's stages, then those of the second, and so on: its size is a
/// multiple of `numStages`. `doneUs` is work memory of at least `numStages`
/// numbers; it returns when each stage is done with the last job. Exact
/// without contention.
double getFlowShopMakespanUs(std::span<const double> timesUs,
                             std::span<double> doneUs, int64_t numStages);

} // namespace moe::schedule

#endif // MOE_SCHEDULE_FLOWSHOP_H
