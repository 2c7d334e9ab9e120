// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans for others to read.

#ifndef MOE_COMPILER_PLANPASSES_TD
#define MOE_COMPILER_PLANPASSES_TD

include "moe/Support/PassBase.td"

def ExportPlan : MoEPass<"moe-export-plan", "::mlir::ModuleOp"> {
  let summary = "Write the compile plan of a program as JSON";
  let description = [{
    *Preserving*: changes nothing. Writes to a file what the phase `choose` has
    written on the module, and what the schedule that is made of it takes on the
    module's platform: of each layer and phase its form, degree, dim and sizes,
    the order of its tasks on streams, the groups and bytes of its exchanges,
    circuit changes, whether traffic decides how it is timed, the predicted time
    and, from `remarks`, why. `docs/plan.schema.json` is the JSON's schema;
    `moe_mlir.plans` reads it in Python.

    Behind `to=choose` forms are there; a module of the phase `schedule` has
    carried them out, and its plan holds tasks alone.

    ```sh
    moe-opt step.mlir --moe-compile="to=choose platform=fsmoe-b schedule=fsmoe" \
      --moe-export-plan=file=plan.json -o planned.mlir
    ```
  }];
  let options = [
    Option<"file", "file", "std::string", "\"\"", "Output file">,
    Option<"remarks", "remarks", "std::string", "\"\"",
           "Remarks that moe-opt wrote during the choice "
           "(--remark-format=yaml)">
  ];
}

#endif // MOE_COMPILER_PLANPASSES_TD
