// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contains all planners. The planners of moe-fabric keep their former names
// here.

#include "../moe-fabric/Commands.h"
#include "Command.h"

int main(int argc, char **argv) {
  moe::plan::registerFabricPrintings();
  return moe::plan::runPlannerTool(
      {"moe-plan", "moe-plan: plan the communication of MoE training\n", {}},
      argc, argv);
}
