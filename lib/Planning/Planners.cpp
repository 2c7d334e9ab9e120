// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The list of planners.

#include "moe/Planning/AllToAll.h"
#include "moe/Planning/Collective.h"
#include "moe/Planning/Conflicts.h"
#include "moe/Planning/Degree.h"
#include "moe/Planning/Dispatch.h"
#include "moe/Planning/DispatchKernel.h"
#include "moe/Planning/Expand.h"
#include "moe/Planning/Flags.h"
#include "moe/Planning/Gemm.h"
#include "moe/Planning/Gradients.h"
#include "moe/Planning/Limits.h"
#include "moe/Planning/Memory.h"
#include "moe/Planning/Step.h"
#include "moe/Planning/Sweep.h"
#include "moe/Planning/Traffic.h"
#include "llvm/ADT/STLExtras.h"

using namespace moe;
using namespace moe::planning;

static constexpr Planner kPlanners[] = {
    {"all-to-all",
     "Choose the fastest strategy for one all-to-all of a tensor-parallel MoE "
     "layer",
     Subject::Training, ask<AllToAllInput, AllToAllAnswer, planAllToAll>},
    {"collective",
     "Predict the time of an all-to-all, all-gather, reduce-scatter or "
     "all-reduce",
     Subject::Training, ask<CollectiveInput, CollectiveAnswer, planCollective>},
    {"conflicts",
     "Find exchanges of a training step that share links, and their priorities",
     Subject::Training, ask<ConflictsInput, ConflictsAnswer, planConflicts>},
    {"degree",
     "Choose the number of chunks of an MoE layer and their launch order",
     Subject::Training, ask<DegreeInput, DegreeAnswer, planDegree>},
    {"dispatch",
     "Balance the dispatch of an all-to-all by the topology, so that its "
     "slowest "
     "delivery ends early",
     Subject::Training, ask<DispatchInput, DispatchAnswer, planDispatch>},
    {"dispatch-kernel",
     "Predict the times of a dispatcher's kernels, as DeepEP's",
     Subject::Training,
     ask<DispatchKernelInput, DispatchKernelAnswer, planDispatchKernel>},
    {"expand",
     "Place context-parallel ranks relative to expert-parallel ranks, and size "
     "the switches",
     Subject::Training, ask<ExpandInput, ExpandAnswer, planExpand>},
    {"flags",
     "Map flags of Megatron-LM, DeepSpeed and torchtitan to options of these "
     "tools",
     Subject::Training, ask<FlagsInput, FlagsAnswer, planFlags>},
    {"gemm",
     "Predict the time of a matrix product, or of one product for each of "
     "several experts",
     Subject::Training, ask<GemmInput, GemmAnswer, planGemm>},
    {"gradients",
     "Cut gradients into buckets and overlap their all-reduce with the "
     "backward "
     "pass",
     Subject::Training, ask<GradientsInput, GradientsAnswer, planGradients>},
    {"limits",
     "List what predictions of steps and of memory leave out, and for which "
     "jobs",
     Subject::Training, ask<LimitsInput, LimitsAnswer, planLimits>},
    {"memory",
     "Count the memory that training needs per rank, by part (Adam, 16-bit "
     "weights)",
     Subject::Training, ask<MemoryInput, MemoryAnswer, planMemory>},
    {"step",
     "Predict the time of a training step as a job runs it: with its "
     "dispatcher, overlap, recomputation and pipeline layout",
     Subject::Training, ask<StepInput, StepAnswer, planStep>},
    {"sweep",
     "List the layouts of a training job that fit the memory of its ranks, "
     "fastest first",
     Subject::Training, ask<SweepInput, SweepAnswer, planSweep>},
    {"traffic",
     "Generate a routing trace, or report the load imbalance of a trace",
     Subject::Training, ask<TrafficInput, TrafficAnswer, planTraffic>},
};

/// The core's entries and the entries of optional components.
static std::vector<Planner> &getPlanners() {
  static std::vector<Planner> planners(std::begin(kPlanners),
                                       std::end(kPlanners));
  return planners;
}

llvm::ArrayRef<Planner> moe::planning::listPlanners() { return getPlanners(); }

void moe::planning::registerPlanners(llvm::ArrayRef<Planner> planners) {
  std::vector<Planner> &all = getPlanners();
  for (const Planner &planner : planners)
    if (!findPlanner(planner.name))
      all.push_back(planner);
  llvm::sort(
      all, [](const Planner &a, const Planner &b) { return a.name < b.name; });
}
