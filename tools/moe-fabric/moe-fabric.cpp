// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The planners of network fabrics.

#include "Command.h"
#include "Commands.h"

int main(int argc, char **argv) {
  moe::plan::registerFabricPrintings();
  return moe::plan::runPlannerTool({"moe-fabric",
                                    "moe-fabric: plan the network fabrics and "
                                    "optical circuits of clusters\n",
                                    moe::planning::Subject::Fabrics},
                                   argc, argv);
}
