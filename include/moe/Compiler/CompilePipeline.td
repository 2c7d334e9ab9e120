// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pipeline moe-compile: options and reference text.

#ifndef MOE_COMPILER_COMPILEPIPELINE_TD
#define MOE_COMPILER_COMPILEPIPELINE_TD

include "moe/Compiler/PlanOptions.td"
include "moe/Conversion/TargetOptions.td"

def CompilePipeline : MoEPass<"moe-compile", "::mlir::ModuleOp"> {
  let summary = "Compile a program with MoE layers, one compile phase at a time";
  let description = [{
    *Preserving*, but for `dispatch-type`. Runs the phases `from` to `to`, both
    included:

    | phase | result | passes |
    |---|---|---|
    | `import` | the baseline as a frontend made it, checked and canonical | |
    | `choose` | a plan for layers and the step on the platform; without one nothing | `moe-choose-plan` |
    | `decompose` | all-to-alls rewritten as the plan says; without one into drop / all-to-all / all-gather | `moe-decompose-plan` |
    | `pipeline` | chunks of layers and pieces of gradients, as the plan says; without one nothing | `moe-pipeline-plan` |
    | `schedule` | every function on streams, circuits changed where that pays | `moe-schedule-plan`, `moe-insert-circuits` |
    | `runtime` | the program of a rank's host, on planned buffers | `convert-moe-to-moert` |
    | `llvm` | calls of the runtime's C interface | `convert-moert-to-llvm` |

    Phases up to `schedule` end with canonicalization, CSE and checks of
    their promises (`moe-verify-collectives`, after `schedule` also
    `moe-verify-schedule`), `runtime` with `moert-verify-streams`. Two steps give
    the result of one. An option belongs to one phase: `padding` to
    `expert-products` to `choose`, `circuits`, `priorities` and `search-width` to `schedule`,
    `target` to `toolkit` to `llvm`.

    ```sh
    moe-opt step.mlir --moe-compile="to=schedule platform=fsmoe-b schedule=fsmoe" -o one.mlir
    moe-opt step.mlir --moe-compile="to=decompose platform=fsmoe-b schedule=fsmoe" | moe-opt --moe-compile="from=pipeline to=schedule" | diff - one.mlir
    ```
  }];
  let options = !listconcat([
    Option<"from", "from", "::moe::CompilePhase",
           "::moe::CompilePhase::Import", "First compile phase to run",
           "::moe::EnumValues<::moe::CompilePhase>()">,
    Option<"to", "to", "::moe::CompilePhase", "::moe::CompilePhase::Decompose",
           "Last compile phase to run",
           "::moe::EnumValues<::moe::CompilePhase>()">,
    PlatformOption,
    Option<"traffic", "traffic", "std::string", "\"\"",
           "Routing trace or file of tokens per expert (default: the "
           "module's routing trace)">,
    RobustOption
  ], planOptions, [
    Option<"circuits", "circuits", "::moe::CircuitUse",
           "::moe::CircuitUse::Auto",
           "When optical circuits are reconfigured",
           "::moe::EnumValues<::moe::CircuitUse>()">
  ], launchOptions, targetOptions);
}

#endif // MOE_COMPILER_COMPILEPIPELINE_TD
