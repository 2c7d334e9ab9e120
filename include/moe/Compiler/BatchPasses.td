//===- BatchPasses.td - Whether the batch is cut -----------*- tablegen -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_COMPILER_BATCHPASSES_TD
#define MOE_COMPILER_BATCHPASSES_TD

include "moe/Support/PassBase.td"

def ChooseParts : MoEPass<"moe-choose-parts", "::mlir::ModuleOp"> {
  let summary = "Choose the number of sub-batches and the compile plan";
  let description = [{
    *Preserving*. The phase `choose` of `moe-compile` with option `sub-batches`:
    makes the plan of `moe-choose-plan` for the program as it is and in 2,
    3, 4 and 8 parts of its batch (`moe-split-batch`), as long as more parts are
    faster, schedules and simulates each, and keeps what ends first; of equal
    ones that of fewest parts. Under other parts there is less to hide by chunks
    within layers, so that parts are also tried with layers as they are fastest
    alone in one and two chunks (`schedule` best and layers). Parts whose
    values and arguments together do not fit the platform's memory are left out,
    and so is what cannot be cut. A number takes that many, and it is an error
    where they cannot be. Without a platform nothing is chosen.

    A remark names the time, the memory and the runner-up of the choice.

    ```sh
    moe-opt step.mlir --moe-load-platform=file=fsmoe-b \
      --moe-choose-parts=schedule=fsmoe --remarks-filter=moe-choose-parts -o planned.mlir
    # expected a number of sequences that is a multiple of the parts, 2, got 1
    ```
  }];
  let options = [
    Option<"parts", "sub-batches", "::moe::Degree", "::moe::Degree()",
           "Number of sub-batches, or auto to let the pass choose">,
    Option<"strategy", "strategy", "::moe::StrategyChoice",
           "::moe::StrategyChoice::Auto", "Layer variants to choose from",
           "::moe::ChoiceValues<::moe::StrategyChoice>()">,
    Option<"degree", "degree", "::moe::Degree", "::moe::Degree()",
           "Number of chunks per layer, or auto to let the pass choose">,
    Option<"ignoreFitted", "ignore-fitted", "bool", "false",
           "Ignore platform parameters fitted to published results">,
    Option<"schedule", "schedule", "::moe::ScheduleChoice",
           "::moe::ScheduleChoice::Layers", "Schedule of a training step",
           "::moe::ChoiceValues<::moe::ScheduleChoice>()">
  ];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

#endif // MOE_COMPILER_BATCHPASSES_TD
