// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Printers of answers about fabrics.

#ifndef MOE_TOOLS_MOE_FABRIC_FABRICPRINTING_H
#define MOE_TOOLS_MOE_FABRIC_FABRICPRINTING_H

#include "Command.h"
#include "moe/Circuits/Planning/Circuits.h"
#include "moe/Circuits/Planning/Cost.h"
#include "moe/Circuits/Planning/Fabric.h"
#include "moe/Circuits/Planning/Job.h"
#include "moe/Circuits/Planning/Predict.h"

namespace moe::plan {

void printCircuitsDot(llvm::raw_ostream &os, const planning::CircuitsInput &in,
                      const planning::CircuitsAnswer &answer);
void printCircuitsText(llvm::raw_ostream &os, const planning::CircuitsInput &in,
                       const planning::CircuitsAnswer &answer);
/// Rejects --dot with options about NICs, because a graph does not show them.
std::optional<planning::Failure> checkCircuits(OptionTable &table,
                                               llvm::StringRef option);
void printCostText(llvm::raw_ostream &os, const planning::CostInput &in,
                   const planning::CostAnswer &answer);
void printFabricCSV(llvm::raw_ostream &os, const planning::FabricInput &in,
                    const planning::FabricAnswer &answer);
void printFabricPicture(llvm::raw_ostream &os, const planning::FabricInput &in,
                        const planning::FabricAnswer &answer);
void printFabricText(llvm::raw_ostream &os, const planning::FabricInput &in,
                     const planning::FabricAnswer &answer);
void printJobCSV(llvm::raw_ostream &os, const planning::JobInput &in,
                 const planning::JobAnswer &answer);
void printJobText(llvm::raw_ostream &os, const planning::JobInput &in,
                  const planning::JobAnswer &answer);
void printPredictText(llvm::raw_ostream &os, const planning::PredictInput &in,
                      const planning::PredictAnswer &answer);

} // namespace moe::plan

#endif // MOE_TOOLS_MOE_FABRIC_FABRICPRINTING_H
