//===- Passes.td - Passes that choose by compiling ---------*- tablegen -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_COMPILER_PASSES_TD
#define MOE_COMPILER_PASSES_TD

include "mlir/Pass/PassBase.td"

def ChooseSchedule : Pass<"moe-choose-schedule", "::mlir::ModuleOp"> {
  let summary = "Schedule a training step in the way that ends first";
  let description = [{
    *Preserving*. Schedules copies of the module as each of the systems of
    SPEC FS-11 would, and in ways of its own, simulates all of them on the
    platform, and keeps the one that ends first; of equal ones the first:

    - `fsmoe`, `fsmoe-no-iio`, `lina`, `tutel-improved`, `tutel`, `deepspeed`:
      as `moe-compile` with that `schedule`;
    - `orders`: as `fsmoe`, but chunks run in the best order found, and weight
      gradients are computed beside combines (`moe-choose-degree=order=best`,
      `moe-fill-weight-gradients`);
    - `sizes`: as `orders`, with chunks of unequal sizes where these are faster
      (`sizes=best`);
    - `layers`: each layer in the form that is fastest alone
      (`moe-select-strategy`), gradients as they stand.

    So no other schedule that `moe-compile` makes is faster in the simulation.
    A way that cannot be taken is left out with the reason. The times of all are
    a remark of category `moe-choose-schedule`, behind the remarks of the
    passes that made the one that is kept.
  }];
  let options = [
    Option<"platform", "platform", "std::string", "\"\"",
           "Description of the machine: a file (JSON) or the name of one that "
           "ships; the module is then for it, as moe-load-platform says. "
           "The module's own when not given">
  ];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def FillWeightGradients
    : Pass<"moe-fill-weight-gradients", "::mlir::ModuleOp"> {
  let summary = "Compute weight gradients while tokens are on their way";
  let description = [{
    *Preserving*. Nothing waits for the gradient of weights but its all-reduce
    and the update, so it may be computed while a combine keeps other work
    waiting. In each backward layer, moves what does not wait for the combine,
    `moe.experts_wgrad` with what it reads and the gradients of the gate, in
    front of the first op that does. Program order is the order of tasks on a
    stream, so that they run behind the `moe.experts_dgrad` that the combine's
    all-to-alls wait for, and beside these. Collectives, as all-reduces of
    gradients, stay where they are.

    ```mlir
    %c = moe.all_to_all %s on <@mesh, ["ep"]> split 0 concat 0
    %dw:2 = moe.experts_wgrad gpt %dy at %x, %w1, %w2   // was behind %dx
    %dx = moe.unorder %c by %slots weights %ones
    ```

    Schedules the module with and without, and simulates both on the platform:
    what would take longer is left as it is. The times are a remark of category
    `moe-fill-weight-gradients`.
  }];
  let options = [
    Option<"platform", "platform", "std::string", "\"\"",
           "Description of the machine: a file (JSON) or the name of one that "
           "ships; the module's own when not given">,
    Option<"collectives", "collectives", "::moe::CollectiveStreams",
           "::moe::CollectiveStreams::ByLinks",
           "Streams of collectives, as moe-schedule will have them",
           [{::llvm::cl::values(
             clEnumValN(::moe::CollectiveStreams::ByLinks, "by-links",
                        "between nodes and inside them"),
             clEnumValN(::moe::CollectiveStreams::One, "one",
                        "one for all"))}]>
  ];
}

#endif // MOE_COMPILER_PASSES_TD
