// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Printing of answers.

#ifndef MOE_TOOLS_MOE_PLAN_PRINTING_H
#define MOE_TOOLS_MOE_PLAN_PRINTING_H

#include "Command.h"
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

namespace moe::plan {

void printAllToAllText(llvm::raw_ostream &os, const planning::AllToAllInput &in,
                       const planning::AllToAllAnswer &answer);
void printCollectiveText(llvm::raw_ostream &os,
                         const planning::CollectiveInput &in,
                         const planning::CollectiveAnswer &answer);
void printConflictsText(llvm::raw_ostream &os,
                        const planning::ConflictsInput &in,
                        const planning::ConflictsAnswer &answer);
void printDegreeText(llvm::raw_ostream &os, const planning::DegreeInput &in,
                     const planning::DegreeAnswer &answer);
void printDispatchKernelText(llvm::raw_ostream &os,
                             const planning::DispatchKernelInput &in,
                             const planning::DispatchKernelAnswer &answer);
void printDispatchPicture(llvm::raw_ostream &os,
                          const planning::DispatchInput &in,
                          const planning::DispatchAnswer &answer);
void printDispatchText(llvm::raw_ostream &os, const planning::DispatchInput &in,
                       const planning::DispatchAnswer &answer);
void printDispatchTraffic(llvm::raw_ostream &os,
                          const planning::DispatchInput &in,
                          const planning::DispatchAnswer &answer);
void printExpandText(llvm::raw_ostream &os, const planning::ExpandInput &in,
                     const planning::ExpandAnswer &answer);
void printFlagsText(llvm::raw_ostream &os, const planning::FlagsInput &in,
                    const planning::FlagsAnswer &answer);
void printGemmText(llvm::raw_ostream &os, const planning::GemmInput &in,
                   const planning::GemmAnswer &answer);
void printGradientsText(llvm::raw_ostream &os,
                        const planning::GradientsInput &in,
                        const planning::GradientsAnswer &answer);
void printLimitsText(llvm::raw_ostream &os, const planning::LimitsInput &in,
                     const planning::LimitsAnswer &answer);
void printMemoryText(llvm::raw_ostream &os, const planning::MemoryInput &in,
                     const planning::MemoryAnswer &answer);
/// Prints the memory per rank of each stage, with a column for each part that
/// some stage holds.
void printStages(llvm::raw_ostream &os,
                 llvm::ArrayRef<planning::RankMemory> stages);
/// Prints the effects that a prediction leaves out below a title. Prints
/// nothing if there are none.
void printNotModelled(llvm::raw_ostream &os, llvm::StringRef title,
                      llvm::ArrayRef<std::string> texts);
/// Prints the reason that a dispatcher and an overlap are the fastest, and the
/// changes that would alter this.
void printReasons(llvm::raw_ostream &os, const planning::StepChoice &choice);
void printStepText(llvm::raw_ostream &os, const planning::StepInput &in,
                   const planning::StepAnswer &answer);
void printSweepText(llvm::raw_ostream &os, const planning::SweepInput &in,
                    const planning::SweepAnswer &answer);
/// Returns true if no layout fits.
bool fitsNothing(const planning::Question &question);
void printTrafficText(llvm::raw_ostream &os, const planning::TrafficInput &in,
                      const planning::TrafficAnswer &answer);
/// Rejects other output formats for a generated trace.
std::optional<planning::Failure> checkTraffic(OptionTable &table,
                                              llvm::StringRef option);

} // namespace moe::plan

#endif // MOE_TOOLS_MOE_PLAN_PRINTING_H
