// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The planners of fabrics and circuits.

#include "moe/Circuits/Register.h"
#include "moe/Circuits/Planning/Circuits.h"
#include "moe/Circuits/Planning/Cost.h"
#include "moe/Circuits/Planning/Fabric.h"
#include "moe/Circuits/Planning/Job.h"
#include "moe/Circuits/Planning/Predict.h"

using namespace moe;
using namespace moe::planning;

static constexpr Planner kPlanners[] = {
    {"circuits", "Choose which servers to connect by optical circuits",
     Subject::Fabrics, ask<CircuitsInput, CircuitsAnswer, planCircuits>},
    {"cost", "Compute the cost of a cluster's network", Subject::Fabrics,
     ask<CostInput, CostAnswer, planCost>},
    {"fabric",
     "Simulate exchanges on a cluster's network fabric and list the busiest "
     "links",
     Subject::Fabrics, ask<FabricInput, FabricAnswer, planFabric>},
    {"job",
     "Simulate training steps of whole clusters, with speed and cost relative "
     "to a fat tree",
     Subject::Fabrics, ask<JobInput, JobAnswer, planJob>},
    {"predict",
     "Predict the expert loads of a layer from the loads of the previous layer",
     Subject::Fabrics, ask<PredictInput, PredictAnswer, planPredict>},
};

void moe::registerCircuitPlanners() {
  registerPlanners(kPlanners);
  // The layout planner compiles programs.
  registerCircuitPhase();
}
