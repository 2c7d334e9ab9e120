// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options that moe-schedule shares with the phase schedule of moe-compile.

#ifndef MOE_TRANSFORMS_SCHEDULEOPTIONS_TD
#define MOE_TRANSFORMS_SCHEDULEOPTIONS_TD

include "moe/Support/PassBase.td"

def SearchWidthOption
    : Option<"searchWidth", "search-width", "uint64_t", "32",
             "Beam width of the task-order search, smaller for long "
             "schedules; 0: only swap the tasks of sub-batches">;

#endif // MOE_TRANSFORMS_SCHEDULEOPTIONS_TD
